# Rules a person can hold: what of pages does not count as a change, and what a site may
# cost; while a crawl runs and before it starts.
. tests/cli/common
# Documents are looked at again within seconds here.
export FORAGE_CRAWL_LEAST_DELAY=0
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
python3 "$root/tests/cli/rules_server.py" >"$scratch/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
within 30 test -s urls
a=$(sed -n 1p urls) b=$(sed -n 2p urls)
crawl="--quiet --net-allow-private loopback --crawl-budget 0 --fetch-delay 1ms --crawl-tick 1s"

# 1. Noise: what is left out of a page is no change, nor is a change that is too small.
for page in clock line small large; do
    expect 0 forage add -w noise --document "$a/$page"
done
looked() { # each document three times
    forage export -w now | python3 -c "
import json, sys
sys.exit(min([r['visits'] for r in map(json.loads, sys.stdin)], default=0) < 3)"
}
docs() { # FLAGS: watch the documents for some ticks, print "page changes" for each
    rm -rf now && cp -r noise now
    forage run -w now $crawl --policy-refresh round-robin --documents-value text \
        --clock-speed 5 "$@" >events 2>"$scratch/err" &
    sleep 2
    stop_when $! 60 looked >&2
    forage export -w now | python3 -c "
import json, sys
for r in map(json.loads, sys.stdin):
    assert r['visits'] >= 3, r
    print(r['url'].rsplit('/', 1)[1], 'changes' if r['changes'] > 0 else 'still')" | sort | tr '\n' ' '
}
got=$(docs)
[ "$got" = "clock changes large changes line changes small changes " ] || flunk "without rules: $got"
got=$(docs --documents-ignore '.clock,text:seen by *' --documents-least-change 0.1)
[ "$got" = "clock still large changes line still small still " ] || flunk "with rules for all: $got"
expect 0 forage site "$a" -w noise --ignore .clock --least-change 0.1
sleep 1 # what is read in the same second counts as read by the old rules
got=$(docs)
case $got in "clock still large changes line "*"small still ") ;; *) flunk "with rules of the site: $got" ;; esac

# 2. While a crawl runs it takes the rules up.
expect 0 forage add -w live --document "$a/clock"
forage run -w live $crawl --policy-refresh round-robin --time-limit 30s >events 2>"$scratch/run.err" &
run=$!
within 30 forage page "$a/clock" -w live
expect 0 forage site "$a" -w live --budget 7 --tag now
says "given to the crawl"
taken() { sqlite3 live/forage.db "SELECT settings FROM sites" 2>/dev/null | grep -q '"budget":7' || forage site "$a" -w live --json | grep -q '"budget":7'; }
within 30 taken
kill -TERM "$run"
wait "$run"
expect 0 forage site "$a" -w live --json
value "d['budget'], d['tags']" "(7, 'now')"
kill "$server"

# 3. A budget of one site, in simulated hours: 3600 of its seconds in one of ours.
anchor=$(date -u +%Y-%m-%dT%H:%M:%SZ)
forage simulate --for 60s --sites 2 --speed 3600 --anchor "$anchor" >sites 2>"$scratch/err" &
server=$!
within 30 test -s sites
first=$(sed -n 1p sites) second=$(sed -n 2p sites)
expect 0 forage add -w budget --budget 12 "$first"
expect 0 forage add -w budget "$second"
forage run -w budget --quiet --net-allow-private loopback --crawl-budget 0 --fetch-delay 30s \
    --crawl-tick 30m --clock-speed 3600 --clock-anchor "$anchor" --time-limit 4s >events 2>"$scratch/err"
asked() { forage ledger "$1" -w budget --json | python3 -c "import json,sys; print(sum(r['what'] != 'robots' for r in json.load(sys.stdin)['ledger']))"; }
few=$(asked "$first") many=$(asked "$second")
# Four hours and a little, and what a late tick brings.
[ "$few" -le 84 ] || flunk "a budget of 12 an hour, and $few requests"
[ "$few" -ge 16 ] || flunk "a budget of 12 an hour, and only $few requests"
[ "$many" -gt "$few" ] || flunk "the other site got $many requests, this one $few"
done_testing
