# What a document is worth: read by rule, compared, kept with its history, and shown.
. tests/cli/common
# Documents are looked at again within seconds here.
export FORAGE_CRAWL_LEAST_DELAY=0
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
fast="--fetch-delay 0s --crawl-tick 1s --crawl-budget 0 --net-allow-private loopback"

# --- two versions of a page ---
# offer PRICE AVAILABILITY NOISE: a page of a shop on standard output
offer() {
    cat <<END
<!DOCTYPE html><html lang=en><title>A lamp</title>
<script type="application/ld+json">{"@type":"Product","name":"Lamp","brand":"Acme",
"offers":{"@type":"Offer","price":"$1","priceCurrency":"EUR","availability":"https://schema.org/$2"}}</script>
<h1>A lamp</h1><p id=stock>$3</p><p>Seen by $3 people</html>
END
}
offer 12.50 InStock 7 >old.html
offer "12,50" InStock 8 >noise.html
offer 11 OutOfStock 8 >new.html
expect 0 forage diff --value auto old.html noise.html
says "unchanged"
says "offer: 12.50 EUR InStock"
expect 0 forage diff --value auto old.html new.html --json
json
value "d['changed'], d['before']['text'], d['after']['text']" "(True, '12.50 EUR InStock', '11.00 EUR OutOfStock')"
expect 0 forage diff --value 'selector:#stock' old.html noise.html
says "selector: 8"
expect 4 forage diff --value 'selector:#stock >' old.html noise.html
complains "at character 9"

# --- a site that we change ---
mkdir site
offer 12.50 InStock 7 >site/lamp.html
printf '<title>Shop</title><a href=lamp.html>lamp</a><a href=about.html>about</a>' >site/index.html
printf '<p>We sell lamps.' >site/about.html
python3 - site >port 2>/dev/null <<'END' &
import functools, http.server, sys
class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args): pass
server = http.server.ThreadingHTTPServer(
    ("127.0.0.1", 0), functools.partial(Handler, directory=sys.argv[1]))
print(server.server_address[1], flush=True)
server.serve_forever()
END
server=$!
trap 'kill $server; rm -rf "$scratch"' EXIT
for _ in $(seq 100); do [ -s port ] || sleep 0.2; done
[ -s port ] || { echo "the test server does not start"; exit 77; }
origin=http://127.0.0.1:$(cat port)
# again FILE: a moment later the lamp's page is this one; look at it
again() {
    cp "$1" site/lamp.html
    later=$((${later:-0} + 2))
    touch -d "+$later seconds" site/lamp.html # another Last-Modified than before
    # shellcheck disable=SC2086
    expect 0 forage run -w shop $fast --once
}

expect 0 forage init shop
# shellcheck disable=SC2086
expect 0 forage watch -w shop $fast --once "$origin/"
expect 0 forage page -w shop "$origin/lamp.html"
says "document"
says "offer          12.50 EUR InStock"
says "Acme"
again noise.html
again new.html
again noise.html
expect 0 forage page -w shop "$origin/lamp.html" --json
json
value "d['value']['price'], d['value']['currency'], d['value']['availability'], d['value']['name']" \
    "('12.50', 'EUR', 'InStock', 'Lamp')"
value "[c['text'] for c in d['changes_of_value']]" \
    "['12.50 EUR InStock', '11.00 EUR OutOfStock', '12.50 EUR InStock']"
value "d['visits'], d['changes']" "(4, 2)"
expect 0 forage page -w shop "$origin/about.html" --json
value "d['value']" None

expect 0 forage status -w shop --once
says "kept     1 document; 3 visits in the last day, 2 found a change"
expect 0 forage status -w shop --json
value "d['totals']['documents'], d['totals']['document_changes_24h']" "(1, 2)"
expect 0 forage why -w shop "$origin/lamp.html"
says "a document: kept fresh for its own sake"
expect 0 forage export -w shop --what values --csv
says "lamp.html,$origin,offer,12.50 EUR InStock,"
expect 0 forage export -w shop --what changes
lines 2
head -n 1 "$scratch/out" >first && cp first "$scratch/out"
value "d['kind'], d['before'], d['after']" "('offer', '12.50 EUR InStock', '11.00 EUR OutOfStock')"
value "[d[k] for k in ('price', 'currency', 'availability', 'price_before', 'currency_before', 'availability_before')]" \
    "['11.00', 'EUR', 'OutOfStock', '12.50', 'EUR', 'InStock']"
expect 0 forage export -w shop --what changes --csv
says "time,url,site,kind,before,after,price,high,currency,availability,price_before,high_before,currency_before,availability_before"
says ",offer,12.50 EUR InStock,11.00 EUR OutOfStock,11.00,,EUR,OutOfStock,12.50,,EUR,InStock"
# What happened since then still has what was before it.
since=$(sed 's/.*"time":"\([^"]*\)".*/\1/' first)
expect 0 forage export -w shop --what changes --since "$since"
lines 2
rm -f site/lamp.html
# shellcheck disable=SC2086
expect 0 forage run -w shop $fast --once
expect 0 forage page -w shop "$origin/lamp.html"
says "gone"

# --- rules of the user's ---
offer 12.50 InStock 7 >site/lamp.html
expect 4 forage add -w own --value 'selector:p:last' "$origin/lamp.html"
complains "selector 'p:last': after ':' there may stand"
expect 4 forage run -w own --documents-value price
complains "'price' is not auto, page, text, offer or selector:..."
expect 0 forage add -w own --document --value 'selector:#stock' "$origin/lamp.html"
printf '%s/about.html\ttype=document\tvalue=page\n' "$origin" >seeds
expect 0 forage add -w own --seeds seeds
# shellcheck disable=SC2086
expect 0 forage run -w own $fast --once
expect 0 forage page -w own "$origin/lamp.html"
says "selector       7"
says "read by        selector:#stock"
expect 0 forage page -w own "$origin/about.html" --json
value "d['value']['kind'], d['value']['text']" "('page', 'We sell lamps.')"
# A long text is one line here, with how much more there is; all of it is in the JSON.
python3 -c "print('<title>Long</title><main>' + ''.join('<p>Sentence number %d of a long page.' % i for i in range(300)))" >site/long.html
expect 0 forage add -w own --document --value text "$origin/long.html"
# shellcheck disable=SC2086
expect 0 forage run -w own $fast --once
expect 0 forage page -w own "$origin/long.html"
grep -qE '^text +Sentence number [0-9] of a long page\. Sentence .* \.\.\. \([0-9]+ more characters\)$' "$scratch/out" ||
    flunk "the beginning of a long text is not shown"
expect 0 forage page -w own "$origin/long.html" --json
value "len(d['value']['text']) > 10000, d['value']['text'].rstrip().endswith('number 299 of a long page.')" "(True, True)"
expect 0 forage export -w own --what values
grep -q "number 299 of a long page" "$scratch/out" || flunk "the export cuts a text that is kept"
expect 0 forage diff --value text site/long.html site/about.html
says "more characters)"
expect 0 forage fetch --documents-value text --net-allow-private loopback "$origin/about.html"
says "text: We sell lamps."

# --- the demo shop, whose prices are known ---
forage simulate --sites 0 --offers 60 --speed 20000 --truth truth.jsonl >origins 2>simulate.log &
shop=$!
trap 'kill $server $shop; rm -rf "$scratch"' EXIT
within 20 test -s origins
shop_origin=$(head -n 1 origins)
# shellcheck disable=SC2086
expect 0 forage watch -w demo $fast --fetch-concurrency 4 --crawl-explore 200 --once "$shop_origin"
expect 0 forage export -w demo --what values
cp "$scratch/out" values.jsonl
got=$(python3 - <<'END'
import collections, json
truth = collections.defaultdict(set)
for line in open("truth.jsonl"):
    row = json.loads(line)
    truth[row["url"]].add((f"{float(row['price']):.2f}", bool(row["in_stock"])))
rows = [json.loads(line) for line in open("values.jsonl")]
true = [r for r in rows if (r["price"], r["availability"] == "InStock") in truth[r["url"]]]
whole = [r for r in rows if r["brand"] and r["category"] and r["seller"] and r["condition"]]
print(len(rows) >= 50, len(true) == len(rows), len(whole) == len(rows),
      {r["currency"] for r in rows} == {"EUR"})
END
)
[ "$got" = "True True True True" ] || flunk "the shop's offers are not read as they are: $got"
exit $bad
