# What an archive saw of pages is what the policies start from.
. tests/cli/common
command -v python3 >/dev/null || { echo "no python3"; exit 77; }

# Pages that change as Poisson processes of known rates, seen by an archive at times of its
# own; and what the likeliest rates are, found by search rather than by formula.
cat >"$scratch/make.py" <<'P'
import datetime, json, math, random
random.seed(20261116)
start = datetime.datetime(2026, 3, 1, datetime.datetime.now(datetime.timezone.utc).hour, 30, 0)
lines, truth = [], {}
for page, rate in enumerate([0.05, 0.3, 1.5]):
    url, version, at, gaps, hours = f"http://127.0.0.1:9/p{page}", 0, start, [], {}
    for i in range(60):
        days = 1
        if i:
            at += datetime.timedelta(days=days)
            changed = random.random() < 1 - math.exp(-rate * days)
            version += changed
            gaps.append((days, changed))
        key = f"9,127)/p{page}"
        lines.append(f'{key} {at:%Y%m%d%H%M%S} ' + json.dumps(
            {"url": url, "mime": "text/html", "status": "200", "digest": f"P{page}V{version}"}))
    # half a visit that found a change and half a one that did not are added, as told in
    # src/policy/refresh/rates.h
    def likelihood(r):
        n = sum(c for _, c in gaps)
        return (n + 0.5) * math.log(-math.expm1(-r)) - (len(gaps) - n + 0.5) * r
    low, high = 1e-6, 50.0
    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (a, high) if likelihood(a) < likelihood(b) else (low, b)
    truth[url] = {"rate": low, "changes": sum(c for _, c in gaps)}
random.shuffle(lines)
open("history.cdxj", "w").write("\n".join(lines) + "\n")
json.dump(truth, open("truth.json", "w"))
P
python3 "$scratch/make.py" || flunk "no history"
changes=$(python3 -c "import json; print(sum(t['changes'] for t in json.load(open('truth.json')).values()))")

# Without a crawl there is nothing to tell, unless it is to be added.
expect 1 forage import captures history.cdxj
complains "no crawl"
[ ! -e forage.db ] || flunk "a store was made for nothing"
expect 0 forage import captures history.cdxj --add --json
value "d['captures'], d['new'], d['changes'], d['pages'], d['added'], d['first'][:10], d['last'][:10]" \
    "(180, 180, $changes, 3, 3, '2026-03-01', '2026-04-29')"
expect 0 forage import captures history.cdxj --json
value "d['captures'], d['new'], d['added']" "(180, 0, 0)"
gzip -k history.cdxj
expect 0 forage import captures history.cdxj.gz
says "180 captures of 3 pages, from 2026-03-01 to 2026-04-29"
says "0 were not known yet"

# The policies' estimates are the likeliest rates, at once and after a start.
check_rates() {
    for page in 0 1 2; do
        expect 0 forage why "http://127.0.0.1:9/p$page" --json --policy-refresh change --policy-params own=1
        python3 - "$scratch/out" "http://127.0.0.1:9/p$page" <<'P' || flunk "page $page: another rate"
import json, sys
d, t = json.load(open(sys.argv[1])), json.load(open("truth.json"))[sys.argv[2]]
assert d["policy"] == "change" and d["is_known_to_policy"], d
assert abs(d["believed_rate"] / t["rate"] - 1) < 1e-5, (d["believed_rate"], t)
assert d["rate_low"] < d["rate"] and (d["rate_high"] is None or d["rate"] < d["rate_high"]), d
assert d["observations"] == t["changes"] or d["observations"] == 59, d
P
    done
}
check_rates
expect 0 forage run --quiet --time-limit 1s --fetch-timeout 500ms --policy-refresh change --policy-params own=1 \
    --net-allow-private loopback
check_rates
expect 0 forage why http://127.0.0.1:9/p2 --json --policy-refresh lomax
value "d['observations'] > 0 and d['rate_low'] < 1.5 < d['rate_high'] * 2" True
expect 0 forage page http://127.0.0.1:9/p1
says "capture"
expect 0 forage export --what visits
python3 - "$scratch/out" <<'P' || flunk "the log has something else"
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert sum(r["purpose"] == "capture" for r in rows) == 180, rows[0]
P

# A later file goes on where the first one ended: the last state is known.
version=$(LC_ALL=C sort history.cdxj | sed -n 's/.*p0 .*"digest": "\(P0V[0-9]*\)".*/\1/p' | tail -n 1)
printf '%s\n' "k 20260430050000 {\"url\":\"http://127.0.0.1:9/p0\",\"status\":\"200\",\"digest\":\"$version\"}" \
    'k 20260430050000 {"url":"http://127.0.0.1:9/p1","status":"200","digest":"another"}' \
    'k 20260501050000 {"url":"http://127.0.0.1:9/p1","mime":"warc/revisit","digest":"another"}' \
    'k 20260502050000 {"url":"http://127.0.0.1:9/p1","status":"302","digest":"redirect"}' \
    'k 20260503050000 {"url":"http://127.0.0.1:9/elsewhere","status":"200","digest":"x"}' >later.cdxj
expect 0 forage import captures later.cdxj --json
value "d['captures'], d['new'], d['changes'], d['unknown'], d['passed_over']" "(3, 3, 1, 1, 1)"
expect 0 forage import captures later.cdxj
says "0 were not known yet"
says "http://127.0.0.1:9/elsewhere"

# thompson: new links a visit at an hour of day, which is the one it was when we began.
expect 0 forage add -w sources --source http://127.0.0.1:9/p1
expect 0 forage import captures -w sources history.cdxj --json
value "d['captures'], d['unknown'], d['unlearned']" "(60, 2, 0)"
expect 0 forage why -w sources http://127.0.0.1:9/p1 --json --policy-discovery thompson --policy-params alpha=1,beta=1
python3 - "$scratch/out" <<'P' || flunk "thompson believes something else"
import json, sys
d, t = json.load(open(sys.argv[1])), json.load(open("truth.json"))["http://127.0.0.1:9/p1"]
assert d["policy"] == "thompson" and d["is_known_to_policy"], d
if d["observations"] == 0:
    print("the hour has passed; nothing to compare")
else:
    assert d["observations"] == 60 and abs(d["rate"] - (1 + t["changes"]) / 61) < 1e-9, (d, t)
P

# Each wrong line is named, and nothing is taken.
cat >wrong.cdxj <<'END'
 CDX N b a m s k r M S V g
k 20260102030405 http://127.0.0.1:9/p0 text/html 200 D - - 1 2 f
k 20261302030405 http://127.0.0.1:9/p0 text/html 200 D - - 1 2 f
k 20260102030405 http://127.0.0.1:9/p0 text/html
k 99990102030405 http://127.0.0.1:9/p0 text/html 200 D - - 1 2 f
k 20260102030405 {"mime": "text/html"}
END
expect 1 forage import captures wrong.cdxj
complains "wrong.cdxj:3: '20261302030405' is not a time of 14 digits"
complains "wrong.cdxj:4: it has 4 fields, not 11"
complains "wrong.cdxj:5: the capture lies in the future"
complains 'wrong.cdxj:6: the object has no "url"'
complains "4 lines are wrong; nothing was imported"
expect 0 forage import captures history.cdxj --json
value "d['new']" 0
: >empty.cdxj
expect 1 forage import captures empty.cdxj
complains "it has no captures"

# The rules of the crawl hold for what is added.
expect 0 forage import captures -w ruled history.cdxj --add --json --crawl-exclude '*/p1'
value "d['pages'], d['added'], d['unknown'], d['out_of_scope']" "(2, 2, 1, 1)"
done_testing
