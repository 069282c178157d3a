# Pages of a site in which two change with every request: one in what people search for, one
# in what nobody does. searchers.py LOG prints the port; every request for a page is logged.
import http.server, random, sys, threading

log, lock, count = open(sys.argv[1], "a"), threading.Lock(), {}
filler = "the house by the lake has a garden with old trees and a bench near the water ".split()

def words(seed, n):
    draw = random.Random(seed)
    return " ".join(draw.choice(filler) for _ in range(n))

def page(path, turn):
    if path == "/":
        names = ["matters", "noise"] + ["still%d" % i for i in range(8)]
        return "<h1>All</h1>" + "".join("<p><a href=/%s.html>page %s</a>" % (n, n) for n in names)
    if path == "/matters.html":  # from the first place of the results to the last, and back
        return "<p>" + "porcini mushrooms " * (30 if turn % 2 else 1) + words(turn, 60)
    if path == "/noise.html":
        return "<p>" + words(turn, 30) + " offer%d offer%d " % (turn, turn + 1) + words(turn + 1000, 60)
    return "<p>" + "porcini mushrooms " * int(path[6]) + words(path, 60)

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *args): pass
    def do_GET(self):
        with lock:
            turn = count[self.path] = count.get(self.path, 0) + 1
            print(self.path, file=log, flush=True)
        found = self.path == "/" or self.path.endswith(".html")
        body = ("<!DOCTYPE html><html lang=en><title>%s</title><main>%s</main></html>" % (self.path, page(self.path, turn))).encode() if found else b""
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
