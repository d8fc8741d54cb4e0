# Sourced from the root of the repository: compiles all libraries, programs and examples, and sets `target`,
# `profile` and `built`, the folder of what is compiled. The whole workspace with the features of `cargo test`, to
# share what that compiled.
target=${CARGO_TARGET_DIR:-target}
case $target in /*) ;; *) target=$PWD/$target ;; esac
profile=${SAKMAK_PROFILE:-release}
built=$target/$profile
cargo build --quiet --profile "$profile" --workspace --lib --bins --examples
