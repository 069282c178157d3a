# forage fetch: one page the way the crawler would ask for it.
. tests/cli/common

forage simulate --for 60s --sites 1 >urls 2>/dev/null &
web=$!
trap 'kill $web 2>/dev/null; rm -rf "$scratch"' EXIT
within 30 test -s urls
site=$(cat urls)
export FORAGE_FETCH_DELAY=0 FORAGE_NET_ALLOW_PRIVATE=loopback

expect 0 forage fetch "$site"
silent
says "url        $site"
says "robots     allowed (no rule against it)"
says "status     200"
says "kind       html"
expect 0 forage fetch --headers --links --text "$site"
says "Content-Type: text/html"
says "${site}section/"
says "imprint"
expect 0 forage fetch --json "$site"
json
value "d['status'], d['end'], d['outcome'], d['kind'], d['robots']['verdict']" \
    "(200, 'answered', 'fetched', 'html', 'allowed')"
value "len(d['links']) > 20 and len(d['text']) > 100 and d['redirects']" "[]"
value "dict(d['headers'])['Content-Type'][:9]" "text/html"

# What robots.txt forbids is not asked for, and the rule is named.
expect 1 forage fetch "${site}private/desk"
says "robots     forbidden (Disallow: /private/)"
complains "robots.txt forbids '${site}private/desk' (Disallow: /private/)"
expect 1 forage fetch --json "${site}private/desk"
json
value "d['end'], d['robots']['verdict'], d['robots']['rule'], 'status' in d" \
    "('robots', 'forbidden', 'Disallow: /private/', False)"
expect 4 forage fetch --ignore-robots "${site}private/desk"
complains "ignore-robots"

expect 1 forage fetch "${site}nothing-here"
says "status     404"
# Nobody listens; this machine is not public; nobody answers for a crawl of the web.
expect 1 forage fetch http://127.0.0.1:9/
complains "robots.txt of its host cannot be had"
expect 1 forage fetch --net-allow-private no "$site"
complains "the address is not public"
expect 1 forage fetch --net-allow-private no --operator-contact me@example.org http://10.0.0.1/
complains "the address is not public"
expect 4 forage fetch http://example.org/
complains "operator.contact"
expect 4 forage fetch http://127.evil.example/
complains "operator.contact"
expect 4 forage fetch ftp://127.0.0.1/
complains "not an http or https address"
expect 4 forage fetch nonsense
complains "not an absolute URL"
expect 4 forage fetch

# A host that is busy has a code of its own.
kill $web
wait $web 2>/dev/null
rm urls
forage simulate --for 60s --sites 1 --trouble 1 >urls 2>/dev/null &
web=$!
within 30 test -s urls
expect 18 forage fetch "$(cat urls)"
says "status     503"
done_testing
