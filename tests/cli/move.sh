# forage move: a lot goes to another server and back while it is written to, and while a worker
# crawls it; moves that are killed are ended or taken back by the next one. Nothing that was
# acknowledged is lost, nothing is there twice, and the whole shows all lots wherever they are.
# With --long a lot of 100 MB is moved, and the figures of docs/scale-out.md are asked for.
server=$PWD/tests/support/postgres
. tests/cli/common
pg=/tmp/forage-pg-$$
stop_all() {
    for pid in $(cat pids 2>/dev/null) $(ps -eo pid,args | awk -v s="$scratch/ws" 'index($0, s) && !/awk/ {print $1}'); do
        kill -9 "$pid" 2>/dev/null
    done
    "$server" stop "$pg"
    "$server" stop "$pg-b"
    rm -rf "$scratch"
}
here=$("$server" start "$pg") || { code=$?; echo "$here"; exit $code; }
trap stop_all EXIT
there=$("$server" start "$pg-b") || exit 1
sql() { psql -AtqX -v ON_ERROR_STOP=1 "$1" -c "$2"; }
export FORAGE_STORE_PLACE="$here#news"

anchor=$(date -u +%Y-%m-%dT%H:%M:%SZ)
worker() {
    forage run -w "$scratch/ws" --worker --worker-name one --store-lots 3 --worker-lease 4s --net-allow-private loopback --fetch-delay 6s \
        --crawl-tick 1m --crawl-budget 6000 --clock-speed 60 --clock-anchor "$anchor" --no-server --log-level info "$@" 2>>one.log &
    worker=$!
    echo $worker >>pids
}
worker --time-limit 1s
wait "$worker"

# What cannot be done is said before anything is changed.
expect 4 forage move 3 "$there"
complains "there is no lot 3: they are 0 to 2"
expect 4 forage move two "$there"
expect 4 forage move 2 db.example
complains "the address of the other server is malformed"
expect 4 forage move 2 "postgresql://forage:secret@db.example/web"
complains "has a password in it"
grep -q secret "$scratch/err" && flunk "a password is shown"
expect 4 forage move 2 "$here"
complains "lot 2 is there already"
expect 4 forage move 2 "$there" --give-up
complains "no move of lot 2 was broken off"
expect 4 forage move 2 "$there"
complains "wal_level 'replica'"
for at in "$pg" "$pg-b"; do
    sql "postgresql://forage@/postgres?host=$at" "ALTER SYSTEM SET wal_level = logical"
    "$server" kill "$at"
    "$server" again "$at"
done
sql "$here" "CREATE DATABASE other"
expect 4 forage move 2 "$(echo "$here" | sed 's|/postgres?|/other?|')"
complains "is on the same server"
expect 1 forage move 2 "postgresql://forage@/postgres?host=/tmp/nobody"
complains "cannot open"
expect 1 forage move 2 "$there" --as nobody
complains "does not exist"
sql "$there" "CREATE SCHEMA news_lot0002"
expect 4 forage move 2 "$there"
complains "there is a schema 'news_lot0002' in the database"
sql "$there" "DROP SCHEMA news_lot0002"
FORAGE_STORE_PLACE="$here#alone" expect 4 forage move 2 "$there"
unset FORAGE_STORE_PLACE
expect 4 forage move 2 "$there"
complains "this crawl is in a file"
export FORAGE_STORE_PLACE="$here#news"
clean() { # nothing is left of a move but what it is for
    for at in "$here" "$there"; do
        left=$(sql "$at" "SELECT subname FROM pg_subscription UNION ALL SELECT slot_name FROM pg_replication_slots UNION ALL SELECT pubname FROM pg_publication")
        [ -z "$left" ] || flunk "left behind: $left"
    done
    left=$(sql "$here" "SELECT nspname FROM pg_namespace WHERE nspname ~ '_(old|try)$' UNION ALL SELECT name FROM news.meta WHERE name ~ 'moving'")
    [ -z "$left" ] || flunk "left behind: $left"
}
clean

# A writer of lot 2, and the lot there and back.
"$builds/tests/store/make_lot_writer" "$here#news" 2 "${FORAGE_LONG:+140}300" 600 >writer.out 2>&1 & writer=$!
echo $writer >>pids
within 120 grep -q filled writer.out
expect 0 forage move 2 "$there"
says "are the same there"
cat "$scratch/out"
clean
expect 0 forage workers --json
value "[bool(l['home']) for l in d['lots']]" "[False, False, True]"
expect 4 forage move 2 "$there"
complains "there already"
sleep 1
[ "$(sql "$here" "SELECT count(*) FROM news_lot0002.outbox")" -gt 300 ] || flunk "the whole does not read what is there"
[ "$(sql "$there" "SELECT count(*) FROM news_lot0002.outbox")" -gt 300 ] || flunk "nothing is written there"
# Killed at some moment, again and again, and then let be; once taken back.
for after in .2 .8 1.4 ${FORAGE_LONG:+.4 .6 1 1.2 1.6 1.8 2}; do
    forage move 2 "$here" >/dev/null 2>>killed.err & mover=$!
    sleep $after
    kill -9 $mover
    wait $mover 2>/dev/null
    if [ $after = .8 ]; then
        forage move 2 "$here" --give-up >"$scratch/out" 2>"$scratch/err" || grep -q "no move\|is there" "$scratch/err" || flunk "a move cannot be taken back"
    fi
done
forage move 2 "$here" >"$scratch/out" 2>"$scratch/err" || grep -q "there already" "$scratch/err" || flunk "a move that was killed cannot be ended"
clean
expect 0 forage workers --json
value "[l['home'] for l in d['lots']]" "['', '', '']"
kill $writer
wait $writer || flunk "the writer has failed: $(cat writer.out)"
tail -n 1 writer.out
results=$(($(sed -n 's/^\([0-9]*\) results.*/\1/p' writer.out) + ${FORAGE_LONG:+140}300))
[ "$(sql "$here" "SELECT count(*), max(number), count(DISTINCT id) FROM news_lot0002.outbox")" = "$results|$results|$results" ] ||
    flunk "of $results events there are $(sql "$here" "SELECT count(*), max(number), count(DISTINCT id) FROM news_lot0002.outbox")"
[ "$(sql "$there" "SELECT count(*) FROM pg_namespace WHERE nspname ~ 'news'")" -eq 0 ] || flunk "the other server still has it"
sql "$here" "DELETE FROM news_lot0002.outbox; DELETE FROM news_lot0002.visits; DELETE FROM news_lot0002.pages; UPDATE news_lot0002.lease SET epoch = 0"
if [ -n "${FORAGE_LONG:-}" ]; then
    python3 - "$scratch/out" <<'END' || flunk "too slow: $(cat writer.out)"
import re, sys
gap = float(re.search(r'longest gap ([0-9.]+)', open('writer.out').read())[1])
sys.exit(gap > 1)
END
fi

[ $bad -eq 0 ] || exit 1

# A worker that crawls, and the lot of one of its sites, then the first lot.
mkdir www www/news
for n in 1 2 3 4 5 6; do
    printf '<html lang="en"><head><title>title %s</title></head><body><p>Article %s was written about mushrooms and tea.</p></body></html>' $n $n >www/news/a$n
done
{
    printf '<html lang="en"><head><title>front</title></head><body>'
    for n in 1 2 3 4 5 6; do printf '<p><a href="/news/a%s">article number %s</a></p>' $n $n; done
} >www/index
python3 "$root/tests/cli/small_site.py" 127.0.0.1 127.0.0.2 127.0.0.3 127.0.0.4 >/dev/null 2>&1 & echo $! >>pids
within 20 test -e ready
worker
within 30 sh -c "forage workers --json 2>/dev/null | grep -q '\"one\"'"
# shellcheck disable=SC2046
expect 0 forage add --net-allow-private loopback $(cat origins)
known() { [ "$(sql "$here" "SELECT count(*) FROM news.pages")" -ge "$1" ]; }
within 60 known 28
for lot in 0 1; do
    expect 0 forage move $lot "$there"
    says "are the same there"
done
for n in 7 8 9; do
    cp www/news/a1 www/news/a$n
    printf '<p><a href="/news/a%s">article number %s</a></p>' $n $n >>www/index
done
within 60 known 40
expect 0 forage search mushrooms
says "title"
expect 0 forage pause "$(head -n 1 origins)"
within 20 sh -c "forage status --json | python3 -c \"
import json, sys
sys.exit(not any(s['state'] == 'paused' for s in json.load(sys.stdin)['sites']))\""
kill "$worker"
wait "$worker"
code=$?
[ "$code" -eq 11 ] || flunk "the worker ends with $code: $(tail -n 5 one.log)"
grep -q "the process of a lot has ended" one.log && flunk "a lot's process has failed: $(grep -m 3 error one.log)"
# It starts again from where the lots are.
worker --time-limit 2s
wait "$worker"
grep -q "the process of a lot has ended" one.log && flunk "a lot's process has failed: $(grep -m 3 error one.log)"
expect 0 forage status --json
value "d['totals']['known'] >= 40" True
clean
done_testing
