# watch and run tell on standard error what they do, in plain lines; fifty sites do not
# flood it, --quiet says nothing, and standard output is for events only.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
python3 - >ports 2>/dev/null <<'END' &
import http.server, threading
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b'' if self.path == '/robots.txt' else b'<!DOCTYPE html><title>t</title>' + b''.join(
            b'<li><a href="/%d">page %d</a>' % (i, i) for i in range(8))
        self.send_response(200)
        self.send_header('Content-Type', 'text/html')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *args): pass
servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) for _ in range(14)]
for s in servers: threading.Thread(target=s.serve_forever, daemon=True).start()
print("\n".join("http://127.0.0.1:%d/" % s.server_port for s in servers), flush=True)
threading.Event().wait()
END
server=$!
trap 'kill $server; rm -rf "$scratch"' EXIT
# limited COMMAND...: it ends by its --time-limit.
limited() {
    "$@" >"$scratch/out" 2>"$scratch/err"
    code=$?
    [ $code -eq 0 ] || [ $code -eq 15 ] || flunk "exit code $code: $*"
    last=$*
}
within 20 test -s ports
fast="--net-allow-private loopback --clock-speed 600 --time-limit 5s"

# shellcheck disable=SC2086
limited forage watch -w ws $fast --log-progress 1s --seeds ports
grep -v '^{' "$scratch/out" && flunk "standard output has something else than events"
grep -q "$(printf '\033')\\|$(printf '\r')" "$scratch/err" && flunk "cursor tricks into a file"
complains "4 further sites: robots.txt of "
n=$(grep -c ': robots.txt read' "$scratch/err")
[ "$n" -eq 10 ] || flunk "$n sites have lines of their own, not 10"
complains "running for"
complains "requests,"
complains "; next look at "

# shellcheck disable=SC2086
limited forage run -w ws $fast --log-progress 0s
grep -q "running for" "$scratch/err" && flunk "log.progress 0 gives figures"
complains ": watching since"
# shellcheck disable=SC2086
limited forage run -w ws $fast --quiet
silent
# shellcheck disable=SC2086
limited forage run -w ws $fast --log-format json
python3 -c 'import json,sys; [json.loads(l) for l in open(sys.argv[1])]' "$scratch/err" ||
    flunk "the log is not JSON lines"
# shellcheck disable=SC2086
limited forage run -w ws $fast --log-file log
complains ": watching since"
grep -q "msg=started" "$scratch/err" && flunk "the log is on standard error, too"
done_testing
