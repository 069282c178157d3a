# Pages read in processes of their own: the same crawl, by processes that are shut in; their
# death is not the crawl's, and a page that is always their death is set aside.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }

cat >server.py <<'PY'
import http.server, sys, time
long = b''.join(b'<a href="/%d">x</a> <b class="c%d"><i>' % (i, i) for i in range(200000))
links = ''.join('<a href="/p%d">Page %d</a> ' % (i, i) for i in range(8))
class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *words): pass
    def do_GET(self):
        with open('asked', 'a') as asked: asked.write(self.path + '\n')
        if self.path == '/robots.txt': status, body = 404, b'none'
        elif self.path == '/': status, body = 200, ('<title>Start</title>' + links).encode()
        elif self.path == '/p3': status, body = 200, b'<meta charset=shift_jis><title>\x93\xfa\x96\x7b</title><p>words'
        elif self.path == '/long': status, body = 200, b'<title>Long</title>' + long
        else: status, body = 200, ('<title>Title of %s</title><p>words of it' % self.path).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'text/html')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Site)
print(server.server_port, flush=True)
server.serve_forever()
PY
python3 server.py >port &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$scratch"' EXIT
within 10 test -s port
site=http://127.0.0.1:$(cat port)
flags="--net-allow-private loopback --fetch-threads 2 --no-server"
known() {
    expect 0 forage export --what pages -w "$1"
    python3 -c 'import json, sys
for line in sys.stdin:
    row = json.loads(line)
    print(row["url"], row.get("title"), row["visits"], row.get("content_hash"), row["flags"])' <"$scratch/out" | sort
}

# The same is found either way.
expect 0 forage watch $flags -w here --once --fetch-delay 10ms "$site/"
expect 0 forage watch $flags -w apart --once --fetch-delay 10ms --fetch-read-apart "$site/"
known here >here.pages
known apart >apart.pages
[ "$(wc -l <here.pages)" -eq 9 ] || flunk "pages are missing: $(cat here.pages)"
grep -q 日本 here.pages || flunk "no title in Japanese: $(cat here.pages)"
cmp here.pages apart.pages || flunk "what is read apart differs: $(diff here.pages apart.pages)"

# Those who read: one for each thread and one for large pages, all shut in. They survive a
# signal that is meant for the crawl, and end with it, however it ends.
# Not the process by which a sanitizer looks for leaks.
readers() {
    for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
        ! grep -q -e --read-apart "/proc/$child/cmdline" 2>/dev/null || echo "$child"
    done
}
forage run $flags -w apart --fetch-delay 100ms --fetch-read-apart >run.out 2>run.err &
crawl=$!
within 20 grep -q msg=started run.err
[ "$(readers $crawl | wc -w)" -eq 3 ] || flunk "not three who read: $(readers $crawl)"
for reader in $(readers $crawl); do
    grep -q '^Seccomp:.*2$' "/proc/$reader/status" || flunk "$reader has no filter"
    grep -q '^NoNewPrivs:.*1$' "/proc/$reader/status" || flunk "$reader may get rights"
    kill -TERM "$reader"
done
sleep 0.3
[ "$(readers $crawl | wc -w)" -eq 3 ] || flunk "they do not outlive a signal to all"
old=$(readers $crawl)
kill -KILL $crawl
wait $crawl 2>/dev/null
gone() { for reader in $old; do [ ! -e "/proc/$reader" ] || return 1; done; }
within 10 gone || flunk "they outlive the crawl"

# Killed again and again they are the end of no page: each is read by a new one.
rm asked
forage watch $flags -w killed --once --fetch-delay 200ms --fetch-read-apart "$site/" >run.out 2>run.err &
crawl=$!
within 20 test -s asked
asked() { [ "$(wc -l <asked)" -ge "$1" ]; }
for again in 1 2 3; do
    before=$(wc -l <asked)
    for reader in $(readers $crawl); do kill -KILL "$reader" 2>/dev/null; done
    within 20 asked $((before + 2)) # what was being read is done
done
wait $crawl
code=$?
[ $code -eq 0 ] || flunk "the crawl ends with $code: $(tail -n 3 run.err)"
known killed >killed.pages
cut -d ' ' -f 1,2,4 here.pages >wanted
cut -d ' ' -f 1,2,4 killed.pages | cmp - wanted || flunk "pages are lost: $(cat killed.pages)"

# If they always die the page is set aside, and that is told.
forage watch $flags -w deadly --fetch-delay 100ms --fetch-read-apart --time-limit 60s "$site/long" >run.out 2>run.err &
crawl=$!
within 20 grep -q msg=started run.err
until grep -q "is set aside" run.err || ! kill -0 $crawl 2>/dev/null; do
    for reader in $(readers $crawl); do
        ! grep -q '^Seccomp:.*2$' "/proc/$reader/status" 2>/dev/null || kill -KILL "$reader"
    done
done
kill -TERM $crawl 2>/dev/null
wait $crawl
grep -q "a page is set aside" run.err || flunk "not set aside: $(tail -n 5 run.err)"
expect 0 forage why -w deadly "$site/long"
says "set-aside"
done_testing
