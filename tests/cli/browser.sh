# The dashboard in a browser, over a crawl of the demo web: every view, light and dark, wide and
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
forage demo --for 400s --listen 127.0.0.1:0 >demo.out 2>demo.err &
demo=$!
within 30 grep -q '^dashboard: ' demo.err
address=$(sed -n 's/^dashboard: //p' demo.err)
sleep 20 # so that there is something to see
cp "$root/tests/cli/browser.mjs" "$modules/browser.mjs"
expect 0 timeout 350 node "$modules/browser.mjs" "$address" "$shots"
kill -TERM "$demo" 2>/dev/null
wait "$demo"
done_testing
