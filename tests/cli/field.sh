# Two real applications, a few hours of their time: nearly all that they publish is told, and
# hardly anything else. All of them, for longer and held to more: ./test --field.
field=${FORAGE_FIELD:-}
. tests/cli/common
command -v python3 >/dev/null || { echo "python3 is missing: no applications"; exit 77; }
[ -z "$field" ] || export FORAGE_FIELD="$field"
# The program without sanitizers, if it is there: time passes 120 times as fast.
forage=$root/build/forage
[ -x "$forage" ] || forage=$builds/forage
run=
trap 'kill "$run" 2>/dev/null; wait "$run"; rm -rf "$scratch"' EXIT
trap 'exit 1' TERM INT
# watch SPEED: four hours of theirs.
watch() {
    "$root/tests/field/run" --forage "$forage" --short --hours 4 --speed "$1" --at-once 2 news pelican &
    run=$!
    wait "$run"
}
watch 120
code=$?
if [ $code -eq 1 ] && was_busy; then
    echo "the machine had much to do: once more, half as fast"
    watch 60
    code=$?
fi
exit $code
