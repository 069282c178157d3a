# The demo over HTTP, as ./run starts it: the search page's answers have new pages that are
# promoted and labelled advertisements; links lead on by way of the server, and a click on an
# ad is counted and charged once.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
forage demo --for 90s --keep --listen 127.0.0.1:0 >demo.out 2>demo.err &
demo=$!
trap 'kill $demo 2>/dev/null; rm -rf "$scratch"' EXIT
within 30 grep -q '^dashboard: ' demo.err
cat >look.py <<'END'
import http.client, json, sys, time, urllib.parse
where = urllib.parse.urlsplit(sys.argv[1]).netloc

def ask(path):
    connection = http.client.HTTPConnection(where, timeout=20)
    connection.request('GET', path)
    answer = connection.getresponse()
    return answer, answer.read()

end, ad, new = time.time() + 60, None, None
while time.time() < end and not (ad and new):
    found = json.loads(ask('/api/v1/search?q=storm&limit=20')[1])
    for s in found['sponsored']:
        if s['label'] != 'sponsored':
            sys.exit('an advertisement without its label: %s' % s)
        ad = ad or s
    new = new or next((r for r in found['results'] if r['promoted']), None)
    time.sleep(.3)
if not ad or not new:
    sys.exit('after 60 s: ad %s, promoted %s, %d results' % (ad, new, len(found['results'])))
for kind, entry in (('result', new), ('ad', ad), ('ad', ad)):
    answer, _ = ask('/go?%s=%s' % (kind, entry['token']))
    if answer.status != 303 or answer.getheader('Location') != entry['url']:
        sys.exit('%s %s leads to %s %s' % (kind, entry['url'], answer.status, answer.getheader('Location')))
# The choice of the result was counted: told again, it does not count.
connection = http.client.HTTPConnection(where, timeout=20)
connection.request('POST', '/api/v1/feedback', json.dumps({'chosen': new['token']}), {'Content-Type': 'application/json'})
told = json.loads(connection.getresponse().read())
if (told['taken'], told['again']) != (0, 1):
    sys.exit('the choice of a promoted page was not counted: %s' % told)
END
expect 0 python3 look.py "$(sed -n 's/^dashboard: \([^ ]*\).*/\1/p' demo.err)"
kill -INT "$demo"
wait "$demo"
kept=$(sed -n 's/^kept: //p' demo.err)
[ -n "$kept" ] || flunk "nothing was kept: $(cat demo.err)"
expect 0 forage ads stats -w "$kept/learning" --json
value "(sum(x['clicked'] for x in d), sum(x['charged'] for x in d), sum(x['spent'] for x in d) in (0.25, 0.4))" "(1, 1, True)"
rm -rf "$kept"
done_testing
