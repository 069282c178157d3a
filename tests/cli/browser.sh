# The dashboard in a browser, after a crawl of the demo web: every view, light and dark, wide and
# on a phone; numbers held against the API; adding with a preview, undoing, searching; no error
# in the console, no request beyond this machine, nothing serious for axe. Screenshots go to
# build/screenshots. Only with ./test --browser: it needs chromium, and two packages of npm.
[ -n "${FORAGE_BROWSER:-}" ] || { echo "only with ./test --browser"; exit 77; }
. tests/cli/common
for tool in chromium node npm; do
    command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
modules=$root/build/browser
if [ ! -d "$modules/node_modules/playwright-core" ] || [ ! -d "$modules/node_modules/axe-core" ]; then
    mkdir -p "$modules"
    (cd "$modules" && npm install --no-audit --no-fund --silent playwright-core axe-core) >/dev/null 2>&1 ||
        { echo "playwright-core and axe-core cannot be installed"; exit 77; }
fi
shots=$root/build/screenshots
mkdir -p "$shots"
# A crawl of the demo web, looked at when it is over, so that nothing moves; and a site to add.
expect 0 forage demo --for 20s --keep --listen 127.0.0.1:0
kept=$(sed -n 's/^kept: //p' "$scratch/err")
mkdir www && echo '<title>A small site</title><a href=/a>first</a> <a href=/b>second</a>' >www/index
echo 'User-agent: *' >www/robots.txt
python3 "$root/tests/cli/small_site.py" 127.0.0.1 &
site=$!
within 10 test -e ready
forage serve -w "$kept/learning" --listen 127.0.0.1:0 --net-allow-private loopback --ads-enabled 2>serve.err &
server=$!
within 30 grep -q '^dashboard: ' serve.err
cp "$root/tests/cli/browser.mjs" "$modules/browser.mjs"
expect 0 timeout 300 node "$modules/browser.mjs" "$(sed -n 's/^dashboard: //p' serve.err)" "$shots" "$(head -n 1 origins)/"
kill -TERM "$server"
wait "$server" || flunk "the server ends with $?"
kill "$site"
rm -rf "$kept"
done_testing
