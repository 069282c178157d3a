# What a crawl has left in the store can be looked at: new, page, why, status, policies.
. tests/cli/common

for command in new status export; do
    expect 1 forage "$command"
    complains "there is no crawl in '.' yet"
done
expect 1 forage page https://news.example/
complains "there is no crawl in '.' yet"
[ -e forage.db ] && flunk "looking made a store"

workspace ws
cd ws || exit 1

# --- new ---
expect 0 forage new
silent
lines 3
says '=HYPERLINK("http://evil.example","x")  https://news.example/2026/a.html'
says '<b>\u001b[2J'
grep -q "$(printf '\033')" "$scratch/out" && flunk "an escape reached the terminal"
tail -n 1 "$scratch/out" | grep -qF b.html || flunk "the newest is not last"
expect 0 forage new --since 1h --json
lines 1
json
value "d['url'], d['site']" "('https://news.example/2026/b.html', 'https://news.example')"
value "d['published'], d['language'], d['excerpt'], d['found_on']" \
    "('2026-01-02T03:04:05Z', 'en', 'The council & <b>its</b> plan', 'https://news.example/')"
expect 0 forage new --json-feed
value "d['items'][0]['summary'], d['items'][0]['language'], d['items'][0]['date_published'], d['items'][0]['_forage']['found_on']" \
    "('The council & <b>its</b> plan', 'en', '2026-01-02T03:04:05Z', 'https://news.example/')"
expect 0 forage new --limit 2
lines 2
expect 0 forage new --site news.example --since 2000-01-01
lines 3
expect 0 forage new --site https://law.example/whatever
lines 0
expect 1 forage new --site nowhere.example
complains "no site 'nowhere.example' is known"
expect 4 forage new --since yesterday-ish
complains "neither a span such as 1h"
expect 4 forage new --rss --atom
complains "cannot be combined"
for form in rss atom; do
    expect 0 forage new --$form
    silent
    cp "$scratch/out" "$scratch/$form.xml"
    expect 0 forage new --$form
    cmp -s "$scratch/out" "$scratch/$form.xml" || flunk "$form: two feeds differ"
    if command -v xmllint >/dev/null; then
        expect 0 xmllint --noout "$scratch/$form.xml"
    fi
    expect 0 forage feed "$scratch/$form.xml" --json
    value "[e['link'] for e in d['entries']]" \
        "['https://news.example/2026/b.html', 'https://news.example/a-print.html', 'https://news.example/2026/a.html']"
    value "[e['id'] for e in d['entries']][0].startswith('urn:forage:')" True
    value "d['entries'][0]['title']" '-second "words" <i> & � more'
    value "d['well_formed']" True
    value "d['entries'][0]['published']" 2026-01-02T03:04:05Z
    value "'The council' in str(d['entries'][0])" True
    expect 0 forage new --$form --site law.example
    cp "$scratch/out" "$scratch/empty.xml"
    expect 0 forage feed "$scratch/empty.xml" --json
    value "len(d['entries'])" 0
done

# Nothing new: a person is told, a pipe is not.
expect 0 forage new --since 2s
silent
lines 0
if command -v python3 >/dev/null; then
    python3 -c 'import pty, sys; sys.exit(pty.spawn(["forage", "new", "--since", "2s"]))' >"$scratch/out" 2>/dev/null </dev/null
    last="forage new on a terminal"
    says "no new pages since 20"
    python3 -c 'import pty, sys; sys.exit(pty.spawn(["forage", "new", "--since", "2s", "--json"]))' >"$scratch/out" 2>/dev/null </dev/null
    [ -s "$scratch/out" ] && flunk "JSON lines have words between them"
fi

# --- page ---
expect 0 forage page https://news.example/
says "is             seed, source"
says "12 visits, the last of them"
says "2 links, 1 gone"
expect 0 forage page 'https://news.example/2026/a.html?utm_source=x#top' --json
json
value "d['url'], d['visits'], d['status'], d['found_on'], len(d['bodies'])" \
    "('https://news.example/2026/a.html', 1, 200, 'https://news.example/', 1)"
expect 0 forage page https://news.example/2026/a.html --body
says "<p>body of a</p>"
expect 1 forage page https://news.example/ --body
complains "no body of this page is stored"
expect 0 forage page https://news.example/sport/ --json
value "d['visit_log'][0]['failure'], d['failures']" "('timeout', 1)"
expect 1 forage page https://news.example/unheard-of
complains "is not known"
expect 1 forage page https://other.example/
complains "is on no site that is watched"
expect 4 forage page not-a-url
complains "is not an absolute URL"

# --- why ---
expect 0 forage why https://news.example/politics/
says "policy         thompson"
says "Schulam & Muslea"
says "rank           1 of 4 on its site"
says "competes with"
expect 0 forage why https://news.example/politics/ --json
json
value "d['is'], d['rank'], d['of'], d['observations'], d['rate_low'] < d['rate'] < d['rate_high']" \
    "('source', 1, 4, 5, True)"
value "[r['url'] for r in d['competes_with']][:1], round(d['usual_gap_s'])" \
    "(['https://news.example/'], 7200)"
value "round(d['score'], 9)" 3.5
expect 0 forage why https://news.example/politics/ --json --policy-params alpha=10
value "d['score']" 5
expect 0 forage why https://news.example/politics/ --json --policy-discovery round-robin
value "d['policy']" thompson
expect 0 forage why https://news.example/politics/ --around 0 --json
value "d['competes_with']" "[]"
expect 0 forage why https://law.example/1 --json
value "d['is'], d['policy'], d['rank']" "('document', 'round-robin', 1)"
while read -r path cause; do
    expect 0 forage why "https://news.example/$path" --json
    value "d['is'], d['cause']" "('neither', '$cause')"
done <<'TABLE'
private/x robots
gone gone
index.html alias
archive/ retired
tags/ candidate
2026/a.html article
2026/b.html stock
a-print.html duplicate
TABLE
expect 0 forage why https://news.example/index.html
says "it leads to https://news.example/"

# --- status ---
expect 0 forage status
silent
says "no crawl is running"
says "https://news.example  watched"
says "backing off, next request in 1h"
grep -qF cdn.example "$scratch/out" && flunk "a mere host is listed"
expect 0 forage status --all
says "https://cdn.example"
expect 0 forage status --json
json
value "d['is_running'], d['crawl'], len(d['sites'])" "(False, None, 2)"
value "[(s['known'], s['sources'], s['waiting'], s['new_1h'], s['new_24h']) for s in d['sites']][0]" \
    "(12, 4, 2, 1, 3)"
value "d['sites'][0]['failures_24h'], d['totals']['known'], d['sites'][1]['state']" "(2, 13, 'pages')"
timeout 60 forage status --watch --json --every 200ms 2>"$scratch/err" | head -n 2 >"$scratch/out"
[ "$(wc -l <"$scratch/out")" -eq 2 ] || flunk "status --watch does not go on"
expect 4 forage status --watch --once
complains "cannot be combined"

# --- policies and their parameters ---
expect 0 forage policies
says "thompson (discovery)"
says "alpha"
expect 0 forage policies kab2 thompson
says "kab2 (refresh)"
[ "$(grep -c '^[a-z]' "$scratch/out")" -eq 2 ] || flunk "not the two that were asked for"
expect 1 forage policies thompson nonsense
complains "there is no policy 'nonsense'"
expect 0 forage policies --json
json
value "[(p['name'], p['parameters'][0]['default'] if p['parameters'] else None) for p in d if p['name'] == 'thompson']" \
    "[('thompson', 1)]"
value "[p['parameters'][1]['default'] for p in d if p['name'] == 'selective' and p['tasks'] == ['ranking']]" "[2]"
value "[p['lab_only'] for p in d if p['name'] in ('paced-index', 'known') and p['tasks'] == ['advertising']]" "[False, True]"
# Those of ranking and of advertisements are in their pages, with their parameters.
python3 - "$root/docs" "$scratch/out" >missing <<'END'
import json, sys
pages = {"ranking": "ranking.md", "advertising": "ads.md"}
for p in json.load(open(sys.argv[2])):
    page = pages.get(p["tasks"][0])
    text = page and open(sys.argv[1] + "/" + page).read()
    for word in page and [p["name"]] + [q["name"] for q in p["parameters"]] or []:
        if "`%s`" % word not in text and "`%s:" % word not in text:
            print(page, p["name"], word)
END
[ -s missing ] && flunk "docs: not told: $(tr '\n' ';' <missing)"
expect 4 forage watch --time-limit 1s http://127.0.0.1:9/ --policy-discovery thompson --policy-params gamma=1
complains "policy.params: there is no 'gamma': thompson has alpha, beta, refresh, lomax has "
expect 4 forage watch --time-limit 1s http://127.0.0.1:9/ --policy-discovery thompson --policy-params alpha=1e9
complains "must be from 0.001 to 1000"
expect 4 forage watch --time-limit 1s http://127.0.0.1:9/ --policy-params alpha
complains "is not a name and a number"
expect 4 forage watch --time-limit 1s http://127.0.0.1:9/ --policy-discovery nobody
complains "policy.discovery: there is no policy 'nobody'"

# A store that another forage is writing to can still be read: see seeds.sh.
# Damage is told, and nothing crashes.
yes damage | head -c 5000 | dd of=forage.db bs=1 seek=8192 conv=notrunc 2>/dev/null
expect 1 forage doctor
says "FAILED   store"
for command in status new export "page https://news.example/" "why https://news.example/"; do
    # shellcheck disable=SC2086
    forage $command >"$scratch/out" 2>"$scratch/err"
    code=$?
    [ "$code" -le 1 ] || flunk "'$command' on a damaged store ends with $code"
done
# Of a source that was watched for seconds, as one that is pushed to, nothing is expected yet.
if command -v python3 >/dev/null; then
    workspace ../pushed
    expect 0 forage rhythm news.example -w ../pushed --json
    value "sorted(s['url'].split('/', 3)[3] for s in d['sources'])" "['', 'politics/']"
    python3 - <<'P'
import sqlite3
db = sqlite3.connect("../pushed/forage.db")
page = db.execute("SELECT page FROM pages WHERE url = 'https://news.example/'").fetchone() or db.execute("SELECT page FROM pages WHERE url = '/'").fetchone()
times = [t for t, in db.execute("SELECT time FROM visits WHERE page = ? AND site = 1 ORDER BY time", page)]
db.execute("DELETE FROM visits WHERE page = ? AND site = 1 AND time > ?", (*page, times[1]))
db.execute("UPDATE visits SET time = ?, fresh = 1 WHERE page = ? AND site = 1 AND time = ?", (times[0] + 9000000, *page, times[1]))
db.commit()
P
    expect 0 forage rhythm news.example -w ../pushed --json
    value "[s['url'].split('/', 3)[3] for s in d['sources']]" "['politics/']"
fi
done_testing
