# What the store has comes out whole, as JSON lines and as CSV that harms nobody.
. tests/cli/common
workspace ws
cd ws || exit 1

count() { # EXPECTED ARGUMENTS...: rows of JSON and of CSV
    n=$1
    shift
    expect 0 forage export "$@"
    silent
    lines "$n"
    expect 0 forage export --csv "$@"
    lines $((n + 1))
    if command -v python3 >/dev/null; then
        got=$(python3 -c "
import csv, sys
rows = list(csv.reader(open('$scratch/out', newline='', encoding='utf-8'), strict=True))
assert len({len(r) for r in rows}) == 1, 'ragged'
text = open('$scratch/out', newline='').read()
assert text.count('\r\n') == len(rows) and text.endswith('\r\n'), 'line ends'
print(len(rows) - 1)" 2>&1)
        [ "$got" = "$n" ] || flunk "CSV of '$*': $got"
    fi
}
count 13
count 12 --site news.example
count 31 --what visits
count 1 --what visits --site law.example
count 3 --what links
count 3 --what events
count 1 --what events --since 1h
count 0 --what events --site law.example
count 0 --since 1d
count 28 --what visits --since 1d
count 28 --what observations --since 1d
count 3 --what discoveries

expect 0 forage export
python3 - "$scratch/out" <<'P' 2>"$scratch/err" || flunk "the JSON lines are wrong"
import json, sys
rows = {r["url"]: r for r in map(json.loads, open(sys.argv[1]))}
home = rows["https://news.example/"]
assert home["flags"] == ["seed", "source"] and home["last_visit"].endswith("Z"), home
assert home["published"] is None and home["weight"] == 1
assert rows["https://news.example/index.html"]["alias_of"] == "https://news.example/"
assert rows["https://law.example/1"]["site"] == "https://law.example"
P
expect 0 forage export --csv --spreadsheet --site news.example
says "'=HYPERLINK("
says ",seed source,"
grep -qE '(^|,)"?=' "$scratch/out" && flunk "a formula got through"
expect 0 forage export --format csv
grep -qE ',"=HYPERLINK' "$scratch/out" || flunk "data are not written as they are"
expect 0 forage export --csv --spreadsheet --what events
says "'-second"
expect 0 forage export --what visits
says '"failure":"timeout"'
cp "$scratch/out" "$scratch/visits"

# A file appears whole or not at all.
expect 0 forage export --what visits -o visits.jsonl
[ -s "$scratch/out" ] && flunk "something went to standard output, too"
cmp -s visits.jsonl "$scratch/visits" || flunk "the file differs from standard output"
expect 1 forage export -o nowhere/x.csv
complains "cannot create"
if [ -w /dev/full ]; then
    expect 3 sh -c 'forage export >/dev/full'
    complains "No space left"
fi
echo precious >kept
expect 1 forage export --site nobody.example -o kept
[ "$(cat kept)" = precious ] || flunk "a failed export destroyed the file"
ls | grep -q tmp && flunk "something was left behind: $(ls)"
expect 0 sh -c 'forage export | head -n 1'
silent
expect 4 forage export --csv --jsonl
expect 4 forage export --what nothing
done_testing
