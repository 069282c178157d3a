# The ledger against the other side's own log: every request, one for one.
. tests/cli/common

rm -f seen urls
anchor=$(date -u +%Y-%m-%dT%H:%M:%SZ)
forage simulate --for 120s --sites 2 --speed 200 --anchor "$anchor" --trouble 0.02 \
    --access-log seen >urls 2>"$scratch/err" &
web=$!
trap 'kill "$web" 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 test -s urls
sites=$(cat urls)
watch() {
    # shellcheck disable=SC2086
    forage watch --quiet --net-allow-private loopback --workspace ws --crawl-budget 0 \
        --fetch-delay 10s --crawl-tick 5m --clock-speed 200 --clock-anchor "$anchor" \
        --time-limit "$1" $sites >events 2>"$scratch/err"
}
watch 4s
for _ in 1 2 3 4 5 6 7 8 9 10; do
    watch 2s
    [ "$(wc -l <seen)" -ge 40 ] && break
done
[ "$(wc -l <seen)" -ge 40 ] || flunk "too few requests to compare: $(wc -l <seen)"

command -v python3 >/dev/null || { echo "python3 is missing: not compared"; exit 77; }
n=0
for site in $sites; do
    expect 0 forage ledger "$site" -w ws --json
    json
    cp "$scratch/out" ledger.json
    python3 - "$n" <<'EOF' >"$scratch/err" 2>&1 || { : >"$scratch/out"; flunk "the ledger of $site is not the server's log"; }
import json, sys
log = [l.split() for l in open('seen')]
log = [(f[2], int(f[3])) for f in log if f[1] == sys.argv[1]]
d = json.load(open('ledger.json'))
rows = d['ledger']
ours = [(r['url'][len(d['site']):], r['status']) for r in rows]
assert ours == log, [(a, b) for a, b in zip(ours, log) if a != b][:3] or (len(ours), len(log))
assert d['requests'] == len(log)
assert d['not_modified'] == sum(s == 304 for _, s in log)
assert d['robots'] == sum(p == '/robots.txt' for p, _ in log)
assert d['bytes'] == sum(r['bytes'] for r in rows)
gaps = sorted(r['gap_s'] for r in rows[1:])
assert d['gap_least_s'] == gaps[0] and d['gap_median_s'] == gaps[(len(gaps) - 1) // 2]
assert d['delay_promised_s'] == 10 and d['gaps_below_delay'] == 0 and gaps[0] >= 10, gaps[0]
assert {r['what'] for r in rows} >= {'robots', 'page'}, {r['what'] for r in rows}
assert all(r['conditional'] for r in rows if r['status'] == 304)
EOF
    n=$((n + 1))
done

# As CSV the same rows, and a head; a name without a port is every site of the host.
expect 0 forage ledger 127.0.0.1 -w ws --csv
lines $(($(wc -l <seen) + 1))
says "time,url,status,failure,what,purpose,hop,conditional,bytes,took_ms,gap_s"
expect 0 forage ledger 127.0.0.1 -w ws --last 3
says "for robots.txt"
says "promised are 10s"
says "next visit     when a crawl runs"
expect 0 forage ledger 127.0.0.1 -w ws --csv --since 1s
expect 1 forage ledger elsewhere.example -w ws
complains "nothing was ever asked of 'elsewhere.example'"
expect 4 forage ledger 127.0.0.1 -w ws --csv --json
complains "cannot be combined"

# What is older than store.requests goes; with 0 nothing is kept.
# shellcheck disable=SC2086
forage run --quiet --net-allow-private loopback --workspace ws --crawl-budget 0 \
    --fetch-delay 10s --crawl-tick 5m --clock-speed 200 --clock-anchor "$anchor" \
    --time-limit 1s --store-requests 1s >events 2>"$scratch/err"
newest=$(python3 -c "import json; print(json.load(open('ledger.json'))['last_request'])")
expect 0 forage ledger "${sites##*
}" -w ws --json
value "not d['requests'] or d['first_request'] > '$newest'" True
done_testing
