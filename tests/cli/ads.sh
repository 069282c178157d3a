# Advertisements: campaigns by hand and from a table, labelled in results, charged once,
# paused and revoked; off unless configured.
. tests/cli/common

workspace .
cp "$root/tests/data/cli/ads.csv" .
expect 0 forage ads import ads.csv
says "3 added, 0 changed"
says "not shown yet: set ads.enabled to yes"
expect 0 forage ads import ads.csv --json
value "(d['added'], d['changed'])" "(0, 3)"

# Off unless configured.
expect 0 forage search mushrooms --json
value "d['sponsored']" "[]"
printf 'ads:\n  enabled: yes\n  shown: 3\n' >>forage.yaml
expect 0 forage search 'dried mushrooms'
says "sponsored"
says "Dried porcini, 100 g"
expect 0 forage search 'dried mushrooms' --json
value "[(a['label'], a['title']) for a in d['sponsored']]" "[('sponsored', 'Dried porcini, 100 g')]"
value "all('label' not in r for r in d['results'])" True
token=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["sponsored"][0]["token"])' "$scratch/out")
expect 0 forage search 'wild MUSHROOM with truffles' --json
value "sorted(a['title'] for a in d['sponsored'])" "['Forest Shop', 'White truffles']"
expect 0 forage search nothing --json
value "d['sponsored']" "[]"

# A click is charged once; what we did not sign is not.
expect 0 forage ads click "$token" 192.0.2.1
says "charged 0.40 https://shop.example/dried"
expect 0 forage ads click "$token" 192.0.2.1 --json
value "(d['outcome'], d['charged'], d['url'])" "('repeated', 0, 'https://shop.example/dried')"
expect 0 forage ads click "${token%??}00" --json
value "(d['outcome'], d['url'])" "('forged', None)"
for query in 1 2 3; do
    forage search mushrooms --json >"$scratch/out"
    token=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["sponsored"][0]["token"])' "$scratch/out")
    expect 0 forage ads click "$token" 192.0.2.1
    if [ "$query" -lt 3 ]; then says charged; else says too-many; fi
done
FORAGE_ADS_CLICK_WINDOW=1s forage search mushrooms --json >"$scratch/out"
token=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["sponsored"][0]["token"])' "$scratch/out")
sleep 1.1
expect 0 forage ads click "$token"
says "late 0.00"

# What each advertiser got.
expect 0 forage ads stats --json
value "[(r['shown'], r['clicked'], r['charged'], r['spent'], r['budget']) for r in d if r['advertiser'] == 'Forest Shop']" \
    "[(7, 3, 3, 0.7, 5)]"
expect 0 forage ads stats
says "Truffle House"
expect 0 forage ads list --json
value "[(a['phrase'], a['match'], a['bid'], a['state'], a['spent']) for a in d][0]" \
    "('dried mushrooms', 'exact', 0.4, 'active', 0.4)"

# Paused, resumed, revoked.
expect 0 forage ads pause 'Forest Shop'
expect 0 forage search mushrooms --json
value "d['sponsored']" "[]"
expect 0 forage ads import ads.csv # what is sent again every night stays paused
expect 0 forage search mushrooms --json
value "d['sponsored']" "[]"
expect 0 forage ads resume 'Forest Shop'
expect 0 forage search --json -- 'risotto -mushrooms'
value "d['sponsored']" "[]"
expect 0 forage ads revoke 1
expect 0 forage search 'dried mushrooms' --json
value "[a['title'] for a in d['sponsored']]" "['Forest Shop']"
expect 0 forage ads list
says "revoked"
expect 1 forage ads pause nobody
complains "'nobody' is neither an advertiser nor the number of an ad"

# Mistakes are named, and change nothing.
expect 4 forage ads add Shop mushrooms https://a.example/
complains "no bid: say what a click is worth"
expect 4 forage ads add Shop mushrooms https://a.example/ --bid 4 --budget 2
complains "the bid is higher than the budget of a day"
expect 4 forage ads add Shop mushrooms ftp://a.example/ --bid 4
complains "it must be http or https"
expect 4 forage ads add Shop '!!' https://a.example/ --bid 4
complains "the phrase has no word in it"
expect 4 forage ads add Shop mushrooms https://a.example/ --bid 1,20
complains "is not a sum of money, such as 0.40"
printf 'advertiser,phrase,bid,url\nA,b,0.1,https://a.example/\nA,b,x,https://a.example/\n' >wrong.csv
expect 1 forage ads import wrong.csv
complains "wrong.csv:3: the bid is not a sum of money"
complains "1 row is wrong; nothing was imported"
printf 'advertiser,phrase,bid,url\nNew,b,0.1,https://a.example/\nNew,!!!,0.1,https://a.example/\n' >wrong.csv
expect 1 forage ads import wrong.csv
complains "wrong.csv:3: the phrase has no word in it"
expect 0 forage ads list
grep -q New "$scratch/out" && flunk "half of a file was imported"
printf 'advertiser,phrase,price,url\n' >wrong.csv
expect 1 forage ads import wrong.csv
complains "no column is called 'price'"
expect 4 env FORAGE_ADS_POLICY=known forage ads list
complains "is not a policy for advertisements"
expect 0 forage ads list --json
value "len(d)" 3

# Over the server likewise: labelled, clicked once, and never by a stranger's token.
forage serve --listen 127.0.0.1:0 2>serve.err &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 grep -q '^dashboard: ' serve.err
address=$(sed -n 's/^dashboard: \([^ ]*\).*/\1/p' serve.err)
api() { python3 "$root/tests/cli/api.py" "$address" "$@"; }
expect 0 forage ads add 'Tea House' 'green tea' https://tea.example/ --bid 0.2 --budget 5 --title Tea
expect 0 api GET 'search?q=green+tea'
value "[(a['label'], a['url']) for a in d['sponsored']]" "[('sponsored', 'https://tea.example/')]"
token=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["sponsored"][0]["token"])' "$scratch/out")
# Who looks ahead has not clicked.
for ahead in 'HEAD ' 'GET prefetch'; do
    expect 0 python3 - "${address}go?ad=$token" "${ahead% *}" "${ahead#* }" <<'P'
import sys, urllib.request, urllib.error
try:
    urllib.request.urlopen(urllib.request.Request(sys.argv[1], headers={'Sec-Purpose': sys.argv[3]}, method=sys.argv[2]))
except urllib.error.HTTPError as e:
    sys.exit(e.code != 503)
sys.exit('it is answered as if it were clicked')
P
done
expect 0 api POST ads/click "{\"token\": \"$token\"}"
value "(d['outcome'], d['url'])" "('charged', 'https://tea.example/')"
expect 0 api POST ads/click "{\"token\": \"$token\"}"
value "d['outcome']" repeated
expect 0 api POST ads/click '{"token": "made-up"}'
value "d['outcome']" forged
expect 1 api POST ads/click '{}'
says "'token' is missing"

# What there is and what it got, as the command line has it; changes, and mistakes.
expect 0 forage ads list --json
cp "$scratch/out" list.json
expect 0 api GET ads
value "d['items'] == __import__('json').load(open('list.json'))" True
expect 0 api GET 'ads/stats?since=1d'
value "[(x['clicked'], x['spent'], x['budget']) for x in d['items'] if x['advertiser'] == 'Tea House']" "[(1, 0.2, 5)]"
expect 0 api POST ads '{"advertiser": "Tea House", "phrase": "black tea", "url": "https://tea.example/black", "bid": 0.10, "broad": true}'
value "d['new']" True
expect 0 api GET 'search?q=strong+black+tea'
value "[a['url'] for a in d['sponsored']]" "['https://tea.example/black']"
expect 0 api POST ads/state '{"ads": ["Tea House"], "state": "paused"}'
value "(d['state'], d['changed'])" "('paused', 1)"
expect 0 api GET 'search?q=strong+black+tea'
value "d['sponsored']" "[]"
expect 0 api POST ads/state '{"ads": ["Tea House"], "state": "active"}'
expect 1 api POST ads '{"advertiser": "Tea House", "phrase": "tea", "url": "https://tea.example/"}'
says "no bid: say what a click is worth"
expect 1 api POST ads '{"advertiser": "Tea House", "phrase": "tea", "url": "https://tea.example/", "bid": "much"}'
says "is not a sum of money, such as 0.40"
expect 1 api POST ads/state '{"ads": ["nobody"]}'
says "'nobody' is neither an advertiser nor the number of an ad"

# A client that asks all day is shown ads no more, and holds no budget back.
kill $server
wait $server
: >serve.err
forage serve --listen 127.0.0.1:0 --ads-views-client 2 2>serve.err &
server=$!
within 20 grep -q '^dashboard: ' serve.err
address=$(sed -n 's/^dashboard: \([^ ]*\).*/\1/p' serve.err)
for shown in 1 1 0; do
    expect 0 api GET 'search?q=green+tea'
    value "len(d['sponsored'])" "$shown"
done
kill $server

done_testing
