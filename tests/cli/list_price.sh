# An offer whose earlier price is known from a list only: what is told of its change is in
# the history of the page and among the changes that are exported.
. tests/cli/common
# shellcheck disable=SC2086
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
mkdir -p www/o
python3 "$root/tests/cli/small_site.py" >"$scratch/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
within 30 test -e ready
a=$(sed -n 1p origins)
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
crawl="--quiet --net-allow-private loopback --crawl-budget 0 --crawl-site-budget 0 --fetch-delay 1ms --crawl-tick 2m"
# shop PRICE: a list of thirty offers; the last one costs PRICE, by the list.
shop() {
    python3 - "$1" >index.tmp <<'P'
import sys
print("<html lang=en><title>Shop</title><main><h1>Lamps</h1><ul>")
for i in range(30):
    price = sys.argv[1] if i == 29 else "%d.50" % (10 + i)
    print('<li class=product><a href="/o/lamp-%d">A lamp for the table, number %d</a> '
          '<span class=price>%s EUR</span></li>' % (i, i, price))
print("</ul></main>")
P
    mv index.tmp www/index
}
for i in $(seq 0 29); do
    price=$((10 + i)).50
    [ "$i" -eq 29 ] && price=30.80
    cat >"www/o/lamp-$i" <<P
<html lang=en><title>A lamp, number $i</title><script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Product", "name": "Lamp $i",
 "offers": {"@type": "Offer", "price": "$price", "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}}
</script><main><h1>A lamp, number $i</h1><p>$price EUR</p><p>$(printf "word$i%d " $(seq 1 60))</p></main>
P
done
shop 32.98
expect 0 forage add -w ws "$a/"
forage run -w ws $crawl --clock-speed 60 --clock-anchor "$now" >"$scratch/log" 2>&1 &
pid=$!
all_read() { [ "$(grep -c /o/lamp- requests)" -ge 30 ]; }
within 60 all_read
shop 30.80
is_told() { forage export -w ws --what events | grep '"changed"' >changed; }
within 60 is_told
kill -TERM "$pid"
wait "$pid"
is_told
[ "$(wc -l <changed)" -eq 1 ] || flunk "told: $(cat changed)"
grep -q '32.98 EUR.*before_from.*list' changed || flunk "told: $(cat changed)"

# Both agree with what was told.
expect 0 forage export -w ws --what changes
[ "$(wc -l <"$scratch/out")" -eq 1 ] || flunk "exported: $(cat "$scratch/out")"
value "d['url'], d['before'], d['price_before'], d['price']" "('$a/o/lamp-29', '32.98 EUR', '32.98', '30.80')"
expect 0 forage export -w ws --what changes --since 2100-01-01
[ -s "$scratch/out" ] && flunk "exported of the future: $(cat "$scratch/out")"
expect 0 forage page "$a/o/lamp-29" -w ws
says "30.80 EUR InStock, after 32.98 EUR on a list"
expect 0 forage page "$a/o/lamp-29" -w ws --json
value "[c.get('before_on_list') for c in d['changes_of_value']]" "['32.98 EUR', None]"
expect 0 forage page "$a/o/lamp-1" -w ws --json
value "len(d['changes_of_value'])" 1
# Where lists show what offers cost they are read to their ends before most offers are, also if
# a sitemap names every offer: a change of one that is read late is known by its list.
mkdir -p www/c/1/page www/c/2/page www/c/3/page
printf 'Sitemap: %s/sitemap.xml\n' "$a" >www/robots.txt
python3 - "$a" <<'P'
import sys
form = ('<html lang=en><title>A lamp, number %d</title><script type="application/ld+json">{"@context": "https://schema.org", '
        '"@type": "Product", "name": "Lamp %d", "offers": {"@type": "Offer", "price": "%d.50", "priceCurrency": "EUR", '
        '"availability": "https://schema.org/InStock"}}</script><main><h1>A lamp, number %d</h1><p>%d.50 EUR</p><p>%s</p></main>')
for i in range(180):
    open('www/o/lamp-%d' % i, 'w').write(form % (i, i, 10 + i, i, 10 + i, ' '.join('word%d%d' % (i, k) for k in range(60))))
open('www/sitemap.xml', 'w').write('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">%s</urlset>' % ''.join(
    '<url><loc>%s/o/lamp-%d</loc></url>' % (sys.argv[1], i) for i in range(180)))
def page(title, body):
    return '<html lang=en><title>%s</title><main><h1>%s</h1>%s</main>' % (title, title, body)
open('www/index', 'w').write(page('Shop', ' '.join('<a href="/c/%d/index">Lamps %d</a>' % (c, c) for c in (1, 2, 3))))
for c in (1, 2, 3):
    pager = ' '.join('<a href="/c/%d/page/%d">%d</a>' % (c, n, n) for n in (2, 3))
    for n in (1, 2, 3):
        first = (c - 1) * 60 + (n - 1) * 20
        offers = ''.join('<li class=product><a href="/o/lamp-%d">A lamp for the table, number %d</a> <span class=price>%d.50 EUR</span></li>' % (
            i, i, 10 + i) for i in range(first, first + 20))
        open('www/c/%d/' % c + ('page/%d' % n if n > 1 else 'index'), 'w').write(page('Lamps %d' % c, '<ul>%s</ul>%s' % (offers, pager)))
P
: >requests
forage watch -w whole --quiet --net-allow-private loopback --clock-speed 120 "$a/" >/dev/null 2>"$scratch/err" &
pid=$!
most_read() { [ "$(grep -c /o/lamp- requests)" -ge 60 ]; }
within 60 most_read
kill -TERM "$pid"
wait "$pid"
early=$(awk '/\/o\/lamp-/ && ++n == 60 { exit } /\/page\// { m++ } END { print m + 0 }' requests)
[ "$early" -eq 6 ] || flunk "of six further pages $early were read early"
done_testing
