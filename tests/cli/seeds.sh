# init makes a workspace; add puts seeds into it, also while a crawl runs.
. tests/cli/common

# --- init ---
expect 0 forage init news
says "forage add"
says "operator.contact"
expect 0 forage config check news/forage.yaml
expect 0 forage init -q still
[ -s "$scratch/out" ] && flunk "init -q is not quiet"
test -f still/forage.yaml || flunk "init -q makes nothing"
expect 1 forage init news
complains "is there already; nothing was changed"
expect 0 forage init a/b/c --operator-contact 'Jo "#1" <jo@example.org>' --crawl-budget 30 \
    --crawl-exclude '*/login,*.pdf' --fetch-timeout 9s --json
json
value "d['has_operator']" True
expect 0 forage config show --json -w a/b/c
value "d['settings']['operator.contact']['value'], d['settings']['crawl.budget']['value']" \
    "('Jo \"#1\" <jo@example.org>', 30)"
value "d['settings']['crawl.exclude']['value'], d['settings']['fetch.timeout']['value']" \
    "(['*/login', '*.pdf'], 9)"
# Every default in the file is the default.
sed 's/^#\([a-z]\)/\1/' news/forage.yaml >all.yaml
expect 0 forage config check all.yaml
forage config show --config all.yaml | sed 's/ *(.*//;s/  [^ ].*yaml.*//' >/dev/null
: >file
expect 1 forage init file
complains "cannot make the folder 'file'"
expect 0 sh -c 'mkdir here && cd here && forage init && test -f forage.yaml'

# --- add ---
cd news || exit 1
expect 4 forage add
complains "nothing to add"
expect 4 forage add https://example.org/
complains "needs somebody who answers for it"
expect 4 forage add ftp://example.org/
complains "is not an http or https address"
# A bad address is told as every other command tells it.
for command in add fetch; do
    expect 4 forage "$command" 'http://a b/'
    sed "s/^forage $command: //" "$scratch/err" >"$scratch/$command.why"
done
cmp "$scratch/fetch.why" "$scratch/add.why" || flunk "add and fetch differ"
[ -e forage.db ] && flunk "a refused seed made a store"
expect 0 forage add http://127.0.0.1:9/ --json
json
value "d" "{'seeds': 1, 'wrong': 0, 'handed_over': False, 'new_pages': 1, 'new_sites': 1}"
expect 0 forage add http://127.0.0.1:9/
says "1 address, 0 of them new"

printf '# mine\n\nhttp://127.0.0.1:9/a\nnonsense\nhttp://127.0.0.1:9/b\tcolour=red\r\n' >seeds
printf 'http://127.0.0.1:9/c\tweight=-1\nhttp://127.0.0.1:9/d\ttype=thing\n' >>seeds
expect 4 forage add --seeds seeds
complains "seeds:4: 'nonsense' is not an absolute URL: "
complains "seeds:5: unknown key 'colour'"
complains "seeds:6: weight is '-1'"
complains "seeds:7: type is 'thing'"
complains "4 lines are wrong; nothing was added"
expect 1 forage page http://127.0.0.1:9/a
expect 0 forage add --seeds seeds --skip-bad
complains "seeds:4:"
says "1 address, 1 of them new"
printf 'http://127.0.0.1:9/x\ttype=document\tweight=2.5\ttags=a,b\n' >more
expect 0 sh -c 'forage add - --json <more'
expect 0 forage page http://127.0.0.1:9/x --json
value "d['flags'], d['weight']" "(['seed', 'document'], 2.5)"
expect 0 forage status --json
value "d['sites'][0]['tags']" "a,b"
expect 0 forage add --source --weight 3 --tag law,press --tag eu http://127.0.0.1:10/s
expect 0 forage page http://127.0.0.1:10/s --json
value "d['flags'], d['weight']" "(['seed', 'source'], 3)"
expect 0 forage status --json
value "d['sites'][1]['tags']" "law,press,eu"
expect 4 forage add --source --document http://127.0.0.1:9/
head -c 70000 /dev/zero | tr '\0' a >long
expect 14 forage add --seeds long
complains "long:1: a line is longer than 65536 bytes"
expect 1 forage add --seeds missing
complains "cannot open 'missing'"

# --- without a scheme ---
expect 0 forage add -w bare --operator-contact a@b.example news.example 127.0.0.1:9 localhost:8080/x
says "3 addresses, 3 of them new, on 3 new sites"
for url in https://news.example/ http://127.0.0.1:9/ http://localhost:8080/x; do
    expect 0 forage page -w bare "$url"
done
printf 'b.example/a?b\ttype=page\n[::1]:9\n' >bare.txt
expect 0 forage add -w bare --operator-contact a@b.example bare.txt
expect 0 forage page -w bare 'https://b.example/a?b'
expect 0 forage page -w bare 'http://[::1]:9/'
for word in nonsense missing.txt .example a..b 'a b.example' mail@b.example; do
    expect 4 forage add -w bare "$word"
    complains "'$word' is neither an address, such as news.example or https://news.example/, nor a file of addresses"
done
expect 4 forage add -w bare ftp:x.example
complains "is not an http or https address"
expect 0 forage watch -w bare2 --quiet --time-limit 100ms 127.0.0.1:9
expect 0 forage page -w bare2 http://127.0.0.1:9/

# --- which addresses are one page ---
expect 0 forage add -w kept --no-canonical-drop-tracking 'http://127.0.0.1:9/?b=1&a=2&utm_source=x'
silent
expect 0 forage page -w kept 'http://127.0.0.1:9/?a=2&b=1&utm_source=x' --json
value "d['url']" 'http://127.0.0.1:9/?a=2&b=1&utm_source=x'
# The workspace keeps its rules, and says so.
expect 0 forage add -w kept --no-canonical-sort-query 'http://127.0.0.1:9/?d=1&c=2&utm_source=x'
complains "canonical settings not heeded"
complains 'settings="sort-query=no drop-tracking=yes"'
complains 'workspace="sort-query=yes drop-tracking=no"'
expect 0 forage page -w kept 'http://127.0.0.1:9/?c=2&d=1&utm_source=x'
expect 0 forage run -w kept --time-limit 100ms
complains "canonical settings not heeded"
# One from before there was a choice has the usual rules.
expect 0 forage add -w usual 'http://127.0.0.1:9/?b=1&a=2&utm_source=x'
command -v python3 >/dev/null && python3 -c "import sqlite3
db = sqlite3.connect('usual/forage.db'); db.execute(\"DELETE FROM state WHERE name = 'crawl:canonical'\"); db.commit()"
expect 0 forage add -w usual --no-canonical-sort-query 'http://127.0.0.1:9/?b=1&a=2'
complains "canonical settings not heeded"
says "1 address, 0 of them new"

# --- while a crawl runs ---
forage run --time-limit 60s --net-allow-private loopback >"$scratch/run.out" 2>"$scratch/run.err" &
crawl=$!
within 30 sh -c 'forage status --json | grep -q "\"is_running\":true"'
expect 1 forage run
complains "is in use: process $crawl writes to it"
expect 0 forage doctor
says "process $crawl writes to this workspace"
expect 0 forage add http://127.0.0.1:11/late --json
value "d['handed_over'], d['process']" "(True, $crawl)"
within 30 forage page http://127.0.0.1:11/late
within 30 inbox_is_empty .
expect 0 forage status --once
says "crawling since"
says "queue "
kill -TERM "$crawl"
wait "$crawl"
code=$?
[ "$code" -eq 11 ] || flunk "the crawl ended with $code"
grep -qF 'msg="seeds taken"' "$scratch/run.err" || flunk "the crawl does not log the seeds"
expect 0 forage status
says "no crawl is running"
says "(interrupted)"

# What was handed over to a crawl that died is taken up by the next one.
leave . seeds 'http://127.0.0.1:12/left
rubbish
'
leave . nonsense half
forage run --time-limit 1s >/dev/null 2>"$scratch/err"
grep -q 'msg="a command of an unknown kind" kind=nonsense' "$scratch/err" || flunk "nonsense is not refused"
expect 0 forage page http://127.0.0.1:12/left
inbox_is_empty . || flunk "something is left in the inbox"
done_testing
