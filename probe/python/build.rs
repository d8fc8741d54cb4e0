//! On macOS, makes the linker leave the symbols of Python open until the library is loaded.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
