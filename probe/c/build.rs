//! Names the shared library after its version, so that a program finds the version it was
//! linked with. Until 1.0 a new minor version may break programs, so the name has both numbers.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let number = |name: &str| env::var(name).unwrap_or_default();
    let version = [number("CARGO_PKG_VERSION_MAJOR"), number("CARGO_PKG_VERSION_MINOR")].join(".");
    let name = match number("CARGO_CFG_TARGET_OS").as_str() {
        "macos" => format!("-install_name,@rpath/libsakmak.{version}.dylib"),
        "windows" => return,
        _ => format!("-soname,libsakmak.so.{version}"),
    };
    println!("cargo::rustc-link-arg-cdylib=-Wl,{name}");
}
