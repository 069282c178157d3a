# Experiments about refreshing for those who search: a set of versions from its files to the
# table, the JSON and the page; the generator; and what a bad file is told.
. tests/cli/common

mkdir -p data/tiny
# Twelve pages of two sites; page i has the terms 0 and 1 + i % 3, and from week 1 + i on
# another one in place of the latter.
awk 'BEGIN { for (i = 0; i < 12; i++) printf "%d\tsite%d\t%d\t2\tpage-%d\n", i, i % 2, i, i }' >data/tiny/pages.tsv
printf 'all\t12\none\t4\ntwo\t4\nthree\t4\nlate\t0\n' >data/tiny/terms.tsv
awk 'BEGIN {
    for (i = 0; i < 12; i++) {
        printf "%d\t0\t20\t1:%d %d:2\n", i, 1 + i, 1 + i % 3
        printf "%d\t%d\t20\t%d:0 %d:3\n", i, 1 + i, 2 + i % 3, 3 - i % 3
    }
}' >data/tiny/versions.tsv
printf '0.6\t0\tall\n0.3\t1\tone\n0.1\t0 4\tall late\n' | gzip >data/tiny/queries_heads.tsv.gz
awk 'BEGIN { for (i = 0; i < 24 * 84; i++) printf "%c", 65 + int(i / 84) % 2 }' | gzip >data/tiny/sketches.bin.gz
export FORAGE_DATA=data

expect 0 forage lab list
says "tiny"
says "searched"

cat >small.yaml <<'END'
name: small
kind: quality
workloads:
  - {versions: tiny, queries: heads}
  - {name: made, generate: searched, pages: 60, runs: 2, known: true}
budgets: [5 %, 100 %]
warm_up: 5
policies: [round-robin, stake, {policy: sbr, label: sbr 0, tau: 0}, {policy: sbr, label: sbr .5, tau: 0.5}]
compare:
  - {policy: stake, with: [round-robin, sbr 0]}
END
expect 0 forage lab run small.yaml --html small.html
says "tiny, heads, tfidf, budget 5 %"
says "sbr, best tau"
says "8 buckets a query"
says "stake to round-robin"
says "made, stake needs"
grep -q 'Resources for a level of quality' small.html || fail "no chart of resources"

expect 0 forage lab run small.yaml --json -
value "[r['policy'] for r in d['rows'] if r['workload'] == 'made' and r['budget'] == '100 %'][:2]" "['round-robin', 'stake']"
# All fetched each week: nothing is lost. Few fetched: something is.
value "max(abs(r['lost']['mean']) for r in d['rows'] if r['budget'] == '100 %') < 1e-9" True
value "min(r['lost']['mean'] for r in d['rows'] if r['budget'] == '5 %') > 0" True

sed 's/queries: heads/queries: tails/' small.yaml >bad.yaml
expect 1 forage lab run bad.yaml
complains "no query log 'tails': queries_tails.tsv is missing"
cp data/tiny/versions.tsv versions.tsv
sed '3s/^1/7/' versions.tsv >data/tiny/versions.tsv
expect 1 forage lab run small.yaml
complains "line 3: expected page, week, words and changes"
sed '2s/\t2:0/\t9:0/' versions.tsv >data/tiny/versions.tsv
expect 1 forage lab run small.yaml
complains "changes as gap or gap:count, of known terms"
sed 24d versions.tsv >data/tiny/versions.tsv
expect 1 forage lab run small.yaml
complains "has not 84 bytes for each row"
