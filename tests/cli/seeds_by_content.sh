# What a seed is, its content decides: feeds and sitemaps under odd names and types.
. tests/cli/common
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
cat >server.py <<'P'
import gzip, http.server, sys
base = None
def rss(n): return '<?xml version="1.0"?><rss version="2.0"><channel><title>R</title><link>%s/</link><item><title>i</title><link>%s/found/%s</link></item></channel></rss>' % (base, base, n)
def urlset(n): return '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>%s/found/%s</loc></url></urlset>' % (base, n)
def pages():
    return {
        '/robots.txt': ('text/plain', ''),
        '/story.php': ('text/html', rss('rss')),
        '/data': ('application/octet-stream', '<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><id>x:1</id><entry><title>e</title><id>x:2</id><link href="%s/found/atom"/></entry></feed>' % base),
        '/api/items': ('text/plain', '{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1","url":"%s/found/json"}]}' % base),
        '/picture': ('image/png', '<!-- made today -->\n' + urlset('map')),
        '/packed': ('text/css', gzip.compress(urlset('gz').encode())),
        '/index.aspx': ('text/html', '<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>%s/inner.xyz</loc></sitemap></sitemapindex>' % base),
        '/inner.xyz': ('text/html', '<?xml version="1.0"?>' + urlset('inner')),
        '/list': ('text/html', '%s/found/list1\r\n%s/found/list2\r\n' % (base, base)),
        '/page.xml': ('application/rss+xml', '<!doctype html><title>P</title><p>a page whatever its name and type say</p><a href="/found/page">x</a>'),
        '/notes': ('text/plain', 'http://example.org/ is an address, and this is a sentence'),
    }
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        kind, body = pages().get(self.path, (None, None))
        if kind is None and self.path.startswith('/found/'):
            kind, body = 'text/html', '<!doctype html><title>F</title><p>found</p>'
        self.send_response(200 if kind else 404)
        body = body if isinstance(body, bytes) else (body or '').encode()
        self.send_header('Content-Type', kind or 'text/plain')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *a): pass
s = http.server.ThreadingHTTPServer(('127.0.0.1', 0), H)
base = 'http://127.0.0.1:%d' % s.server_port
open('url', 'w').write(base)
s.serve_forever()
P
python3 server.py >"$scratch/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
within 30 test -s url
base=$(cat url)
expect 0 forage add -w ws "$base/story.php" "$base/data" "$base/api/items" "$base/picture" \
    "$base/packed" "$base/index.aspx" "$base/list" "$base/page.xml" "$base/notes"
expect 0 forage run --quiet --once -w ws --net-allow-private loopback --crawl-budget 0 \
    --fetch-delay 1ms --crawl-tick 1s --time-limit 30s
forage export -w ws >pages
kind() { # PATH FLAG: it is, or with "" is neither feed nor sitemap
    got=$(python3 -c "
import json
rows = {json.loads(l)['url']: json.loads(l) for l in open('pages')}
print(' '.join(f for f in rows['$base$1']['flags'] if f in ('feed', 'sitemap')))" 2>&1)
    [ "$got" = "$2" ] || flunk "$1 is '$got', not '$2'"
}
kind /story.php feed
kind /data feed
kind /api/items feed
kind /picture sitemap
kind /packed sitemap
kind /index.aspx sitemap
kind /inner.xyz sitemap
kind /list sitemap
kind /page.xml ""
kind /notes ""
for found in rss atom json map gz inner list1 list2 page; do
    grep -q "$base/found/$found\"" pages || flunk "/found/$found was not found"
done
grep -q '"http://example.org' pages && flunk "a sentence was taken for a list"
done_testing
