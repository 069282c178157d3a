# Calls that fail, one at a time: a few of each kind. All of them: ./test --faults.
[ -x build/forage ] && [ -f build/release/tests/faults/libfaults.so ] || {
    echo "no program as it is released, or no build/release/tests/faults/libfaults.so: run ./test"
    exit 77
}
exec tests/faults/run --short --kind write --kind open --kind thread import archive
