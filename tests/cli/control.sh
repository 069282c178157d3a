# What was added can be taken back: sites and pages are removed, paused and resumed, with a
# crawl running and without.
. tests/cli/common
export FORAGE_CRAWL_LEAST_DELAY=0 FORAGE_CRAWL_SITE_BUDGET=0 FORAGE_CRAWL_BACKFILL=yes
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
mkdir www www/list www/doc
python3 "$root/tests/cli/small_site.py" 127.0.0.1 127.0.0.1 >"$scratch/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
within 30 test -e ready
a=$(sed -n 1p origins) b=$(sed -n 2p origins)
crawl="--quiet --net-allow-private loopback --crawl-budget 0 --fetch-delay 1ms --crawl-tick 1s"
page() { printf '<title>%s</title><p>%s' "$1" "$2" >"www/$1"; }
list() { # path numbers: a page that links to /p1 ...
    out=
    for i in $2; do
        out="$out<p><a href=/p$i>the page number $i</a>"
        page "p$i" "words of page $i"
    done
    printf '<title>list</title>%s' "$out" >"www/$1"
}
list index "1 2 3 4 5 6 7 8"
list list/x "11 12 13 14 15 16 17 18"
page doc/42 "one law"
more() { [ "$(asked "$1")" -gt "$2" ]; } # URL N: it was asked for more often than that
asked() { grep -c "^${1#http://}" requests; }
state() { forage status --json --all "$@" | python3 -c "import json,sys
print(' '.join('%s=%s' % (s['site'][-3:], s['state']) for s in json.load(sys.stdin)['sites']))"; }

# --- names ---
expect 1 forage pause "$a" -w ws
complains "there is no crawl in 'ws' yet"
expect 0 forage add -w ws "$a/"
expect 0 forage add -w ws --source "$a/list/x"
expect 0 forage add -w ws --document "$b/doc/42"
expect 1 forage pause news.example -w ws
complains "no site 'news.example' is watched in 'ws'; 'forage status' lists the sites"
expect 1 forage pause 127.0.0.2:"${a##*:}" -w ws
complains "did you mean 127.0.0.1:${a##*:}"
expect 1 forage remove "$a/list/y" -w ws
complains "no page '$a/list/y' is known on $a; did you mean $a/list/x"
expect 4 forage pause --site --page "$a/" -w ws
# One slip, and nothing is changed.
expect 1 forage pause "$a" nobody.example -w ws
case $(state -w ws) in *paused*) flunk "half a pause: $(state -w ws)" ;; esac

# --- paused, without a crawl ---
forage run -w ws $crawl >/dev/null 2>&1 &
sleep 3
stop_when $! 30 more "$a" 10
before=$(asked "$a")
expect 0 forage pause "$a" -w ws
says "site paused"
expect 0 forage pause "$a" -w ws
says "is paused already"
expect 0 forage status -w ws
says " paused "
expect 0 forage why "$a/list/x" -w ws
says "its site is paused until 'forage resume'"
expect 0 forage explain "$a/p1" -w ws --json
value "d['crawled'], d['verdict']" "(False, 'paused')"
list index "1 2 3 4 5 6 7 8 9"
forage run -w ws $crawl --time-limit 2s --events >"$scratch/events" 2>/dev/null
[ "$(asked "$a")" -eq "$before" ] || flunk "a paused site was asked: $(tail -n 3 requests)"
expect 0 forage site "$a" -w ws --tag later --json
value "d['state']" paused
# What appeared meanwhile is new at the first look after it.
expect 0 forage resume "$a" -w ws --json
value "d['targets'][0]['changed'], d['targets'][0]['page'], d['handed_over']" "(True, None, False)"
forage run -w ws $crawl --events >"$scratch/events" 2>/dev/null &
sleep 2
stop_when $! 30 grep -qF "\"url\":\"$a/p9\"" "$scratch/events"
grep -qF "\"url\":\"$a/p1\"" "$scratch/events" && flunk "an old page is reported"

# --- paused, removed and resumed while a crawl runs ---
forage run -w ws $crawl --time-limit 90s --events --log-level info >"$scratch/events" 2>"$scratch/run.err" &
run=$!
within 30 sh -c 'forage status -w ws --json | grep -q "\"is_running\":true"'
expect 0 forage pause "$a/list/x" -w ws --json
value "d['targets'][0]['page'], d['handed_over']" "('$a/list/x', True)"
within 30 sh -c "forage page $a/list/x -w ws --json | grep -q '\"paused\"'"
before=$(asked "$a/list/x") others=$(asked "$a")
sleep 2
within 30 more "$a" "$others"
[ "$(asked "$a/list/x")" -eq "$before" ] || flunk "a paused page was asked"
expect 0 forage pause "$a" -w ws
says "given to the crawl that is running"
within 30 sh -c 'forage status -w ws --json | grep -q "\"paused\""'
before=$(asked "$a")
sleep 2
[ "$(asked "$a")" -eq "$before" ] || flunk "a site paused under way was asked"
# What waits for the crawl counts: the second time it is not paused any more, however busy
# the crawl is. Nor does it matter that there was none to take it.
expect 0 forage resume "$a" "$a" -w ws
says "site resumed"
says "site is not paused"
expect 0 forage resume "$a" -w ws
says "is not paused"
expect 0 forage pause "$a" -w ws
says "site paused"
expect 0 forage pause "$a" -w ws
says "is paused already"
within 20 inbox_is_empty ws
before=$(asked "$a")
# A kill at once loses nothing.
kill -9 "$run"
wait "$run" 2>/dev/null
grep -q "msg=paused site=$a page=$a/list/x" "$scratch/run.err" || flunk "the log does not say what was paused"
grep -q "msg=resumed site=$a" "$scratch/run.err" || flunk "the log does not say what was resumed"
grep -q "taken back" "$scratch/run.err" && flunk "a pause is 'taken back'"
# Left behind by a crawl that did not take it: the order stays.
leave ws control "$(printf 'resume\t%s\t' "$a")"
expect 0 forage resume "$a" -w ws
says "is not paused"
expect 0 forage pause "$a" -w ws
says "left for the next crawl"
case $(state -w ws) in *=paused*) ;; *) flunk "the pause is lost: $(state -w ws)" ;; esac
forage run -w ws $crawl --time-limit 90s --events >"$scratch/events" 2>"$scratch/run.err" &
run=$!
within 30 sh -c 'forage status -w ws --json | grep -q "\"is_running\":true"'
sleep 2
[ "$(asked "$a")" -eq "$before" ] || flunk "asked after a restart"
expect 0 forage resume "$a" "$a/list/x" -w ws
within 30 more "$a/list/x" "$(asked "$a/list/x")"

expect 0 forage remove "$a/list/x" -w ws
says "page removed"
within 30 sh -c "forage page $a/list/x -w ws --json | grep -q '\"removed\"'"
before=$(asked "$a/list/x")
expect 0 forage page "$a/list/x" -w ws --json
value "[f for f in d['flags'] if f in ('seed', 'source', 'document')]" "[]"
# Added again it is what it was, at once, and read soon; also a document that was found.
expect 0 forage add -w ws "$a/list/x"
source() { forage page "$a/list/x" -w ws --json | python3 -c "import json,sys
f = json.load(sys.stdin)['flags']; sys.exit('source' not in f or '$1' in f)"; }
within 10 source removed
within 20 source read-soon
expect 0 forage add -w ws --document "$a/doc/42"
document() { forage page "$a/doc/42" -w ws --json | python3 -c "import json,sys
d = json.load(sys.stdin); sys.exit('document' not in d['flags'] or '$1' in d['flags'] or not d['visits'])"; }
within 20 document removed
visits=$(asked "$a/doc/42")
expect 0 forage remove "$a/doc/42" -w ws
within 10 sh -c "forage page $a/doc/42 -w ws --json | grep -q '\"removed\"'"
expect 0 forage add -w ws "$a/doc/42"
within 10 document removed
within 20 document read-soon
[ "$(asked "$a/doc/42")" -gt "$visits" ] || flunk "a document that was added again is not read"
expect 0 forage remove "$a/list/x" -w ws
within 10 sh -c "forage page $a/list/x -w ws --json | grep -q '\"removed\"'"
before=$(asked "$a/list/x")
# The only page that was added of a site stands for it.
expect 0 forage remove "$b/doc/42" -w ws
says "$b  site removed"
within 30 sh -c '! forage status -w ws --json | grep -q ":'"${b##*:}"'\""'
on_b=$(asked "$b")
sleep 2
[ "$(asked "$a/list/x")" -eq "$before" ] || flunk "a removed page was asked"
[ "$(asked "$b")" -eq "$on_b" ] || flunk "a removed site was asked"
# Added again it begins anew, under way: what was asked before does not count.
on_b=$(asked "$b/doc/42")
expect 0 forage add -w ws --document "$b/doc/42"
fresh() {
    forage page "$b/doc/42" -w ws --json >page.json && python3 -c "import json,sys
d = json.load(open('page.json')); sys.exit(not (0 < d['visits'] <= $(asked "$b/doc/42") - $on_b and 'document' in d['flags']))"
}
within 30 fresh
kill -TERM "$run"
wait "$run"
grep -q . "$scratch/run.err" && flunk "it complains: $(cat "$scratch/run.err")"

# --- removed, without a crawl ---
expect 0 forage new -w ws
says "$a/p9"
expect 0 forage feeds out -w ws
expect 0 forage remove "${a#http://}" -w ws --json
value "d['targets'][0]['site'], d['targets'][0]['page']" "('$a', None)"
expect 0 forage remove "$a" -w ws
says "was removed before"
expect 1 forage resume "$a" -w ws
complains "was removed; 'forage add' watches it again"
expect 0 forage status -w ws --json
value "[s['site'] for s in d['sites']]" "['$b']"
expect 0 forage new -w ws
lines 0
expect 0 forage new -w ws --site "$a"
says "$a/p9"
expect 0 forage feeds out -w ws
grep -q p9 out/all.rss && flunk "a removed site is in a feed"
[ -e "out/sites/http-127.0.0.1_${a##*:}.rss" ] && flunk "a removed site has a feed"
before=$(asked "$a")
forage run -w ws $crawl --time-limit 2s >/dev/null 2>&1
[ "$(asked "$a")" -eq "$before" ] || flunk "a removed site was asked"
expect 0 forage export -w ws
says "$a/p9"
# Its rows go when it begins anew; the requests made to its host are still accounted for.
expect 0 forage add -w ws "$a/"
says "1 address, 1 of them new, on 1 new site"
expect 0 forage status -w ws --json
value "[(s['state'], s['known'], s['tags']) for s in d['sites'] if s['site'] == '$a']" "[('exploring', 1, '')]"
expect 0 forage ledger "$a" -w ws --json
value "len(d['ledger']) > 20" True
forage run -w ws $crawl --events >"$scratch/events" 2>/dev/null &
sleep 2
is_watched() { case $(state -w ws) in *"${a#"${a%???}"}=watched"*) ;; *) return 1 ;; esac }
stop_when $! 60 is_watched
grep -qF "\"url\":\"$a/" "$scratch/events" && flunk "stock of a new watch is reported"
expect 0 forage status -w ws --json
value "[s['state'] for s in d['sites'] if s['site'] == '$a']" "['watched']"
done_testing
