# What has ended long ago goes while a crawl runs, and a site goes that is to be forgotten,
# with a crawl running and without.
. tests/cli/common
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
mkdir www
python3 "$root/tests/cli/small_site.py" 127.0.0.1 127.0.0.1 >"$scratch/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
within 30 test -e ready
a=$(sed -n 1p origins) b=$(sed -n 2p origins)
for i in 1 2 3 4 5 6; do
    printf '<title>page %s</title><p>words of page %s' "$i" "$i" >"www/p$i"
    printf '<p><a href=/p%s>the page number %s</a>' "$i" "$i" >>www/index
done
crawl="--quiet --net-allow-private loopback --crawl-budget 0 --fetch-delay 1ms --crawl-tick 1s"
run() { # TIME FLAG...
    # shellcheck disable=SC2086
    forage run -w ws $crawl --time-limit "$@" >/dev/null 2>"$scratch/err" || flunk "a crawl failed"
}
sql() { python3 -c "import sqlite3, sys
db = sqlite3.connect('ws/forage.db', timeout=10)
for one in sys.argv[1].split(';'):
    for row in db.execute(one): print(*row)
db.commit()" "$1"; }
has_rows() { # SITE: the tables that have some of it
    python3 -c "import sqlite3, sys
db = sqlite3.connect('ws/forage.db', timeout=10)
tables = [t for t, in db.execute(\"SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%site INTEGER NOT NULL%'\")]
assert len(tables) > 12, tables
print(*[t for t in tables if db.execute(f'SELECT count(*) FROM {t} WHERE site = $1').fetchone()[0]])"
}
expect 0 forage add -w ws "$a/" "$b/"
run 1s
number() { sql "SELECT site FROM sites WHERE key = '$1'"; }
site_a=$(number "$a") site_b=$(number "$b")
[ "$site_a" ] && [ "$site_b" ] || flunk "no sites"

# --- by age ---
old() { sql "SELECT (SELECT count(*) FROM visits WHERE time = 1000), (SELECT count(*) FROM links WHERE gone = 2),
    (SELECT count(*) FROM outbox WHERE id = 99)"; }
# An old visit of every page, an old event, an old link that is gone.
sql "INSERT INTO visits SELECT site, page, 1000, 200, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 FROM pages WHERE visits;
    INSERT INTO links VALUES($site_a, 1, $site_a, 4000, 1, 1, 2);
    INSERT INTO outbox(site, page, id, time, kind, json) VALUES($site_a, 1, 99, 5, 'discovery', '{}')"
there=$(old)
[ "${there%% *}" -ge 6 ] || flunk "too few pages: $there"
visits=$(sql "SELECT sum(visits) FROM pages")
expect 0 forage page "$a/p1" -w ws --json
cp "$scratch/out" before.json
run 500ms # less than a day after the last time
[ "$(old)" = "$there" ] || flunk "pruned twice a day: $(old)"
run 500ms --store-keep-visits 0 --store-keep-events 0
[ "$(old)" = "${there%% *} 0 1" ] || flunk "0 is not for ever: $(old)"
run 500ms --store-keep-visits 80d --store-keep-events 80d
[ "$(old)" = "0 0 0" ] || flunk "not pruned: $(old)"
[ "$(sql "SELECT sum(visits) >= $visits, (SELECT count(*) >= 6 FROM visits) FROM pages")" = "1 1" ] ||
    flunk "counts of visits, or all visits, are gone"
expect 0 forage page "$a/p1" -w ws --json
value "d['visits'] >= json.load(open('before.json'))['visits']" True
expect 0 forage why "$a/" -w ws
expect 0 forage ledger "$a" -w ws
expect 0 forage new -w ws
expect 0 forage export --what visits -w ws

# --- a site, without a crawl ---
expect 4 forage site "$b" -w ws --forget --tag late
complains "cannot be combined"
expect 0 forage site "$b" -w ws --forget
says "site forgotten"
[ -z "$(has_rows "$site_b")" ] || flunk "left of a forgotten site: $(has_rows "$site_b")"
expect 1 forage site "$b" -w ws
expect 0 forage add -w ws "$b/"
[ "$(number "$b")" -gt "$site_b" ] || flunk "the number of a forgotten site was given again"

# --- a site, while a crawl runs ---
# shellcheck disable=SC2086
forage run -w ws $crawl --time-limit 60s >/dev/null 2>"$scratch/run.err" &
run=$!
within 20 sh -c "forage status -w ws --json | grep -q '\"is_running\":true'"
expect 0 forage site "$a" -w ws --forget --json
value "d['forgotten'], d['handed_over']" "(False, True)"
gone() { [ -z "$(has_rows "$site_a")" ]; }
within 20 gone || flunk "left of a forgotten site: $(has_rows "$site_a")"
expect 0 forage add -w ws "$a/"
known() { [ "$(sql "SELECT count(*) FROM pages JOIN sites USING(site) WHERE key = '$a' AND visits")" -ge 6 ]; }
stop_when "$run" 20 known
[ "$(number "$a")" -gt "$site_a" ] || flunk "the number of a forgotten site was given again"
gone || flunk "a forgotten site came back: $(has_rows "$site_a")"
expect 0 forage doctor -w ws --full
says "no damage found"

# --- a host that a redirect led to ---
rm -rf ws
other=http://localhost:${a##*:}
echo "LOCATION $other/p1" >www/away
echo '<p><a href=/away>what is elsewhere</a>' >>www/index
expect 0 forage add -w ws --net-allow-private loopback "$a/"
strangers() { sql "SELECT count(*) FROM sites WHERE key = '$other'"; }
run 2s
[ "$(strangers)" = 1 ] || flunk "no host was left behind to begin with"
run 2s --store-requests 3d
[ "$(strangers)" = 1 ] || flunk "a host was forgotten that had just been asked"
echo "STATUS 404" >www/away
sql "UPDATE sites SET last_request = last_request - 4 * 86400000000 WHERE key = '$other'"
run 2s --store-requests 2d
[ "$(strangers)" = 0 ] || flunk "hosts that redirects led to add up"
expect 0 forage doctor -w ws --full
says "no damage found"
done_testing
