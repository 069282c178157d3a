# A workspace chooses for another fetcher: over HTTP and as a pipe, several at once, killed and
# started again. No lease is lost, none is given twice, and a report counts once.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
address_in() { sed -n 's/^dashboard: \([^ ]*\).*/\1/p' "$1"; }
serving() { grep -q '^dashboard: ' "$1"; }
serve() { # WORKSPACE
    : >serve.err
    forage serve -w "$1" --listen 127.0.0.1:0 2>serve.err &
    server=$!
    within 20 serving serve.err
    address=$(address_in serve.err)
}
check() { python3 "$root/tests/cli/scheduler_check.py" "$address" "$1" >"$scratch/out" 2>&1 || flunk "$1: $(cat "$scratch/out")"; }

mkdir ws
expect 0 forage next -w ws # makes it a workspace
says "nothing to fetch now"
serve ws
check first
kill -KILL $server
wait $server 2>/dev/null
serve ws
check second

# The command line and the server share it.
expect 0 forage schedule status -w ws
value "d['reports']" 7
python3 - <<'P' >reports
import json
for lease in range(1, 40):
    print(json.dumps({'lease': lease, 'links': [f'/from/{lease}']}))
P
expect 0 sh -c 'forage report -w ws <reports'
says "13 counted, 13 new pages; 7 counted before, or handed out again since; 19 of leases"
kill -TERM $server
wait $server

# The examples of docs/scheduler.md, in a workspace that is new: the pipe, with a fetcher that finds two links on
# each page, twice; the settings of Scrapy are those that the spider beside them has; and calls with curl.
mkdir tools
printf '%s\n' '#!/bin/sh' "exec sed 's|.*\"lease\":\\([0-9]*\\).*|{\"lease\":\\1,\"links\":[\"/a\",\"/b\"]}|'" >tools/fetcher
chmod +x tools/fetcher
grep '^    forage' "$root/docs/scheduler.md" | sed 's/^    //' >example
[ "$(wc -l <example)" -eq 2 ] || flunk "docs/scheduler.md has another pipe"
expect 0 env PATH="$PWD/tools:$PATH" FORAGE_WORKSPACE=piped sh -e example
says "1 counted, 2 new pages"
sed -n "s/^      \([A-Z_]*MIDDLEWARES = .*\|SCHEDULER = .*\)/\1/p" "$root/docs/scheduler.md" >settings
[ "$(wc -l <settings)" -eq 3 ] || flunk "docs/scheduler.md has other settings of Scrapy"
cut -d ' ' -f 1 settings | while read -r name; do
    value=$(sed -n "s/^$name = //p" settings)
    grep -F -q "$value" "$root/bridges/scrapy/news.py" || echo "$name"
done >"$scratch/out"
[ -s "$scratch/out" ] && flunk "the spider has other settings than docs/scheduler.md"
if command -v curl >/dev/null; then
    mkdir doc
    forage next -w doc >/dev/null
    serve doc
    sed -n "/^    api=/,/^\$/s/^    //p" "$root/docs/scheduler.md" | sed "s|^api=http://[^/]*/|api=$address|" >example
    [ "$(grep -c '^curl' example)" -eq 5 ] || flunk "docs/scheduler.md has other examples"
    expect 0 sh -e example
    says '"added":1,"known":0'
    says '"url":"https://news.example/"'
    says '"counted":1,"new":2'
    says '"changed":1,"blocked":true'
    says '"pages":3'
    kill -TERM $server
    wait $server
fi

# Four at once: each page goes to one of them. Then a fetcher that is killed in the middle.
forage schedule add -w many $(seq -f 'https://s%g.example/' 40) >/dev/null || flunk "add"
for i in 1 2 3 4; do
    forage next -w many -n 10 --jsonl >"next.$i" 2>"err.$i" &
done
wait
cat next.? >handed
[ "$(sed 's/.*"url":"\([^"]*\)".*/\1/' handed | sort -u | wc -l)" -eq 40 ] || flunk "$(wc -l <handed) leases: $(cat err.?)"
mkfifo pipe
forage report -w many <pipe >/dev/null &
reporter=$!
exec 3>pipe
head -n 20 handed | sed 's/.*"lease":\([0-9]*\).*/{"lease":\1,"links":["\/x"]}/' >&3
counted() { [ "$(forage schedule status -w many | sed 's/.*"reports":\([0-9]*\).*/\1/')" -eq 20 ]; }
within 20 counted
kill -KILL $reporter
wait $reporter 2>/dev/null
exec 3>&-
expect 0 forage schedule status -w many
value "(d['leases'], d['reports'], d['pages'])" "(20, 20, 60)"

# A lease that nothing is heard of is handed out again, and then the first one is void.
expect 0 forage schedule add -w short https://a.example/
FORAGE_FETCH_DELAY=0s FORAGE_SCHEDULER_LEASE=1s expect 0 forage next -w short
says "1 https://a.example/"
FORAGE_FETCH_DELAY=0s FORAGE_SCHEDULER_LEASE=1s expect 0 forage next -w short
says "nothing to fetch"
sleep 1.2
FORAGE_FETCH_DELAY=0s FORAGE_SCHEDULER_LEASE=1s expect 0 forage next -w short
says "2 https://a.example/"
expect 0 sh -c 'echo "{\"lease\":1}" | forage report -w short'
says "0 counted, 0 new pages; 1 counted before, or handed out again since"
expect 0 sh -c 'echo "{\"lease\":2}" | forage report -w short --jsonl'
says '{"lease":2,"fate":"counted","changed":false,"new":0,"new_links":[]}'

# What is wrong with a line is told, and the others count.
forage schedule add -w short https://b.example/ https://c.example/ >/dev/null
forage next -w short -n 9 >/dev/null
expect 1 sh -c 'printf "nonsense\n{\"lease\":3}\n{\"lease\":\"x\"}\n" | forage report -w short'
complains "standard input:1: not JSON"
complains "standard input:3: a report is an object with the 'lease' that it is about"
says "1 counted"
# A misspelt key would lose what it says; the keys of a lease may stand in the line.
forage schedule add -w keys https://k.example/ >/dev/null
lease=$(forage next -w keys --jsonl)
number=$(printf '%s' "$lease" | sed 's/.*"lease":\([0-9]*\).*/\1/')
expect 1 sh -c "echo '{\"lease\":$number,\"linkz\":[\"/1\"]}' | forage report -w keys"
complains "standard input:1: a report has no 'linkz'; it has lease, outcome, links"
expect 1 sh -c "echo '{\"lease\":$number,\"partial\":\"yes\"}' | forage report -w keys"
complains "standard input:1: 'partial' must be true or false"
expect 0 sh -c "echo '${lease%\}},\"links\":[\"/1\"]}' | forage report -w keys"
says "1 counted, 1 new page"
expect 1 forage schedule add -w short nonsense
complains "is not an address"
expect 1 forage schedule block -w short https://nobody.example/
complains "does not know the page"
# Many entries become a snapshot, which a fresh process reads.
python3 - <<'P' >lines
for i in range(300):
    print('{"lease": 4000000}' if i else '{"lease": 4, "links": ["/1", "/2"]}')
P
for i in $(seq 3); do forage schedule add -w short "https://d$i.example/" >/dev/null || flunk "add $i"; done
expect 0 sh -c 'forage report -w short <lines'
says "1 counted, 2 new pages"
expect 0 env FORAGE_POLICY_DISCOVERY=thompson forage schedule status -w short
value "(d['policy'], d['pages'])" "('thompson', 8)"
expect 4 env FORAGE_POLICY_DISCOVERY=nonsense forage next -w short
complains "there is no policy 'nonsense'"
done_testing
