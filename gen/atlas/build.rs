//! Web pages are part of the program: a file that comes or goes compiles it again.

fn main() {
    println!("cargo::rerun-if-changed=web");
}
