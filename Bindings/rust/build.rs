//! Finds the static library: in `CTREECORE_LIB` where that is set, else built by CMake from the folder above.

use std::{env, path::PathBuf, process::Command};

fn main() {
    println!("cargo:rerun-if-env-changed=CTREECORE_LIB");
    let folder = match env::var_os("CTREECORE_LIB") {
        Some(folder) => PathBuf::from(folder),
        None => built(),
    };
    println!("cargo:rerun-if-changed={}", folder.join("libctreecore.a").display());
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static=ctreecore");
}

fn built() -> PathBuf {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap()).join("../..");
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap()).join("ctreecore");
    println!("cargo:rerun-if-changed={}", root.join("Sources/CTreeCore").display());
    run(Command::new("cmake").current_dir(&root).args(["--preset", "release", "-B"]).arg(&folder));
    run(Command::new("cmake").arg("--build").arg(&folder).args(["--target", "ctreecore_static"]));
    folder
}

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?} failed");
}
