"""api.py ADDRESS METHOD PATH [BODY]: one request to the API of a server, for scripts; its
answer goes to standard output. Exit code 1 if the status is no success."""
import sys
import urllib.error
import urllib.request

address, method, path, *body = sys.argv[1:]
request = urllib.request.Request(address + 'api/v1/' + path, method=method,
                                 data=body[0].encode() if body else None,
                                 headers={'Content-Type': 'application/json'} if body else {})
try:
    print(urllib.request.urlopen(request, timeout=20).read().decode())
except urllib.error.HTTPError as wrong:
    print(wrong.read().decode())
    sys.exit(1)
