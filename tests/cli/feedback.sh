# What people did with results: tokens of 'forage search --json' come back once, forged and
# repeated ones do not count, and what was chosen rises.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
fast="--fetch-delay 0s --crawl-tick 1s --crawl-budget 0 --net-allow-private loopback --quiet --crawl-site-budget 0 --crawl-at-least 1ms"
mkdir www
# page TITLE SENTENCE...: an article, on standard output
page() {
    echo "<!DOCTYPE html><html lang=en><title>$1</title><article><h1>$1</h1>"
    shift
    for sentence in "$@"; do echo "<p>$sentence"; done
    echo "</article>"
}
page "Ash" "An ash is the tree behind our school, and children climb it every summer." \
    "Its wood went into oars, hammers and the frames of early aeroplanes." \
    "A fungus from the east has killed most of them since the nineties." >www/ash
page "Birch" "In the north this white tree follows every fire within two years." \
    "People drink the sap in March, bottle what is left and sell it at markets." \
    "Letters on its bark were found at Novgorod, some by a boy named Onfim." >www/birch
page "Cedar" "King Solomon had the great tree of Lebanon cut for his temple." \
    "Moths stay away from chests made of it, or so grandmothers believe." \
    "A few hundred old ones stand above the valley of Qadisha under snow." >www/cedar
page "Oak" "Acorns fed pigs from the Bronze Age on, and pigs fed whole villages through the winter." \
    "Jays bury thousands of acorns each autumn and forget enough of them to plant a wood." \
    "Ships of the line needed curved timber, so landowners bent young branches for their grandsons." \
    "Barrels made of this tree give wine its vanilla; others would leak or taste of resin." >www/oak
python3 "$root/tests/cli/small_site.py" >/dev/null 2>&1 &
server=$!
trap 'kill $server; rm -rf "$scratch"' EXIT
within 20 test -e ready
origin=$(cat origins)
expect 0 forage add -w ws --document "$origin/ash" "$origin/birch" "$origin/cedar" "$origin/oak"
# shellcheck disable=SC2086
expect 0 forage run -w ws $fast --once

# results EXPRESSION: of what was found last, in Python
results() { python3 -c "import json; r = json.load(open('found.json'))['results']; print($1)"; }
found() { expect 0 forage search -w ws tree --json "$@" && cp "$scratch/out" found.json; }
# events KIND PLACE: a line of a log of what became of a result
events() { results "json.dumps({'event': '$1', 'token': r[$2]['token']})"; }

found
[ "$(results 'len(r)')" = 4 ] || flunk "found $(results 'len(r)') pages of 4"
[ "$(results 'any(x["promoted"] for x in r)')" = False ] || flunk "promoted without feedback"
chosen=$(results 'r[2]["url"]')
events view 2 >log && events click 2 >>log && events view 0 >>log
expect 0 forage import feedback log -w ws
says "3 taken, 0 told again, 0 forged, 0 too late"
expect 0 forage import feedback log -w ws
says "0 taken, 3 told again"
for i in $(seq 6); do
    found --search-degree 0
    results "'\n'.join(json.dumps({'event': e, 'token': x['token']}) for x in r if x['title'] != 'Oak' for e in
        (['view', 'click'] if x['url'] == '$chosen' else ['view']))" >more
    expect 0 forage import feedback more -w ws
    says "4 taken"
done
found --search-degree 0
[ "$(results 'r[0]["url"]')" = "$chosen" ] || flunk "what was chosen does not come first"

# what nobody has seen is promoted now and then, and says so
for i in $(seq 20); do
    expect 0 forage search -w ws tree --search-degree 1 --search-start 1
    grep -q "promoted: few have seen this page yet" "$scratch/out" && break
done
says "promoted: few have seen this page yet"

# forged, and of no form at all
sed 's/"token": "../"token": "ZZ/' log >forged
expect 0 forage import feedback forged -w ws
says "0 taken, 0 told again, 3 forged"
echo '{"event": "smile", "token": "x"}' >wrong
expect 1 forage import feedback wrong -w ws
complains "an event is 'view' or 'click'"
complains "1 line is wrong; nothing was imported"

# without ranking there are no tokens, and the order is that of the words alone
found --search-ranking off
[ "$(results 'r[0]["token"]')" = None ] || flunk "a token that leads nowhere"
expect 4 forage search -w ws tree --search-ranking nonsense
complains "selective"

# Over the server likewise.
forage serve -w ws --listen 127.0.0.1:0 2>serve.err &
serve=$!
trap 'kill $server $serve 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 grep -q '^dashboard: ' serve.err
address=$(sed -n 's/^dashboard: \([^ ]*\).*/\1/p' serve.err)
api() { python3 "$root/tests/cli/api.py" "$address" "$@"; }
expect 0 api GET 'search?q=tree'
cp "$scratch/out" found.json
expect 0 api POST feedback "$(results 'json.dumps({"seen": [x["token"] for x in r], "chosen": r[1]["token"]})')"
value "(d['taken'], d['again'], d['forged'], d['late'])" "(5, 0, 0, 0)"
expect 0 api POST feedback "$(results 'json.dumps({"chosen": r[1]["token"]})')"
value "(d['taken'], d['again'])" "(0, 1)"
# A link by way of the server counts, and leads to the page; a forged one leads nowhere.
go() { python3 - "$address" "$@" <<'END'
import http.client, sys, urllib.parse
connection = http.client.HTTPConnection(urllib.parse.urlsplit(sys.argv[1]).netloc, timeout=20)
connection.request('GET', '/go?' + sys.argv[2])
answer = connection.getresponse()
print(answer.status, answer.getheader('Location'))
END
}
expect 0 go "result=$(results 'r[3]["token"]')"
says "303 $(results 'r[3]["url"]')"
expect 0 api POST feedback "$(results 'json.dumps({"chosen": r[3]["token"]})')"
value "(d['taken'], d['again'])" "(0, 1)"
expect 0 go "result=$(results '"Z" + r[3]["token"][1:]')"
says "404 None"
# While the store takes no writes, a link leads there all the same.
python3 -c '
import sqlite3, time
store = sqlite3.connect("ws/forage.db", isolation_level=None)
store.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(60)' >held &
holder=$!
within 20 grep -q held held
expect 0 go "result=$(results 'r[2]["token"]')"
says "303 $(results 'r[2]["url"]')"
kill "$holder"
expect 0 go ""
says "400 None"
# Every search is a view of its own, so its tokens are; but one client is heard three times a day
# about a page, whatever it asks for.
for i in 1 2 3 4; do
    expect 0 api GET 'search?q=tree&limit=100'
    cp "$scratch/out" found.json
    expect 0 api POST feedback "$(results 'json.dumps({"chosen": [x for x in r if x["title"] == "Oak"][0]["token"]})')"
    tr -d '\n' <"$scratch/out" >>answers
done
[ "$(grep -o '"too_many":1' answers | wc -l)" -ge 1 ] || flunk "four choices of one client count: $(cat answers)"
grep -q '"again":1' answers && flunk "two searches share a view"
expect 0 api POST feedback '{"chosen": "made-up"}'
value "d['forged']" 1
expect 1 api POST feedback '{}'
says "neither 'seen' nor 'chosen'"
done_testing
