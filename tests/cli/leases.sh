# The leases of lots, and of the addresses that lots share, under faults, with a judge who sees
# every request; and three simpler leases, with which something has to go wrong. FAULTS=1000 for
# the whole of it. Each process has a network of its own, if we may make one.
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
value "[d[k] for k in ('overlaps', 'short', 'stale', 'address_overlaps', 'address_short', 'lost', 'gaps')]" "[0, 0, 0, 0, 0, 0, 0]"
value "d['takeovers'] > 10" True
judged 4 0 failover
value "[d[k] for k in ('overlaps', 'short', 'stale', 'address_overlaps', 'address_short')]" "[0, 0, 0, 0, 0]"
# A lease by the server's clock: alone; with a deadline of one's own; with the kernel's timer too,
# which is well until a standby that lags takes over.
for lacks in 7 5; do
    judged 250 $lacks kill,stop,freeze,partition,restart
    value "d['overlaps'] + d['short'] + d['stale'] > 0" True
done
LENGTH=12 LAG=1.05,1.2
export LENGTH LAG
judged 5 4 failover
value "d['overlaps'] + d['short'] + d['stale'] > 0" True
done_testing
