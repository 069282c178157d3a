# Versions of a page that are kept, and what is different between any two of them.
. tests/cli/common
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
workspace ws
expect 1 forage versions -w ws https://news.example/
complains "no version of this page is kept"
expect 1 forage versions -w ws https://news.example/2026/a.html
complains "there is no older version of this page: 1 kept"
expect 1 forage versions -w ws https://news.example/unheard-of
complains "is not known"

# A document is read three times, and is another one each time.
mkdir www && echo 'User-agent: *' >www/robots.txt
write() { echo "<title>The law</title><p>Section one: a licence costs $1 crowns a year, and is granted by $2.</p>" >www/law; }
write ten 'the mayor'
python3 "$root/tests/cli/small_site.py" 127.0.0.1 &
site=$!
within 10 test -e ready
url=$(head -n 1 origins)/law
kept() { forage page -w crawl "$url" --json | python3 -c "import json, sys; sys.exit(len(json.load(sys.stdin)['bodies']) < $1)"; }
expect 0 forage add -w crawl --document "$url"
forage run -w crawl --net-allow-private loopback --fetch-delay 0 --store-bodies --store-body-depth 5 --no-server --clock-speed 5000 \
    >events 2>crawl.err &
crawler=$!
within 30 kept 1
write twelve 'the mayor'
within 30 kept 2
write twelve 'the council'
stop_when "$crawler" 30 kept 3
kill "$site"
expect 0 forage versions -w crawl "$url" --json
json
value "len(d['versions']), d['diff'].strip(), d['from'] < d['to']" \
    "(3, '... is granted by the [-mayor.-] {+council.+}', True)"
oldest=$(python3 -c "import json, sys; print(json.load(sys.stdin)['versions'][-1]['time'])" <"$scratch/out")
newest=$(python3 -c "import json, sys; print(json.load(sys.stdin)['versions'][0]['time'])" <"$scratch/out")
expect 0 forage versions -w crawl "$url" --from "$oldest"
says "{+twelve+}"
says "{+council.+}"
expect 0 forage versions -w crawl "$url" --from "$newest" --json
value "d['diff']" ""
expect 4 forage versions -w crawl "$url" --from "$newest" --to "$oldest"
complains "--from is later than --to"
expect 1 forage versions -w crawl "$url" --from 2001-01-01
complains "there is no older version"
expect 4 forage versions -w crawl "$url" --from yesterday-ish
complains "neither a span such as 1h"
done_testing
