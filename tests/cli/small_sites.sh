# Sites without dates and feeds: what comes to a list is told for as long as it goes on,
# whatever stands behind the list, be it a box of old things, however its entries look and
# whatever the server says of them or of pages that are not there yet, and wherever its clock is; a seed that leads elsewhere
# is followed there, and asked again; and what lies behind a wall is an alarm, unless a feed
# tells of it.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
speed=480
python3 - "$root/tests/cli/small_sites.py" $speed <<'END' &
import signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
sys.argv = sys.argv[1:]
exec(compile(open(sys.argv[0]).read(), sys.argv[0], 'exec'))
END
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 test -s urls
url() { sed -n "s/^$1 //p" urls; }
# shellcheck disable=SC2046
forage watch -w ws --quiet --net-allow-private loopback --clock-speed $speed --crawl-budget 0 --time-limit 33s \
    $(cut -d' ' -f2 urls) >events 2>"$scratch/err"
: >"$scratch/out"
kill $server
wait $server
# Half an hour before the end is late; what came before has been told.
python3 - <<'END' || flunk "not all was told"
import collections, json
told = {e['url'] for e in map(json.loads, open('events')) if e['type'] == 'discovery'}
rows = [l.split() for l in open('published')]
end = int(rows.pop()[1])
begin = collections.defaultdict(lambda: 20, maintenance=60, refresh=40, company=40, young=40, proxied=40, languages=40, topics=40)
# Behind the broken cache it may take as long again until that is noticed.
late = collections.defaultdict(lambda: 40, cached=80)
due = [(name, url) for name, at, url in rows if begin[name] <= int(at) <= end - late[name]]
lost = [row for row in due if row[1] not in told]
count = collections.Counter(name for name, _ in due)
assert end > 180 and len(count) == 16 and min(count.values()) >= 6, (end, count)
assert len(lost) <= len(due) / 50, lost
site = {l.split()[1].strip('/'): l.split()[0] for l in open('urls')}
false = told - {url for _, _, url in rows}
assert not false, [(site['/'.join(u.split('/')[:3])], u) for u in false]
END
alarms() { grep '"type":"alarm"' events | grep "\"site\":\"$(url "$1" | sed 's,/$,,')\"" | grep -o '"reason":"[a-z-]*"' | sort -u; }
for name in footer pager company young maintenance refresh box archive cached proxied walled late east west languages topics; do
    [ -z "$(alarms $name)" ] || flunk "an alarm of $name: $(alarms $name)"
done
[ "$(alarms wall)" = '"reason":"login"' ] || flunk "no alarm of a seed that leads to a login"
[ "$(alarms refresh_wall)" = '"reason":"login"' ] || flunk "no alarm of a seed that refreshes to a login"
[ "$(alarms nofollow)" = '"reason":"nofollow"' ] || flunk "no alarm of a list that may not be followed"
done_testing
