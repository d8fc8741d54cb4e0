//! Lets macOS link a library whose Python comes when it is loaded; elsewhere nothing.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
