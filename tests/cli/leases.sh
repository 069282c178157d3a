# The leases of lots under faults, with a judge who sees every request; and the same without parts
# of the protocol, where something has to go wrong. FAULTS=1000 for the whole of it. Each process
# has a network of its own, if we may make one.
[ -n "${FORAGE_LONG:-}" ] || { echo "only with ./test --long"; exit 77; }
faults_py=$PWD/tests/faults/leases.py
here=$PWD
. tests/cli/common
cd "$here" || exit 1
judged() { # faults lacks kinds
    python3 "$faults_py" "$builds" "$@" >"$scratch/out" 2>"$scratch/err" || { code=$?; [ "$code" -eq 77 ] && exit 77; flunk "the harness ends with $code"; }
    cat "$scratch/out"
    last="leases.py $*"
}
if [ "$(id -u)" -eq 0 ] && unshare -n ip link add forage0 type bridge 2>/dev/null; then
    export NETNS=1
fi
judged "${FAULTS:-200}" 0 kill,stop,freeze,partition,restart
value "[d[k] for k in ('overlaps', 'short', 'stale', 'lost', 'gaps')]" "[0, 0, 0, 0, 0]"
value "d['takeovers'] > 10" True
judged 4 0 failover
value "[d[k] for k in ('overlaps', 'short', 'stale')]" "[0, 0, 0]"
for lacks in 1 3; do
    judged 150 $lacks kill,stop,freeze
    value "d['overlaps'] + d['short'] + d['stale'] > 0" True
done
done_testing
