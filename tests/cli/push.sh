# Push: a hub that works, lies and dies (WebSub); an owner who sends addresses, and a flood of
# them (IndexNow). What is told is found sooner than by polling, what is not told is found
# by polling again within the stated time. With FORAGE_LONG=1 delays are compared over hours.
speed=${1:-60}
long=${FORAGE_LONG:-}
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
parts="websub indexnow ${long:+delay}"
for part in $parts; do # side by side: they wait most of the time
    mkdir "$part"
    (cd "$part" && PUSH_SPEED=$speed exec python3 "$root/tests/cli/push_check.py" "$part" >out 2>&1) &
    echo $! >"$part.pid"
done
for part in $parts; do
    wait "$(cat "$part.pid")" && continue
    cp "$part/out" "$scratch/out"
    flunk "$part: $(tail -n 5 "$part/crawl.err")"
done
done_testing_or push.sh 20
