# Where redirects lead is told: by fetch, by page, by why.
. tests/cli/common
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
python3 "$root/tests/data/cli/redirects.py" >port &
server=$!
trap 'kill $server; rm -rf "$scratch"' EXIT
within 30 test -s port
origin=http://127.0.0.1:$(cat port) other=http://localhost:$(cat port)
export FORAGE_FETCH_DELAY=0 FORAGE_NET_ALLOW_PRIVATE=loopback

# --- fetch ---
expect 0 forage fetch "$origin/"
says "redirect   301 from $origin/"
says "url        $other/home"
expect 1 forage fetch "$origin/self"
complains "'$origin/self' redirects in a circle: redirect 1 leads back to an address before it"
expect 1 forage fetch "$origin/circle"
complains "'$origin/circle' redirects in a circle: redirect 2 leads back"
expect 1 forage fetch "$origin/many/1"
complains "redirects too often: redirect 6 was not followed, because fetch.max-redirects is 5"
expect 1 forage fetch --fetch-max-redirects 0 "$origin/"
complains "redirect 1 was not followed, because fetch.max-redirects is 0"
# A name outside is not even looked up while nobody answers for the request.
expect 1 forage fetch "$origin/away"
complains "'http://outside.invalid/page' was not asked for"
complains "nobody answers for this crawl, so it may not leave this machine"

# --- a crawl ---
expect 0 forage watch --quiet --once --crawl-budget 0 "$origin/"
# The seed means the other site, and is told as such.
expect 0 forage page "$origin/"
says "leads to       $other/home"
says "title          Home"
says "1 visit"
grep -q "visits *0" "$scratch/out" && flunk "an alias seems to have been forgotten"
expect 0 forage page "$origin/" --json
value "d['alias_of'], d['target']['url'], d['target']['visits'], d['target']['flags']" \
    "('$other/home', '$other/home', 1, ['seed', 'source', 'list'])"
expect 0 forage why "$origin/"
says "because        it leads to $other/home"
says "is             a source: looked at for new pages"
expect 0 forage why "$origin/" --json
value "d['cause'], d['leads_to'], d['target']['is']" "('alias', '$other/home', 'source')"
# Within a site.
expect 0 forage page "$other/old" --json
value "d['alias_of'], d['target']['status']" "('$other/story/1.html', 200)"
# Away from all sites: where to is told, but it is none of ours.
expect 0 forage page "$other/beyond" --json
value "d['alias_of'], 'target' in d" "('http://beyond.localhost:$(cat port)/story/9.html', False)"
expect 0 forage why "$other/beyond"
says "it leads to http://beyond.localhost:$(cat port)/story/9.html, which is not watched"
expect 0 sh -c "forage export --what pages --jsonl | grep '\"url\":\"$origin/\"'"
value "d['alias_of']" "$other/home"

# --- which addresses are one page ---
expect 0 forage page "$other/story/2.html?a=1&b=2"
expect 0 forage watch -w other --quiet --once --crawl-budget 0 --no-canonical-sort-query "$other/home"
expect 0 forage page -w other "$other/story/2.html?b=2&a=1"
says "$other/story/2.html?b=2&a=1"
expect 1 forage page -w other "$other/story/2.html?a=1&b=2"
done_testing
