# Rules a person can hold: scope and patterns; and explain, which tells which of them
# decides.
. tests/cli/common
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
python3 "$root/tests/cli/rules_server.py" >"$scratch/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
within 30 test -s urls
a=$(sed -n 1p urls) b=$(sed -n 2p urls)
crawl="--quiet --net-allow-private loopback --crawl-budget 0 --fetch-delay 1ms --crawl-tick 1s"
known() { forage export -w "$1" | grep -qF "\"url\":\"$2\""; }

# 1. Scope: a prefix, single pages, a host, a domain.
expect 0 forage add -w prefix --scope prefix "$a/news/"
expect 0 forage run -w prefix $crawl --once --time-limit 30s
known prefix "$a/news/8" || flunk "a page below the prefix is missing"
for page in "$a/" "$a/print/1" "$b/"; do
    known prefix "$page" && flunk "scope prefix: $page"
done
expect 0 forage ledger "$a" -w prefix --json
value "sorted({r['url'].split('/')[3] for r in d['ledger']})" "['news', 'robots.txt']"
expect 0 forage explain "$a/print/1" -w prefix --json
value "d['crawled'], d['verdict']" "(False, 'outside-prefix')"
expect 0 forage explain "$a/news/99" -w prefix --json
value "d['crawled'], d['verdict'], d['rules_by']" "(True, 'if-linked', '$a/news/')"

expect 0 forage add -w page --scope page "$a/"
expect 0 forage run -w page $crawl --once --time-limit 30s
expect 0 forage export -w page
lines 1
expect 0 forage explain "$a/news/1" -w page --json
value "d['crawled'], d['verdict']" "(False, 'pages-only')"

expect 0 forage add -w domain --scope domain --tag mine "$a/"
expect 0 forage run -w domain $crawl --once --time-limit 30s
known domain "$b/news/3" || flunk "scope domain: the other host is not watched"
expect 0 forage site "$b" -w domain --json
value "d['tags'], d['scope']" "('mine', 'domain')"
expect 0 forage add -w host "$a/"
expect 0 forage run -w host $crawl --once --time-limit 30s
known host "$a/print/1" || flunk "scope host: a page of the host is missing"
known host "$b/" && flunk "scope host: another host is watched"

# 2. Patterns of one site, from the next start on; what was a source before is none then.
expect 0 forage add -w host --source "$a/print/1"
expect 0 forage site "$a" -w host --exclude '*/print/*,*/news/7' --tag x
says "these hold from the next start on"
expect 0 forage explain "$a/news/7" -w host --json
value "d['verdict'], d['rules_by']" "('excluded', '*/news/7')"
expect 0 forage explain "$a/print/1" -w host --json
value "d['crawled']" True
expect 0 forage explain "$a/private/x?utm_source=a#b" -w host --json
value "d['verdict'], d['robots']['rule'], d['robots']['line']" "('robots', '/private', 3)"
value "d['normalised'], d['changes']" "('$a/private/x', ['fragment dropped', \"parameter 'utm_source' dropped\"])"
expect 0 forage explain "$a/private/x" -w host
says 'not crawled    robots.txt forbids it: "Disallow: /private" on line 3'
expect 0 forage explain "$a/private/open/x" -w host
says 'allows it: "Allow: /private/open" on line 4'
expect 0 forage explain "$a/pic.png" -w host --json
value "d['verdict']" binary
expect 0 forage explain "$a/no" -w host --crawl-exclude '*/no' --json
value "d['verdict'], d['settings_by']" "('excluded', '*/no')"
expect 0 forage explain "http://127.0.0.2:9/" -w host --json
value "d['crawled'], d['verdict'], d['site'], d['page']" "(False, 'not-watched', None, None)"
expect 0 forage explain "$a/" -w host
says "is             a source"
says "score"
expect 4 forage explain ftp://x.example/ -w host
expect 0 forage explain "$a/" -w nowhere
[ -e nowhere ] && flunk "explain makes a workspace"

# Mistakes are refused, and nothing is written.
expect 4 forage site "$a" -w host --ignore 'p >'
complains "neither a selector"
expect 4 forage site "$a" -w host --prefix http://elsewhere.example/
expect 4 forage site "$a" -w host --scope prefix
complains "needs a --prefix"
expect 4 forage site "$a" -w host --prefix /x --scope host
complains "--prefix and --scope host cannot be combined"
expect 4 forage site "$a" -w host --reset colour
expect 1 forage site nobody.example -w host
expect 4 forage add -w host --scope world "$a/"
expect 0 forage site "$a" -w host --reset exclude,tags --json
value "d['exclude'], d['tags'], d['changed']" "([], '', True)"
expect 0 forage site "$a" -w host --json
value "d['changed']" False
done_testing
