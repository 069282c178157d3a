# Changes of documents, told in words: of a price, and of a word in the middle of a long
# text; listed, in JSON lines if asked for, and in feeds of their own.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
fast="--fetch-delay 0s --crawl-tick 1s --crawl-budget 0 --net-allow-private loopback --quiet --crawl-site-budget 0 --crawl-at-least 1ms"

# offer PRICE AVAILABILITY, terms FEE: two pages on standard output
offer() {
    cat <<END
<!DOCTYPE html><html lang=en><title>A &lt;lamp&gt;</title>
<script type="application/ld+json">{"@type":"Product","name":"A <lamp>",
"offers":{"@type":"Offer","price":"$1","priceCurrency":"EUR","availability":"https://schema.org/$2"}}</script>
<h1>A lamp</h1></html>
END
}
terms() {
    echo "<!DOCTYPE html><html lang=en><title>Terms</title><main>"
    for i in $(seq 60); do
        echo "<p>Paragraph $i of these terms says at some length what everybody knows and nobody reads to its end."
    done
    echo "<p>Whoever rents a lamp from us pays a fee of $1 euros a month and brings it back in good order at the end."
    for i in $(seq 60 90); do
        echo "<p>Paragraph $i of these terms says at some length what everybody knows and nobody reads to its end."
    done
    echo "</main>"
}
mkdir site
offer 19.90 InStock >site/lamp.html
terms ten >site/terms.html
printf '<title>Shop</title><a href=lamp.html>lamp</a>' >site/index.html
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
within 20 test -s port
origin=http://127.0.0.1:$(cat port)
# again FLAG...: look at the pages a moment later
again() {
    later=$((${later:-0} + 2))
    touch -c -d "+$later seconds" site/*.html
    # shellcheck disable=SC2086
    expect 0 forage run -w ws $fast --once "$@"
}
expect 0 forage add -w ws --source "$origin/"
expect 0 forage add -w ws --document --value text "$origin/terms.html"
again
expect 0 forage new -w ws --kind changed
lines 0
offer 17.50 InStock >site/lamp.html
terms twelve >site/terms.html
echo '<title>More</title><p>More of it' >site/more.html
printf '<title>Shop</title><a href=lamp.html>lamp</a><a href=more.html>more</a>' >site/index.html
again --output-file lines.jsonl
offer 17.50 OutOfStock >site/lamp.html
again --output-file both.jsonl --output-kinds new,changed

expect 0 forage new -w ws --kind changed
cp "$scratch/out" listed
says "A <lamp>: 19.90 EUR InStock -> 17.50 EUR InStock  $origin/lamp.html"
says "    price 19.90 EUR -> 17.50 EUR"
says "    availability InStock -> OutOfStock"
says "Terms: changed  $origin/terms.html"
says "    ... pays a fee of [-ten-] {+twelve+} euros a month and ..."
expect 0 forage new -w ws --kind changed --json
cp "$scratch/out" changes.jsonl
lines 3
python3 - <<'P' || flunk "the events are not what they should be"
import json
rows = [json.loads(line) for line in open("changes.jsonl")]
lamp = [r for r in rows if r["url"].endswith("/lamp.html")]
assert [r["type"] for r in rows] == ["changed"] * 3 and len({r["event"] for r in rows}) == 3
assert [(r["before"], r["after"]) for r in lamp] == [
    ("19.90 EUR InStock", "17.50 EUR InStock"), ("17.50 EUR InStock", "17.50 EUR OutOfStock")]
assert lamp[0]["kind"] == "offer" and lamp[0]["title"] == "A <lamp>"
terms = [r for r in rows if r["url"].endswith("/terms.html")][0]
assert terms["kind"] == "text" and "[-ten-] {+twelve+}" in terms["diff"] and len(terms["diff"]) < 200
new = [json.loads(line) for line in open("lines.jsonl")]
assert {r["type"] for r in new} == {"discovery"}, new
both = [json.loads(line) for line in open("both.jsonl")]
assert [r for r in both if r["type"] == "changed"] == rows and any(r["type"] == "discovery" for r in both)
P
expect 0 forage export -w ws --what events --csv
python3 - "$scratch/out" <<'P' || flunk "CSV leaves something out of the changes"
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
changes = [json.loads(line) for line in open("changes.jsonl")]
parts = ["url", "title", "kind", "before", "after", "diff"]
assert [[r[p] for p in parts] for r in rows if r["type"] == "changed"] == [[c[p] for p in parts] for c in changes]
assert all(not r["after"] for r in rows if r["type"] == "discovery")
P
# New pages are new pages, as before.
expect 0 forage new -w ws --json
grep -q '"changed"' "$scratch/out" && flunk "changes are among the new pages"
expect 0 forage new -w ws --kind all --json
lines $(($(wc -l <both.jsonl)))
expect 0 forage status -w ws --json
value "d['totals']['new_24h']" "$(grep -c discovery both.jsonl)"

# --- feeds of them ---

expect 0 forage feeds -w ws pub
for feed in pub/changes pub/pages/*; do
    feed=${feed%.*}
    for form in rss atom json; do
        expect 0 forage feed "$feed.$form" --json
        value "d['problems'], d['well_formed']" "([], True)"
    done
done
expect 0 forage feed pub/changes.json --json
value "[e['title'] for e in d['entries']][0]" "A <lamp>: 17.50 EUR InStock -> 17.50 EUR OutOfStock"
value "'price 19.90 EUR -> 17.50 EUR' in [e['content'] for e in d['entries']]" True
set -- pub/pages/*.atom
[ $# -eq 1 ] || flunk "not one document was named, but $#"
expect 0 forage feed "$1" --json
value "len(d['entries']), d['about']['title']" "(1, 'Changes of $origin/terms.html')"
value "d['entries'][0]['content']" "<p>... pays a fee of [-ten-] {+twelve+} euros a month and ...</p>"
expect 0 forage new -w ws --kind changed --page "$origin/lamp.html" --rss
cp "$scratch/out" lamp.rss
expect 0 forage feed lamp.rss --json
value "len(d['entries']), d['problems'], d['entries'][1]['summary']" "(2, [], '<p>price 19.90 EUR -&gt; 17.50 EUR</p>')"
expect 0 forage new -w ws --kind changed --page "$origin/lamp.html" --json-feed
json
expect 4 forage new -w ws --rss --json-feed
complains "cannot be combined"

# --- gone, back, and not told ---

rm site/lamp.html
again
offer 9 InStock >site/lamp.html
again
expect 0 forage new -w ws --kind changed --json
python3 - "$scratch/out" <<'P' || flunk "what is gone is not told"
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
gone = [r for r in rows if r["after"] == "gone"]
assert len(gone) == 1 and gone[0]["before"] == "17.50 EUR OutOfStock", rows
P
terms thirteen >site/terms.html
again --no-documents-report
expect 0 forage new -w ws --kind changed
grep -q thirteen "$scratch/out" && flunk "a change was told"
done_testing
