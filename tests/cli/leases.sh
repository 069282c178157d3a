# The leases of lots under faults, with a judge who sees every request; and the same without parts
# of the protocol, where something has to go wrong. FAULTS=1000 for the whole of it.
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
judged "${FAULTS:-200}" 0 kill,stop,partition,restart
value "[d[k] for k in ('overlaps', 'short', 'stale', 'lost', 'gaps')]" "[0, 0, 0, 0, 0]"
value "d['takeovers'] > 10" True
judged 4 0 failover
value "[d[k] for k in ('overlaps', 'short', 'stale')]" "[0, 0, 0]"
for lacks in 1 3; do
    judged 150 $lacks kill,stop
    value "d['overlaps'] + d['short'] + d['stale'] > 0" True
done
done_testing
