# Sourced by the other scripts: finds the clone, and installs packages where they are missing.
cd "$(dirname "${BASH_SOURCE[0]}")/.."

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# need PACKAGE COMMAND...: notes the package as missing unless the command succeeds.
missing=()
need() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}

has_command() { command -v "$1"; }

has_header() { printf '#include <%s>\n' "$1" | "${CC:-$(command -v cc || command -v clang)}" -E -x "${2:-c}" -; }

# Installs what was noted. Nothing that is there is upgraded, since a build must not change the machine more than it has to.
install_missing() {
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null; then
    die "missing: ${missing[*]} (Debian's names). Install them with your system's package manager and try again."
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "missing: ${missing[*]}. As root: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  printf 'Installing %s\n' "${missing[*]}"
  # Old lists may still do where the update fails, so only the installation decides.
  "${as_root[@]}" apt-get -q -o DPkg::Lock::Timeout=300 update || true
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
    --no-install-recommends --no-upgrade install "${missing[@]}" \
    || die "could not install: ${missing[*]}. Install them by hand and try again."
  missing=()
}
