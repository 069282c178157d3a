# What owners say about keeping their pages (TDMRep, Content-Signal) is heard and, as the
# switches say, obeyed; and the page that tells them who crawls.
. tests/cli/common
command -v python3 >/dev/null || { echo "no python3"; exit 77; }

# --- a site that says it in every way there is ---
cat >site.py <<'END'
import http.server, json, sys
ROBOTS = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nContent-Signal: /quiet/ search=no\nAllow: /\n"
TDMREP = [{"location": "/papers/free/", "tdm-reservation": 0}, {"location": "/papers/", "tdm-reservation": 1}]
PAGES = ["/plain", "/papers/1", "/papers/free/1", "/papers/meta", "/header", "/header-free-meta", "/quiet/1"]
HEADERS = {"/header": {"tdm-reservation": "1", "tdm-policy": "https://a.example/p"}, "/header-free-meta": {"tdm-reservation": "0"}}
METAS = {"/papers/meta": "0", "/header-free-meta": "1"}

class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with open("asked", "a") as log:
            log.write(self.path + "\n")
        kind, body, code = "text/html", "", 200
        if self.path == "/robots.txt":
            kind, body = "text/plain", ROBOTS
        elif self.path == "/.well-known/tdmrep.json":
            kind, body = "application/json", json.dumps(TDMREP)
        elif self.path == "/":
            body = "<title>home</title>" + "".join('<a href="%s">page %s</a>' % (p, p) for p in PAGES)
        elif self.path in PAGES:
            meta = METAS.get(self.path)
            body = "<!doctype html><title>t</title>%s<p>words of %s" % (
                meta and '<meta name="tdm-reservation" content="%s">' % meta or "", self.path)
        else:
            code = 404
        data = body.encode()
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in HEADERS.get(self.path, {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
open("port", "w").write(str(server.server_port))
server.serve_forever()
END
python3 site.py &
site=$!
trap 'kill $site; rm -rf "$scratch"' EXIT
within 20 test -s port || done_testing
origin=http://127.0.0.1:$(cat port)
fast="--crawl-budget 0 --fetch-delay 0s --crawl-tick 1s --once --net-allow-private loopback -q"
# kept WORKSPACE: the pages whose body is there, the home page aside.
kept() {
    for page in plain papers/1 papers/free/1 papers/meta header header-free-meta quiet/1; do
        forage page -w "$1" -b "$origin/$page" 2>/dev/null | grep -q "words of /$page\$" && printf '%s ' "$page"
    done
}
reserved() {
    forage export -w "$1" --what pages | python3 -c "
import json, sys
rows = [json.loads(line) for line in sys.stdin]
print(' '.join(sorted(r['url'].split('/', 3)[3] for r in rows if 'reserved' in r['flags'])))"
}

# obey is the default. tdmrep.json is asked for once, after robots.txt and before any page.
expect 0 forage watch -w obey $fast --store-bodies "$origin/"
[ "$(head -n 2 asked | tr '\n' ' ')" = "/robots.txt /.well-known/tdmrep.json " ] || flunk "asked first: $(head -n 3 asked)"
[ "$(grep -c tdmrep asked)" -eq 1 ] || flunk "tdmrep.json was asked for $(grep -c tdmrep asked) times"
[ "$(kept obey)" = "plain papers/free/1 papers/meta " ] || flunk "obey keeps: $(kept obey)"
[ "$(reserved obey)" = "header header-free-meta papers/1 quiet/1" ] || flunk "reserved: $(reserved obey)"
[ "$(grep -c '^/papers/1$' asked)" -eq 1 ] || flunk "a reserved page was not visited"
expect 0 forage page -w obey "$origin/papers/1"
says reserved
# It holds from one run to the next without asking again.
expect 0 forage watch -w obey $fast --store-bodies "$origin/"
[ "$(grep -c tdmrep asked)" -eq 1 ] || flunk "tdmrep.json was asked for again"

# note: it is kept, and it is known.
expect 0 forage watch -w note $fast --store-bodies --conduct-tdmrep note --conduct-content-signal note "$origin/"
[ "$(kept note)" = "plain papers/1 papers/free/1 papers/meta header header-free-meta quiet/1 " ] || flunk "note keeps: $(kept note)"
[ "$(reserved note)" = "header header-free-meta papers/1 quiet/1" ] || flunk "note: reserved: $(reserved note)"

# ignore: nobody is asked. Nor where nothing is kept anyway.
: >asked
expect 0 forage watch -w ignore $fast --store-bodies --conduct-tdmrep ignore --conduct-content-signal ignore "$origin/"
[ "$(reserved ignore)" = "" ] || flunk "ignore: reserved: $(reserved ignore)"
expect 0 forage watch -w none $fast "$origin/"
grep -q tdmrep asked && flunk "tdmrep.json was asked for in vain"

# The purposes decide which signals are about us.
expect 0 forage watch -w train $fast --store-bodies --conduct-tdmrep ignore --conduct-purposes ai-train "$origin/"
[ "$(kept train)" = "" ] || flunk "ai-train=no, but kept: $(kept train)"
expect 4 forage config show --conduct-purposes selling
complains "'selling' is not one of search, ai-input, ai-train"

# --- people can ask ---
expect 0 forage fetch --net-allow-private loopback "$origin/header"
says "tdm        reserved (header), terms at https://a.example/p"
says "signal     ai-train=no"
says "not kept   a header reserves text and data mining"
expect 0 forage fetch --net-allow-private loopback "$origin/quiet/1" --json
value "[d['tdm'], d['content_signals']['search'], d['not_kept']]" "['unset', 'no', 'robots.txt says search=no']"
printf 'User-agent: *\nContent-Signal: /news/ search=no\n' >robots.txt
echo '[{"location": "/papers/", "tdm-reservation": 1, "tdm-policy": "https://a.example/p"}]' >tdmrep.json
expect 0 forage robots robots.txt --tdmrep tdmrep.json /papers/1 /news/1 /
says "/papers/1  (no rule against it)  not kept: tdmrep.json reserves text and data mining"
says "/news/1  (no rule against it)  not kept: robots.txt says search=no"
expect 0 forage robots robots.txt --tdmrep tdmrep.json /papers/1 /news/1 / --json
value "[(v['tdm'], v['content_signals']['search'], v['tdm_policy']) for v in d['verdicts']]" \
    "[('reserved', None, 'https://a.example/p'), ('unset', 'no', None), ('unset', None, None)]"
echo '{}' >tdmrep.json
expect 1 forage robots robots.txt --tdmrep tdmrep.json /
complains "'tdmrep.json' is not a valid tdmrep.json: it is not an array of rules"

# --- the page that tells who crawls ---
expect 4 forage botpage
complains "set operator.name or operator.contact"
cat >forage.yaml <<'END'
operator:
  name: 'Müller & <script>alert("x")</script>'
  contact: 'bot"onclick="x@example.org'
  token: examplebot
  page: https://example.org/bot
  purpose: to find what is new
  addresses: [192.0.2.1, "2001:db8::1"]
fetch: {delay: 7s}
END
expect 0 forage botpage bot.html
says "made bot.html"
expect 0 forage botpage
cmp -s "$scratch/out" bot.html || flunk "file and output differ"
for text in 'User-agent: examplebot' 'at least 7s' '192.0.2.1' '2001:db8::1' 'to find what is new' \
    'Mozilla/5.0 (compatible; examplebot; +https://example.org/bot; Forage/' 'M&uuml;ller\|Müller'; do
    grep -q -- "$text" bot.html || flunk "the page does not say: $text"
done
python3 - <<'END' || flunk "the page is not sound HTML"
import html.parser, sys
class Check(html.parser.HTMLParser):
    open, seen = [], []
    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        if any(name.startswith("on") for name, _ in attributes) or tag == "script":
            sys.exit("something slipped through: %s %s" % (tag, attributes))
        if tag != "meta":
            self.open.append(tag)
    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            sys.exit("</%s> closes nothing" % tag)
check = Check()
text = open("bot.html", encoding="utf-8").read()
check.feed(text)
check.close()
assert text.startswith("<!DOCTYPE html>\n<html lang=\"en\">") and not check.open, check.open
assert {"title", "h1", "h2", "pre", "p"} <= set(check.seen)
END
expect 4 forage config show --operator-page 'https://a.example/x) evil'
complains "is not the address of a web page"
done_testing
