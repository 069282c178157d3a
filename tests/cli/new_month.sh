# Archives by month without a list of what is latest: when a month begins, its archive is
# found and watched. And sections with a list each, none of which shows what the others do:
# they are found.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
speed=900
# Two hours and a half before the next month begins, or the one after it.
anchor=$(python3 - $speed <<'END'
import calendar, sys, time
speed, now = int(sys.argv[1]), time.time()
year, month = time.gmtime(now)[:2]
begin = now
while begin < now + 3 * 86400:
    year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    begin = calendar.timegm((year, month, 1, 0, 0, 0))
print(int((now * speed - (begin - 9000)) / (speed - 1)))
END
)
python3 - "$root/tests/cli/new_month.py" $speed "$anchor" <<'END' &
import signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
sys.argv = sys.argv[1:]
exec(compile(open(sys.argv[0]).read(), sys.argv[0], 'exec'))
END
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 test -s urls
# shellcheck disable=SC2046
forage watch -w ws --quiet --net-allow-private loopback --clock-speed $speed \
    --clock-anchor "$(python3 -c "import sys, time
print(time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime($anchor)))")" --time-limit 24s \
    $(cat urls) >events 2>"$scratch/err"
: >"$scratch/out"
kill $server
wait $server
python3 - <<'END' || flunk "not all was told"
import json
told = {e['url'] for e in map(json.loads, open('events')) if e['type'] == 'discovery'}
rows = [l.split() for l in open('published')]
end = int(rows.pop()[0])
due = [url for at, url in rows if 45 <= int(at) <= end - 45]
lost = [url for url in due if url not in told]
months = {url.split('/')[5] for url in due}
assert len(months) == 2 and len(due) >= 12, (end, due)
assert len(lost) <= len(due) / 8, lost
assert not told - {url for _, url in rows}, told
END
expect 0 forage export -w ws --what sources
n=$(grep -c '/dept/[a-z]*/news/"' "$scratch/out")
[ "$n" -ge 16 ] || flunk "of 20 lists of departments $n are watched"
done_testing
