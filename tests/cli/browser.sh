# The dashboard in a browser, after a crawl of the demo web: every view, light and dark, wide and
# on a phone; numbers held against the API; adding with a preview, undoing, searching; then beside
# a crawl: figures that move, noise that is ignored by a click, pausing; then a workspace with nothing
# in it, behind a token and by the keyboard. No error in the console,
# no request beyond this machine, nothing serious for axe. Screenshots go to build/screenshots; docs/now.png
# is one of them, of a crawl that runs.
# And the description of the API, which a validator of others accepts. Only with ./test --browser:
# it needs chromium, and three packages of npm.
[ -n "${FORAGE_BROWSER:-}" ] || { echo "only with ./test --browser"; exit 77; }
. tests/cli/common
for tool in chromium node npm; do
    command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
modules=$root/build/browser
packages="playwright-core axe-core @seriousme/openapi-schema-validator"
for package in $packages; do
    [ -d "$modules/node_modules/$package" ] && continue
    mkdir -p "$modules"
    # shellcheck disable=SC2086
    (cd "$modules" && npm install --no-audit --no-fund --silent $packages) >/dev/null 2>&1 ||
        { echo "$packages cannot be installed"; exit 77; }
done
shots=$root/build/screenshots
mkdir -p "$shots"
# A crawl of the demo web, until there is something to show in every view; it is looked at when
# it is over, so that nothing moves. And a site to add.
forage demo --for 300s --speed 1500 --refresh kab5 --keep --listen 127.0.0.1:0 >demo.out 2>demo.err &
demo=$!
cat >enough.py <<'END'
import json, sys, urllib.parse, urllib.request

def api(path):
    with urllib.request.urlopen(sys.argv[1].rstrip("/") + "/api/v1/" + path, timeout=20) as answer:
        return json.load(answer)

learning, changed = api("learning"), api("new?kind=changed&since=365d&limit=200")["items"]
arms = {row["time"] for row in learning["arms"]}
heat = [api("rhythm?site=" + urllib.parse.quote(site["site"], "")) for site in api("sites")["items"]]
assert learning["looks"] >= 300 and learning["visits"] >= 100, "looks and visits"
assert sum(step["fetches"] > 0 for step in api("timeline")["steps"]) >= 42, "two days"
assert len(arms) >= 6, "arms over time"
assert any(event.get("diff") for event in changed), "a change"
assert any(len(site["sources"]) >= 5 and site["found"] for site in heat), "sources that were looked at twice"
assert any(api("site?site=" + urllib.parse.quote(site["site"], ""))["signals"] for site in heat), "dates of feeds that were checked"
END
within 60 grep -q '^dashboard: ' demo.err
address=$(sed -n 's/^dashboard: //p' demo.err)
within 240 python3 enough.py "$address"
cp "$root"/tests/cli/browser*.mjs "$modules/"
expect 0 timeout 60 node "$modules/browser_now.mjs" "$address" "$shots/now.png"
kill -TERM "$demo"
wait "$demo"
code=$?
[ "$code" -eq 11 ] || flunk "the demo ends with $code: $(tail -n 3 demo.err)"
kept=$(sed -n 's/^kept: //p' demo.err)
mkdir www && echo '<title>A small site</title><a href=/a>first</a> <a href=/b>second</a>' >www/index
echo 'User-agent: *' >www/robots.txt
python3 "$root/tests/cli/small_site.py" 127.0.0.1 &
site=$!
within 10 test -e ready
# A page whose title would be a script, and the sites as the store has them.
python3 - "$kept/learning/forage.db" >store.json <<'END'
import json, sqlite3, sys

db = sqlite3.connect(sys.argv[1])
url, = db.execute("SELECT url FROM pages WHERE title != '' AND visits = 1 ORDER BY site, page DESC").fetchone()
title = "<script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">"
db.execute("UPDATE pages SET title = ? WHERE url = ?", (title, url))
db.commit()
rows = db.execute("SELECT site_key, count(*), sum(' ' || flags || ' ' LIKE '% source %') FROM pages_readable GROUP BY site_key")
sites = {site.split("//")[1]: {"pages": pages, "sources": sources} for site, pages, sources in rows}
print(json.dumps({"sites": sites, "url": url, "title": title}))
END
forage serve -w "$kept/learning" --listen 127.0.0.1:0 --net-allow-private loopback --ads-enabled 2>serve.err &
server=$!
within 30 grep -q '^dashboard: ' serve.err
expect 0 timeout 900 node "$modules/browser.mjs" "$(sed -n 's/^dashboard: //p' serve.err)" "$shots" "$(head -n 1 origins)/" store.json
kill -TERM "$server"
wait "$server" || flunk "the server ends with $?"
kill "$site"

# Beside a crawl, of a document that changes in one line at every visit.
python3 "$root/tests/cli/rules_server.py" >rules.log 2>&1 &
site=$!
within 30 test -s urls
line=$(sed -n 1p urls)/line
expect 0 forage add -w live --document "$line"
forage run -w live --net-allow-private loopback --crawl-budget 0 --fetch-delay 1ms --crawl-tick 1s --crawl-least-delay 0 \
    --policy-refresh round-robin --documents-value text --store-bodies --store-body-depth 5 --clock-speed 5 --listen 127.0.0.1:0 >events 2>live.err &
crawl=$!
within 30 grep -q '^dashboard: ' live.err
expect 0 timeout 400 node "$modules/browser_live.mjs" "$(sed -n 's/^dashboard: //p' live.err)" "$shots" "$line" "$crawl"
kill -TERM "$crawl" 2>/dev/null
wait "$crawl"
[ $? -eq 11 ] || flunk "the crawl does not end as it should: $(tail -n 3 live.err)"
kill "$site"
rm -rf "$kept"

# Nothing in it yet, and closed to strangers.
expect 0 forage next -w empty
expect 0 forage serve -w empty --new-token
cp "$scratch/out" token
forage serve -w empty --server-need-token --listen 127.0.0.1:0 2>empty.err &
server=$!
within 30 grep -q '^dashboard: ' empty.err
expect 0 timeout 200 node "$modules/browser_empty.mjs" "$(sed -n 's/^dashboard: \([^ ]*\).*/\1/p' empty.err)" "$shots" "$(cat token)"
kill -TERM "$server"
wait "$server" || flunk "the server behind a token ends with $?"
done_testing
