# A seed that shows no links, refuses us or leads to a host that is down is told of, with a
# reason that says what it is, and asked for again, once each time. When it shows links, the
# alarm is over, and what it shows is not news.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
python3 "$root/tests/cli/barren_seeds_server.py" >/dev/null 2>&1 &
server=$!
trap 'kill $server; rm -rf "$scratch"' EXIT
within 20 test -s urls
url() { sed -n "s/^$1 //p" urls; }
fast="--net-allow-private loopback --clock-speed 600 --fetch-delay 1s"

all_told() { has 9 grep '"type":"alarm"' "$scratch/out"; }
# shellcheck disable=SC2086,SC2046
forage watch -w ws $fast $(cut -d' ' -f2 urls) >"$scratch/out" 2>"$scratch/err" &
last=watch
stop_when $! 60 all_told
complains "$(url pdf) shows no links to pages of the site: it is a file of type application/pdf; it is tried again"
cp "$scratch/out" events
# reason NAME REASON TEXT: the only event of that site
reason() {
    n=$(grep -c "\"site\":\"$(url "$1" | sed 's,/$,,')\"" events)
    [ "$n" -eq 1 ] || flunk "$n events of $1, not 1"
    grep "\"site\":\"$(url "$1" | sed 's,/$,,')\"" events | grep "\"reason\":\"$2\"" | grep -qF "$3" ||
        flunk "$1 is no alarm because of $2, $3: $(grep "$(url "$1")" events)"
}
reason works no-links "$(url works) shows no links to pages of the site"
reason empty no-links "it is empty"
reason pdf no-links "it is a file of type application/pdf"
reason text no-links "it is a file of type text/plain"
reason forbidden refused "answers 403"
reason secret login "asks for a login"
reason moved redirect "leads to a host that cannot be reached: http://127.0.0.1:9/ ("
reason loop redirect-loop "redirects, and never to a page: $(url loop)xxxxx"
reason busy rate-limited "answers 429"
expect 0 forage why -w ws "$(url moved)"
grep -q held "$scratch/out" && flunk "'held' is no reason for people"

# One request each time, ten minutes apart at least, in the time of the crawl.
for name in forbidden secret moved works; do
    host=$(url $name | sed 's,/$,,')
    expect 0 forage ledger -w ws "$host" --csv
    python3 - "$scratch/out" <<'END' || flunk "$name is asked too often"
import csv, datetime, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r['what'] != 'robots' and r['url'].count('/') == 3 and r['url'].endswith('/')]
times = sorted(datetime.datetime.fromisoformat(r['time'].replace('Z', '+00:00')) for r in rows)
gaps = [(b - a).total_seconds() for a, b in zip(times, times[1:])]
assert times and all(g >= 590 for g in gaps), gaps
END
done

touch open
# A page is no feed, though it was added as one.
has_no_feed() { grep -q '"reason":"no-feed"' "$scratch/out"; }
# shellcheck disable=SC2086
forage watch -w feed --feed $fast "$(url works)" >"$scratch/out" 2>"$scratch/err" &
last="watch --feed"
stop_when $! 60 has_no_feed
grep -q "is a page, not a feed" "$scratch/err" || flunk "nobody is told that a page is no feed"
is_over() { grep -q '"type":"alarm-cleared".*"reason":"no-links"' "$scratch/out" && grep -q "new pages are reported" "$scratch/err"; }
# shellcheck disable=SC2086
forage run -w ws $fast --clock-speed 3600 --events >"$scratch/out" 2>"$scratch/err" &
last=run
stop_when $! 60 is_over
grep -q '"type":"alarm"' "$scratch/out" && flunk "an alarm was raised again"
grep -q '"type":"discovery"' "$scratch/out" && flunk "what was there before is reported as new"
expect 0 forage why -w ws "$(url works)"
says "a source"
done_testing
