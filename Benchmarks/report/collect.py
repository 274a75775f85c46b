#!/usr/bin/env python3
"""Runs every program of a mode, one after another, and keeps all figures in one JSON file.

    collect.py MODE OUT    MODE: smoke, quick, full or 100m

CTREE_BENCH_MOST leaves out what has more rows than it says, where memory or time are short.

Each peer runs in a process of its own, so that one which crashes or takes too long costs its own figures only; why it
has none is kept beside the figures of the others.
"""
import datetime
import json
import os
import pathlib
import platform
import re
import resource
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORE = ROOT / "build/bench/Benchmarks"
SWIFT = ROOT / "build/swift-bench/release"
SESSION = str(ROOT / "Benchmarks/peers/session.txt")
MACHINE = str(ROOT / "build/bench/machine.tree")

PROGRAMS = {
    "treekit": [CORE / "peer_treekit"],
    "treekit-swift": [SWIFT / "outlinebench", "--peer", "treekit-swift"],
    "gtk": [CORE / "peer_gtk"],
    "kde": [CORE / "peer_kde"],
    "flat": [CORE / "peer_handmade", "--peer", "flat"],
    "counts": [CORE / "peer_handmade", "--peer", "counts"],
    "swift-nested": [SWIFT / "outlinebench", "--peer", "swift-nested"],
}
ALL = list(PROGRAMS)
K, M = 1000, 1000000


class Plan:
    """What a mode runs: a list of (label, command, seconds at most, what it is about)."""

    def __init__(self, ms):
        self.ms = ms
        self.tasks = []

    def add(self, who, program, arguments, limit, tree, rows):
        words = [str(word) for word in PROGRAMS.get(who, []) if program is None] or [str(program)]
        about = {"peer": who, "tree": tree, "rows": rows}
        self.tasks.append((f"{who} {tree} {rows}", words + [str(a) for a in arguments], limit, about))

    def outline(self, who, tree, rows, limit=60, only=None, ms=None):
        arguments = ["--tree", tree, "--rows", rows, "--ms", ms or self.ms]
        if tree == "machine":
            arguments[1:2] = ["@" + MACHINE, "--as", "machine"]
        self.add(who, None, arguments + (["--only", only] if only else []), limit, tree, rows)

    def limits(self, rows):
        self.outline("treekit", "files", rows, only="limits")

    def session(self, who, tree, rows, all_open, limit=60):
        arguments = ["--tree", tree, "--rows", rows, "--ms", self.ms, "--session", SESSION]
        if tree == "machine":
            arguments[1:2] = ["@" + MACHINE, "--as", "machine"]
        # Once a folder was read again, KDE's model crashes on a later change; see docs/performance.md.
        arguments += ["--all-open"] * all_open + ["--without", "reload"] * (who == "kde")
        self.add(who, None, arguments, limit, tree + " session", rows)

    def index(self, keys, ms, limit=60):
        self.add("index", CORE / "peer_index", ["--keys", keys, "--ms", ms], limit, "keys", keys)
        self.add("index-swift", SWIFT / "indexbench", ["--keys", keys, "--ms", ms], limit, "keys", keys)

    def diff(self, rows, limit=60):
        self.add("diff", SWIFT / "diffbench", [rows, 100], limit, "edits", rows)


def smoke():
    plan = Plan(1)
    for who in ALL:
        plan.outline(who, "files", K)
        plan.session(who, "machine", K, False, limit=20)
    plan.index(K, 1)
    plan.diff(K)
    return plan


def quick():
    plan = Plan(50)
    for rows in (K, 10 * K, 100 * K, M):
        plan.limits(rows)
    for who in ALL:
        for rows in (K, 10 * K, 100 * K, M):
            if (who, rows) not in (("kde", 100 * K), ("kde", M), ("swift-nested", M)):
                plan.outline(who, "files", rows, limit=30)
    for who in ALL:
        plan.session(who, "machine", M, False, limit=20)
        if who != "kde":
            plan.session(who, "json", 100 * K, True, limit=20)
    for keys in (10 * K, 100 * K, M):
        plan.index(keys, 20)
    plan.diff(100 * K)
    return plan


def full():
    plan = Plan(250)
    most = {"kde": 100 * K, "swift-nested": M}
    for rows in (K, 10 * K, 100 * K, M, 10 * M):
        plan.limits(rows)
        for who in ALL:
            if rows <= most.get(who, 10 * M):
                plan.outline(who, "files", rows, limit=120)
    for who in ALL:
        plan.session(who, "machine", M, False)
        plan.session(who, "json", M, True, limit=20 if who == "kde" else 60)
    for rows in (10 * K, 100 * K, M):
        plan.index(rows, 150)
    plan.index(10 * M, 300, limit=100)
    plan.diff(100 * K)
    plan.diff(M)
    for tree in ("machine", "json", "classes", "siblings", "chain", "ten"):
        for who in ALL:
            plan.outline(who, tree, M, limit=12 if who == "kde" else 40, ms=60)
    for who in ALL:
        plan.outline(who, "chain", 10 * K, limit=20, ms=30)
    core = ["--benchmark_filter=^view/", "--benchmark_format=json"]
    plan.add("core", CORE / "ctree_bench", core, 240, "core", 10 * M)
    plan.tasks += hundred_millions().tasks
    return plan


def hundred_millions():
    plan = Plan(500)
    plan.outline("treekit", "files", 100 * M, limit=240)
    return plan


MODES = {"smoke": smoke, "quick": quick, "full": full, "100m": hundred_millions}


def text_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def line_of(file, start):
    try:
        for line in open(file):
            if line.startswith(start):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return ""


def memory(what):
    """MemTotal or MemAvailable, in bytes; 0 where the system does not say."""
    words = line_of("/proc/meminfo", what).split()
    return int(words[0]) * 1024 if words else 0


def context(mode):
    peers = {}
    programs = [words[:1] for words in PROGRAMS.values()] + [[CORE / "peer_index"], [SWIFT / "indexbench"]]
    for words in programs:
        if pathlib.Path(words[0]).exists():
            for line in text_of(str(words[0]), "--info").splitlines():
                name, _, what = line.partition("\t")
                peers.setdefault(name, what)
    compiler = line_of(ROOT / "build/bench/CMakeCache.txt", "CMAKE_CXX_COMPILER:").rpartition("=")[2] or "c++"
    swift = re.search(r"Swift version \S+", text_of("swift", "--version"))
    return {
        "mode": mode,
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": text_of("git", "rev-parse", "--short", "HEAD"),
        "cpu": line_of("/proc/cpuinfo", "model name") or platform.processor(),
        "cores": os.cpu_count(),
        "memory": memory("MemTotal"),
        "system": f"{platform.system()} {platform.release().partition('-')[0]} {platform.machine()}",
        "distribution": line_of_release(),
        "compiler": text_of(compiler, "--version").partition("\n")[0],
        "swift": swift.group(0) if swift else "",
        "load_before": os.getloadavg()[0],
        "peers": peers,
    }


def line_of_release():
    try:
        return re.search(r'PRETTY_NAME="(.*)"', open("/etc/os-release").read()).group(1)
    except (OSError, AttributeError):
        return ""


def run(command, limit):
    """Its lines, and why it ended early, if it did. A peer that is too slow has printed what it did until then."""
    if not pathlib.Path(command[0]).exists():
        return [], "not installed"
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    lines, complaints = [], []
    readers = [
        threading.Thread(target=lambda: lines.extend(process.stdout)),
        threading.Thread(target=lambda: complaints.extend(process.stderr)),
    ]
    for reader in readers:
        reader.start()
    why = None
    try:
        code = process.wait(timeout=limit)
        if code < 0:
            why = f"crashed (signal {-code})"
        elif code != 0:
            why = (complaints or [f"ended with {code}"])[-1].strip()
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        why = f"stopped after {limit} s"
    for reader in readers:
        reader.join()
    return lines, why


def figures(lines):
    """Each line that is JSON; or all of it, where Google Benchmark printed it."""
    if lines and lines[0].strip() == "{":
        try:
            return [dict(one, peer="core") for one in json.loads("".join(lines))["benchmarks"]]
        except (ValueError, KeyError):
            return []
    found = []
    for line in lines:
        if line.startswith("{"):
            try:
                found.append(json.loads(line))
            except ValueError:  # cut off where the process was stopped
                pass
    return found


def main():
    mode, out = sys.argv[1], pathlib.Path(sys.argv[2])
    most = int(os.environ.get("CTREE_BENCH_MOST", 10**9))
    tasks = [task for task in MODES[mode]().tasks if task[3]["rows"] <= most]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # peers that crash are expected to
    result = {"context": context(mode), "benchmarks": [], "missing": []}
    started = time.monotonic()
    if (CORE / "peer_treekit").exists():
        text_of(str(CORE / "peer_treekit"), "--scan", "/", MACHINE)
    deadline = {"full": 24 * 60, "quick": 4.5 * 60}.get(mode, 3600)
    for number, (label, command, limit, about) in enumerate(tasks, 1):
        passed = time.monotonic() - started
        print(f"[{number}/{len(tasks)}, {passed / 60:.1f} min] {label} ", end="", flush=True)
        begin = time.monotonic()
        huge = about["rows"] > 50 * M
        if passed + 5 > deadline:
            lines, why = [], "left out: the time of the run was up"
        elif huge and 0 < memory("MemAvailable") < 12 << 30:
            lines, why = [], "left out: less than 12 GiB of memory are free"
        else:
            # What comes last is the largest store: it may take what is left.
            lines, why = run(command, max(5, min(limit, deadline - passed)) if not huge else limit)
        found = figures(lines)
        result["benchmarks"] += found
        if why:
            result["missing"].append(dict(about, why=why))
        print(f"{len(found)} figures in {time.monotonic() - begin:.1f} s{', ' + why if why else ''}", flush=True)
    result["context"]["minutes"] = round((time.monotonic() - started) / 60, 1)
    out.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join("    " + json.dumps(one) for one in result["benchmarks"])
    missing = ",\n".join("    " + json.dumps(one) for one in result["missing"])
    head = json.dumps(result["context"], indent=2).replace("\n", "\n  ")
    out.write_text(f'{{\n  "context": {head},\n  "benchmarks": [\n{lines}\n  ],\n  "missing": [\n{missing}\n  ]\n}}\n')
    print(f"{len(result['benchmarks'])} figures in {result['context']['minutes']} minutes: {out}")
    if not any(one["peer"].startswith("treekit") for one in result["benchmarks"]):
        sys.exit("nothing was measured of TreeKit")
    ours = [one for one in result["missing"] if one["why"] != "not installed" and one["peer"] not in ("gtk", "kde")]
    if mode == "smoke" and ours:
        sys.exit(f"what should run did not: {ours}")


if __name__ == "__main__":
    main()
