# Workers, processes of lots and the database are killed all the time while sites publish:
# each event is in the store once, numbers are dense, and nothing that was written out is
# lost. 200 kills with ./test --long, or as many as KILLS says.
here=$PWD
. tests/cli/common
cd "$here" || exit 1
[ -n "${FORAGE_LONG:-}" ] && most=200 || most=8
python3 tests/faults/kills.py "$builds/forage" "${KILLS:-$most}" >"$scratch/out" 2>"$scratch/err"
code=$?
[ "$code" -eq 77 ] && exit 77
last="kills.py"
[ "$code" -eq 0 ] || flunk "the harness ends with $code"
value "[d[k] for k in ('twice', 'lost', 'changed', 'gaps', 'stock_told')]" "[0, 0, 0, 0, 0]"
value "d['told'] == d['published'] and d['lines'] >= d['told']" True
done_testing
