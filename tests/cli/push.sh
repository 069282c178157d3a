# Push: a hub that works, lies and dies (WebSub); an owner who sends addresses, and a flood of
# them (IndexNow). What is told is found sooner than by polling, what is not told is found
# by polling again within the stated time.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
for part in websub indexnow; do
    mkdir "$part" && cd "$part" || exit 1
    python3 "$root/tests/cli/push_check.py" "$part" >"$scratch/out" 2>&1 || flunk "$part: $(tail -n 5 crawl.err)"
    cd ..
done
done_testing
