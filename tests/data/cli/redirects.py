"""A small site that redirects a lot, for tests/cli/redirects.sh: prints its port, and goes on
until it is killed. 127.0.0.1 and localhost are two sites; the first leads to the second."""
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LINKS = "".join(f"<li><a href=/story/{i}.html>the story number {i}</a>" for i in range(12))
HOME = f"<title>Home</title><ul>{LINKS}<li><a href=/away>away</a><li><a href=/beyond>beyond</a><li><a href=/old>old</a>"
HOME += "<li><a href='/story/2.html?b=2&a=1&utm_medium=x'>second</a></ul>"


class Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body="", location=None):
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body.encode())

    def do_GET(self):
        other = f"http://localhost:{self.server.server_port}"
        is_first = self.headers.get("Host", "").startswith("127.0.0.1")
        targets = {"/self": "/self", "/circle": "/circle2", "/circle2": "/circle",
                   "/away": "http://outside.invalid/page", "/old": "/story/1.html",
                   "/beyond": f"http://beyond.localhost:{self.server.server_port}/story/9.html"}
        if self.path == "/" and is_first:
            self.answer(301, location=other + "/home")
        elif self.path in targets:
            self.answer(302, location=targets[self.path])
        elif self.path.startswith("/many/"):
            self.answer(302, location=f"/many/{int(self.path[6:]) + 1}")
        elif self.path == "/home":
            self.answer(200, HOME)
        elif self.path.startswith("/story/"):
            self.answer(200, f"<title>Story</title><p>This is {self.path}, which says what it is.")
        else:
            self.answer(404)

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
print(server.server_port, flush=True)
server.serve_forever()
