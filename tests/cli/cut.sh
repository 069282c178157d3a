# Links that are left out, because they are too long or too many, are counted, and whoever
# asks why nothing comes of a list is told.
. tests/cli/common
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
mkdir www
python3 "$root/tests/cli/small_site.py" 127.0.0.1 127.0.0.1 >"$scratch/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
within 10 test -e ready
a=$(sed -n 1p origins) b=$(sed -n 2p origins)
python3 - <<'END'
with open('www/long', 'w') as f:
    f.write('<title>long</title><h1>All links</h1>')
    for i in range(30):
        f.write(f'<p><a href="/p{i}?q={"x" * 3000}">the page number {i}</a>')
with open('www/many', 'w') as f:
    f.write('<title>many</title><h1>All links</h1>')
    for i in range(50030):
        f.write(f'<p><a href=/p{i}>the page number {i}</a>')
END
# No budget: soon after the last request of a crawl the next has next to none.
crawl="-w ws --net-allow-private loopback --fetch-delay 1ms --crawl-budget 0 --crawl-site-budget 0 --crawl-tick 1s"
expect 0 forage add -w ws "$a/long" "$b/many"
# visits PAGE N: it was read that often.
visits() { forage page "$1" -w ws --json | python3 -c "import json,sys
sys.exit(json.load(sys.stdin)['visits'] < $2)"; }
read_all() { # for as long as it takes
    forage run $crawl --crawl-explore 1 --time-limit 90s >/dev/null 2>"$scratch/run.err" &
    run=$!
    within 20 visits "$a/long" "$1"
    within 20 visits "$b/many" "$1"
    kill -TERM "$run"
    wait "$run"
}
read_all 1
expect 0 forage page "$a/long" -w ws
says "left out       30 links longer than fetch.max-url"
expect 0 forage page "$a/long" -w ws --json
value "d['n_links_too_long'], d['n_links_too_many'], 'cut' in d['flags']" "(30, 0, True)"
expect 0 forage page "$b/many" -w ws --json
value "d['n_links_too_long'], d['n_links_too_many'], 'cut' in d['flags']" "(0, 30, True)"
expect 0 forage status -w ws --once
says "links left out, too long or too many, of 2 pages"
expect 0 forage status -w ws --json
value "sorted(s['cut'] for s in d['sites'])" "[1, 1]"
expect 0 forage why "$a/long" -w ws
says "of its links were left out: 30 links longer than fetch.max-url"
expect 0 forage why "$a/long" -w ws --json
value "d['cause']" "cut"
expect 0 forage explain "$a/long" -w ws
says "30 links longer than fetch.max-url"
expect 0 forage explain "$b/p50029" -w ws
says "no link that was looked at leads to it; of 1 page links were left out"
expect 0 forage explain "$b/p5" -w ws --json
value "'left out' in d['because']" False
[ "$(grep -c "links of a page are left out" "$scratch/run.err")" -eq 2 ] ||
    flunk "the log does not tell it once a page: $(cat "$scratch/run.err")"
# What is short enough now is known, and the count is over.
python3 -c "
with open('www/long', 'w') as f:
    f.write('<title>long</title>' + ''.join(f'<p><a href=/p{i}>the page number {i}</a>' for i in range(30)))"
expect 0 forage remove --page "$a/long" -w ws
expect 0 forage add -w ws "$a/long"
forage run $crawl --crawl-explore 1 --time-limit 90s >/dev/null 2>"$scratch/run.err" &
run=$!
mended() { forage page "$a/long" -w ws --json | python3 -c "import json,sys
d = json.load(sys.stdin); sys.exit('cut' in d['flags'] or d['n_links_too_long'] or 'source' not in d['flags'])"; }
within 20 mended
kill -TERM "$run"
wait "$run"
grep "links of a page are left out" "$scratch/run.err" | grep -v "page=$b/many" >"$scratch/out"
[ -s "$scratch/out" ] && flunk "told of a page that is whole"
done_testing
