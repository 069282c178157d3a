#!/usr/bin/env python3
"""fairness_server.py N: N sites, each on an address of its own, that are alike.

Each has a list of stories, with another one every second. Writes the addresses of the
sites to "seeds", and the site of each request for a page to "requests"."""
import http.server, sys, threading, time

began = time.time()
requests = open('requests', 'w', buffering=1)

class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        status, body = 200, f'<title>{self.path}</title><article><h1>{self.path}</h1><p>{"Words of a story. " * 30}</article>'
        if self.path == '/robots.txt':
            status, body = 404, ''
        else:
            requests.write(self.server.server_address[0] + '\n')
        if self.path == '/':
            newest = 30 + int((time.time() - began) )
            body = '<title>front</title>' + ''.join(
                f'<p><a href=/a/{i}-a-story.html>Story {i} of many words</a> and more' for i in range(newest, newest - 30, -1))
        self.send_response(status)
        self.send_header('Content-Type', 'text/html')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *arguments):
        pass

seeds = []
for i in range(int(sys.argv[1])):
    server = http.server.ThreadingHTTPServer((f'127.0.7.{i + 1}', 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    seeds.append('http://%s:%d/\n' % server.server_address)
with open('seeds', 'w') as out:
    out.writelines(seeds)
threading.Event().wait()
