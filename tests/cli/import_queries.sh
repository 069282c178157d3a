# What people search for, from a file: counted beside our own searches, or refused whole.
. tests/cli/common

printf '12\tWild   Mushrooms\n3\tporcini risotto\nporcini risotto\n\n' | gzip >queries.tsv.gz
expect 0 forage import queries -w ws queries.tsv.gz
says "3 queries, asked 16 times"
expect 0 forage import queries -w ws queries.tsv.gz --json
value "d['queries'], d['times']" "(3, 16)"
python3 - <<'END' >rows || fail "cannot read the queries"
import sqlite3
db = sqlite3.connect("ws/forage.db")
print(sorted(db.execute("SELECT words, sum(times) FROM queries GROUP BY words")))
END
grep -qF "[('porcini risotto', 8), ('wild mushrooms', 24)]" rows || fail "$(cat rows)"

printf '12\tgood\nx\tbad\n0\tnone\n5\t \n' >wrong.tsv
expect 1 forage import queries -w ws wrong.tsv
complains "wrong.tsv:2: before the tab stands how often it was asked, from 1 on"
complains "wrong.tsv:4: there is no query"
complains "3 lines are wrong; nothing was imported"
expect 1 forage import queries -w ws /dev/null
complains "has no query"
