# A real crawl of the simulated web, then every command that looks at it.
. tests/cli/common
forage demo --for 5s --sites 2 --offers 0 --keep --json >"$scratch/out" 2>"$scratch/err"
code=$?
[ "$code" -eq 0 ] || flunk "demo ends with $code"
folder=$(sed -n 's/^kept: //p' "$scratch/err")
[ -d "$folder/learning" ] || { flunk "no workspace was kept"; 
# A limit is kept to the request, also over several sites, and the end has its name.
forage simulate --for 60s --sites 3 >"$scratch/urls" 2>/dev/null &
web=$!
within 30 test -s "$scratch/urls"
for limit in 1 5; do
    # shellcheck disable=SC2046
    expect 14 forage watch -w "limit$limit" --quiet --fetch-delay 10ms --net-allow-private loopback \
        --fetch-limit $limit $(cat "$scratch/urls")
    expect 0 forage status -w "limit$limit" --json
    value "d['crawl']['fetches'], d['crawl']['ended']" "($limit, 'fetch limit')"
done
# shellcheck disable=SC2046
expect 14 forage watch -w small --quiet --fetch-delay 10ms --net-allow-private loopback --crawl-budget 60 \
    --crawl-tick 1m --clock-speed 60 --fetch-limit 3 $(cat "$scratch/urls")
expect 14 forage watch -w sized --quiet --fetch-delay 10ms --net-allow-private loopback --size-limit 1B "$(head -n 1 "$scratch/urls")"
expect 0 forage status -w sized --json
value "d['crawl']['fetches'], d['crawl']['ended']" "(1, 'size limit')"
kill $web

# Without an address there is nothing to watch, even if there are sites to go on with.
expect 4 forage watch
complains "'forage run --events' goes on with the sites of the workspace"
done_testing; }
trap 'rm -rf "$scratch" "$folder"' EXIT
json
value "d['found'] > 0 and d['published'] >= d['found'] >= d['reported']" True
value "0 <= d['precision'] <= 1 and abs(d['recall'] - d['reported'] / d['published']) < 1e-9" True
value "abs(d['precision'] - d['events']['true'] / sum(d['events'].values())) < 1e-9" True
value "d['round_robin']['published'] == d['published'] and set(d['round_robin']) >= {'precision', 'recall'}" True
cd "$folder/learning" || exit 1

expect 0 forage status --json
value "d['is_running'], d['crawl']['ended'], d['crawl']['speed'], len(d['sites'])" \
    "(False, 'time limit', 14400, 2)"
value "d['totals']['new_24h'] == d['totals']['events'] > 0 and d['totals']['sources'] > 4" True
value "all(s['last_discovery'] <= d['now'] for s in d['sites'])" True
expect 0 forage new --limit 1000000
n=$(wc -l <"$scratch/out")
expect 0 forage export --what events
lines "$n"
expect 0 forage new --atom --limit 1000000
cp "$scratch/out" "$scratch/new.xml"
expect 0 forage feed "$scratch/new.xml" --json
value "len(d['entries'])" "$n"

expect 0 forage export
python3 - "$scratch/out" >"$scratch/sources" <<'P'
import json, sys
for row in map(json.loads, open(sys.argv[1])):
    if "source" in row["flags"] and row["visits"] > 2:
        print(row["url"])
P
for url in $(head -n 3 "$scratch/sources"); do
    expect 0 forage why "$url" --json
    value "d['is'], d['is_known_to_policy'], 1 <= d['rank'] <= d['of'] <= d['of_all'], d['observations'] >= 0" \
        "('source', True, True, True)"
    expect 0 forage page "$url" --json
    value "d['visits'] == d['n_visits'] and d['n_links'] > 0" True
done
[ -s "$scratch/sources" ] || flunk "no sources were found"
expect 0 forage doctor
says "ok       store"

# A site that was added with an operator is not crawled without one.
expect 0 forage add -w named --operator-contact you@example.org https://site.example/
expect 4 forage run -w named --time-limit 5s
complains "operator.contact"

# Without an address there is nothing to watch, even if there are sites to go on with.
expect 4 forage watch
complains "'forage run --events' goes on with the sites of the workspace"
done_testing
