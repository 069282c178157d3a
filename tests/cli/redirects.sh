# Where redirects lead is told: by fetch, by page, by why.
. tests/cli/common
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
python3 "$root/tests/data/cli/redirects.py" >port &
server=$!
trap 'kill $server; rm -rf "$scratch"' EXIT
within 10 test -s port
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
done_testing
