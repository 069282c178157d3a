# A shop that is crawled for real: counts are imported, prices kept true, and lomax keeps
# them truer than kab5 and uniform with the same number of requests, by the simulator's
# truth. Measured with room to spare: lomax is .08 to .17 above the better of the others in
# clicks, .03 to .09 in offers; asked for are .03 and 0. With FORAGE_LONG=1 the same again
# by hand, one crawl after the other, with an account of the truth made apart.
long=${FORAGE_LONG:-}
. tests/cli/common
forage policies | grep -q '^lomax' || { echo "there is no lomax"; exit 77; }
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }

# --- side by side ---

speed=${1:-7200} # 45 seconds are 90 hours
expect 0 forage demo --shop --refresh lomax,kab5,uniform --for $((324000 / speed))s --speed $speed --tick 2h --json
json
cp "$scratch/out" "$scratch/shop.json"
value "[c['refresh'] for c in d['crawls']]" "['lomax', 'kab5', 'uniform']"
value "all(0.3 < c['page_freshness'] < 1 and 0.3 < c['click_freshness'] < 1 for c in d['crawls'])" True
value "max(c['shop_fetches'] for c in d['crawls']) <= 1.1 * min(c['shop_fetches'] for c in d['crawls'])" True
value "d['crawls'][0]['click_freshness'] > .03 + max(c['click_freshness'] for c in d['crawls'][1:])" True
value "d['crawls'][0]['page_freshness'] > max(c['page_freshness'] for c in d['crawls'][1:])" True
[ "$bad" -eq 0 ] || cat "$scratch/shop.json"

# --- by hand ---

# shop_crawl POLICY SECONDS: crawl a shop of its own in the folder POLICY.
shop_crawl() {
    mkdir "$1" && cd "$1" || exit 1
    anchor=$(date -u +%Y-%m-%dT%H:%M:%SZ)
    forage simulate --for 300s --sites 0 --offers 200 --speed $speed --anchor "$anchor" \
        --truth truth.jsonl --counts counts.csv >url 2>"$scratch/err" &
    web=$!
    within 30 test -s url
    expect 0 forage import counts counts.csv --add --json
    value "d['pages'], d['added'], d['unknown']" "(200, 200, 0)"
    expect 0 forage run --quiet --net-allow-private loopback --fetch-delay 0 --fetch-concurrency 4 \
        --crawl-budget 8 --crawl-tick 2h --policy-refresh "$1" \
        --documents-history 100000 --clock-speed $speed --clock-anchor "$anchor" --time-limit "$2"
    kill $web
    wait $web 2>/dev/null
    expect 0 forage export --what changes
    cp "$scratch/out" changes.jsonl
    forage export --what values >values.jsonl
    forage export --what visits >visits.jsonl
    cd ..
}

# freshness FOLDER SECONDS: clicks and offers, from the truth and what was stored.
cat >freshness.py <<'P'
import collections, datetime, json, sys
folder, seconds, speed = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
def when(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
truth, copies, clicks = collections.defaultdict(list), collections.defaultdict(list), {}
for row in map(json.loads, open(folder + "/truth.jsonl")):
    value = "%.2f EUR %s" % (row["price"], "InStock" if row["in_stock"] else "OutOfStock")
    truth[row["url"]].append((when(row["since"]), value))
    clicks[row["url"]] = row["clicks_per_day"]
read, held = {}, {}
for row in map(json.loads, open(folder + "/visits.jsonl")):
    if row["status"] == 200:
        read[row["url"]] = min(when(row["time"]), read.get(row["url"], float("inf")))
for row in map(json.loads, open(folder + "/values.jsonl")):
    held[row["url"]] = row["value"]
for row in map(json.loads, open(folder + "/changes.jsonl")):
    if row["url"] not in copies:
        held[row["url"]] = row["before"]
    copies[row["url"]].append((when(row["time"]), row["after"]))
for url, value in held.items(): # the first reading is no change
    copies[url].append((read[url], value))
first = min(time for rows in copies.values() for time, _ in rows)
start, end = first + seconds * speed / 5, first + seconds * speed * .95
def at(rows, time):
    held = [value for since, value in rows if since <= time]
    return held[-1] if held else None
fresh = {}
for url, rows in truth.items():
    mine = sorted(copies[url])
    steps = sorted({start, end} | {t for t, _ in rows + mine if start < t < end})
    fresh[url] = sum(b - a for a, b in zip(steps, steps[1:]) if at(rows, a) == at(mine, a)) / (end - start)
print("%.4f %.4f" % (sum(clicks[u] * fresh[u] for u in fresh) / sum(clicks.values()),
                     sum(fresh.values()) / len(fresh)))
P

seconds=$((72000 / speed)) policies=uniform
[ "$long" = 1 ] && seconds=$((324000 / speed)) policies="uniform kab5 lomax"
for policy in $policies; do
    shop_crawl $policy ${seconds}s
    python3 freshness.py $policy $seconds $speed >$policy.txt || flunk "no account of $policy"
    echo "$policy: $(cat $policy.txt)"
    awk '!($1 > .1 && $1 < 1 && $2 > .1 && $2 < 1) { exit 1 }' $policy.txt || flunk "$policy: $(cat $policy.txt)"
done
if [ "$long" = 1 ]; then
    for policy in uniform kab5; do
        cat lomax.txt $policy.txt | tr '\n' ' ' |
            awk '!($1 > $3 + .03 && $2 > $4) { exit 1 }' ||
            flunk "lomax $(cat lomax.txt), $policy $(cat $policy.txt)"
    done
    expect 0 forage predict stats --workspace lomax --json
    json
    value "d['documents'], d['click']['both']['is_trained'], d['click']['both']['auc'] > .7" "(200, True, True)"
fi
done_testing_or shop.sh 3600
