# A worker whose role may not make, change or drop anything in the database, and what its
# processes say to it: statements that stay within the schema of their lot, as sharding by
# schema needs them.
server=$PWD/tests/support/postgres
. tests/cli/common
pg=/tmp/forage-pg-$$
address=$("$server" start "$pg") || { code=$?; echo "$address"; exit $code; }
stop_all() {
    for pid in $(cat pids 2>/dev/null) $(ps -eo pid,args | awk -v s="$scratch/ws" 'index($0, s) && !/awk/ {print $1}'); do
        kill -9 "$pid" 2>/dev/null
    done
    "$server" stop "$pg"
    rm -rf "$scratch"
}
trap stop_all EXIT
sql() { psql -AtqX -v ON_ERROR_STOP=1 "$address" -c "$1"; }

mkdir www www/news
for n in 1 2 3 4 5 6; do
    printf '<html lang="en"><head><title>title %s</title></head><body><p>Article %s was written about mushrooms and tea.</p></body></html>' $n $n >www/news/a$n
done
{
    printf '<html lang="en"><head><title>front</title></head><body>'
    for n in 1 2 3 4 5 6; do printf '<p><a href="/news/a%s">article number %s</a></p>' $n $n; done
} >www/index.html
cp www/index.html www/index
python3 "$root/tests/cli/small_site.py" 127.0.0.1 127.0.0.2 127.0.0.3 >/dev/null 2>&1 & echo $! >>pids
within 20 test -e ready

worker() { # ROLE WORDS...
    at=$(echo "$address" | sed "s/forage@/$1@/")
    shift
    forage run -w "$scratch/ws" --worker --worker-name one --store-lots 2 --worker-lease 4s --net-allow-private loopback --fetch-delay 20ms \
        --crawl-tick 2s --crawl-budget 60000 --store-place "$at#news" --no-server --log-level info "$@" 2>>one.log &
    worker=$!
    echo $worker >>pids
}

# Who owns the schemas makes them, once; and the tables behind 'forage ads'.
worker forage --time-limit 1s
wait "$worker"
FORAGE_STORE_PLACE="$address#news" expect 0 forage ads list
sql 'CREATE ROLE crawler LOGIN'
for schema in news news_lot0000 news_lot0001; do
    sql "GRANT USAGE ON SCHEMA $schema TO crawler; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA $schema TO crawler"
done
sql "ALTER ROLE crawler SET log_statement = 'all'"
sql "ALTER SYSTEM SET log_line_prefix = '@%a@'"
sql 'SELECT pg_reload_conf()' >out.reload

worker crawler
FORAGE_STORE_PLACE=$(echo "$address" | sed 's/forage@/crawler@/')#news
export FORAGE_STORE_PLACE
within 30 sh -c "forage workers --json 2>/dev/null | grep -q '\"one\"'"
# shellcheck disable=SC2046
expect 0 forage add --net-allow-private loopback $(cat origins)
within 60 sh -c "test \"\$(psql -AtqX '$address' -c 'SELECT count(*) FROM news.visits')\" -ge 10"
expect 0 forage search mushrooms
says "title"
expect 0 forage pause "$(head -n 1 origins)"
expect 0 forage ads list
expect 0 forage schedule add http://127.0.0.1:9/page
expect 0 forage next
says "http://127.0.0.1:9/page"
kill "$worker"
wait "$worker"
code=$?
[ "$code" -eq 11 ] || flunk "the worker ends with $code: $(tail -n 5 one.log)"
grep -q "permission denied" one.log && flunk "it lacks a right: $(grep -m 3 'permission denied' one.log)"
expect 0 forage status --json
value "d['totals']['known'] >= 21" True
psql -AtqX "$(echo "$FORAGE_STORE_PLACE" | sed 's/#.*//')" -c 'DROP TABLE news_lot0000.pages CASCADE' 2>drop.err && flunk "it may drop a table"
[ "$(sql "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal")" -eq 0 ] || flunk "there are triggers"

sql "SELECT proname, bool_or(provolatile = 'v') FROM pg_proc GROUP BY 1" >functions
cp "$pg/log" statements 2>/dev/null || cat "$pg/log" >statements
python3 - <<'END' || flunk "a statement leaves the schema of its lot, or is volatile"
import re, sys
volatile = {line.split('|')[0] for line in open('functions') if line.strip().endswith('|t')}
text = open('statements', errors='replace').read()
said = re.findall(r'@(forage[^@]*)@LOG:\s+(?:statement|execute [^:]*|execute): (.*?)(?=\n@|\Z)', text, re.S)
assert len(said) > 100, len(said)
writes, bad = 0, []
for who, one in said:
    for part in one.split(';'):
        part = ' '.join(part.split())
        if re.search(r'\bnews\w*\.\w', part) or re.search(r'force_generic', part, re.I):
            bad.append(part)
        if re.match(r'(WITH .*)?(INSERT|UPDATE|DELETE)\b', part):
            writes += 1
            called = set(re.findall(r'\b([a-z_]+)\(', part)) & volatile
            if called:
                bad.append('%s %s' % (called, part))
if bad or writes < 20:
    print('\n'.join(bad[:5]), writes)
sys.exit(bool(bad) or writes < 20)
END
done_testing
