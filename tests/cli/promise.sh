# The longest time between two visits is kept for a page, a site or all, with a budget that
# would not do it by itself; and why tells of it.
. tests/cli/common
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
mkdir www www/d
python3 "$root/tests/cli/small_site.py" >"$scratch/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 test -e ready
a=$(sed -n 1p origins)
for i in $(seq 40); do
    printf '<title>%s</title><p>text %s' "$i" "$i" >"www/d/$i"
    printf '%s/d/%s\ttype=document\n' "$a" "$i"
done >seeds
# An hour is three seconds. In the first two all are read once.
speed=${1:-1200}
anchor=$(date -u +%Y-%m-%dT%H:%M:%SZ)
crawl="--quiet --net-allow-private loopback --fetch-delay 0 --clock-speed $speed --clock-anchor $anchor \
    --crawl-budget 20"
# gaps WORKSPACE URL: the number of its visits, and whether none came later than an hour.
gaps() {
    forage page "$2" -w "$1" --json | python3 -c "import datetime, json, sys
times = [datetime.datetime.fromisoformat(v['time'].replace('Z', '+00:00')) for v in json.load(sys.stdin)['visit_log']]
gaps = [(b - a).total_seconds() for a, b in zip(times, times[1:])]
print(len(times) >= 3, max(gaps, default=0) <= 3600)"
}
visits() { forage page "$1" -w ws --json | sed 's/.*"visits":\([0-9]*\),.*/\1/'; }

expect 0 forage add -w ws seeds
expect 0 forage add -w ws --document --at-least 1h "$a/d/7"
forage run -w ws $crawl --time-limit $((10800 / speed))s >/dev/null 2>"$scratch/err"
[ "$(gaps ws "$a/d/7")" = "True True" ] || flunk "the promise of a page: $(gaps ws "$a/d/7")"
[ "$(visits "$a/d/9")" -lt "$(visits "$a/d/7")" ] || flunk "others are looked at as often"
expect 0 forage why "$a/d/7" -w ws
says "a visit at least every 1h was promised for this page"
expect 0 forage why "$a/d/8" -w ws --json
value "d.get('promise_s')" None

# A span of seconds holds from the first visit on, also of what was added before the start.
expect 0 forage add -w soon --document --at-least 3s "$a/d/1"
forage run -w soon --quiet --no-server --net-allow-private loopback --fetch-delay 0 >/dev/null 2>"$scratch/err" &
thrice() { [ "$(forage page "$a/d/1" -w soon --json | sed 's/.*"visits":\([0-9]*\),.*/\1/')" -ge 3 ]; }
stop_when $! 25 thrice

# Of a site and of all: what is shown, forgotten, and handed over.
expect 0 forage site "$a" -w ws --at-least 2h --json
value "d['at_least_s'], d['changed']" "(7200, True)"
expect 0 forage why "$a/d/8" -w ws --json
value "d['promise_s']" 7200
expect 0 forage why "$a/d/7" -w ws --json
value "d['promise_s']" 3600
expect 0 forage site "$a" -w ws --reset at-least
expect 0 forage why "$a/d/8" -w ws --crawl-at-least 3h
says "a visit at least every 3h by crawl.at-least"
printf '%s/d/3\ttype=document\tat-least=1h\n%s/d/4\tat-least=soon\n%s/d/5\ttype=page\tat-least=1h\n' \
    "$a" "$a" "$a" >more
expect 4 forage add -w ws more
complains "more:2: at-least is 'soon'; it must be a span such as 1h"
complains "more:3: a page is fetched once and has no at-least"
expect 4 forage add -w ws --page --at-least 1h "$a/d/5"

# While it runs; and the promise of a site, after a kill.
forage run -w ws $crawl --time-limit 60s >/dev/null 2>"$scratch/err" &
run=$!
within 20 sh -c 'forage status -w ws --json | grep -q "\"is_running\":true"'
expect 0 forage site "$a" -w ws --at-least 1h
within 20 sh -c "forage site $a -w ws --json | grep -q '\"at_least_s\":3600'"
kill -9 "$run"
wait "$run" 2>/dev/null
before=$(visits "$a/d/31")
forage run -w ws $crawl --crawl-budget 0 --time-limit $((8400 / speed))s >/dev/null 2>"$scratch/err"
[ "$(visits "$a/d/31")" -ge $((before + 2)) ] || flunk "the promise of a site is not kept"
done_testing_or promise.sh 300
