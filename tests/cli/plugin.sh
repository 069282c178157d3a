# A policy in a shared object runs in the lab beside the others; what is wrong with one is said.
. tests/cli/common
example=$root/examples/policy.c
mkdir include && cp "$root/src/policy/forage_plugin.h" include
${CC:-cc} -Wall -Wextra -Werror -Iinclude -shared -fPIC "$example" -o mine.so -lm || flunk "the example does not compile"

cat >two.yaml <<'YAML'
name: two
title: Two sites, two weeks
workloads:
  - {name: news, generate: news, sites: 2, hours: 240, seed: 1, policies: [round-robin, random]}
budgets: [1]
policies: [round-robin, random]
warm_up: 100
YAML
expect 0 forage lab run two.yaml --plugin ./mine.so --json two.json --html two.html
says waiting
grep -q -- 'forage lab run two.yaml --plugin ./mine.so --json two.json --html two.html' two.html ||
    flunk "the report does not name its command"
# Named in an experiment it takes its knobs, and is run once.
sed 's/^policies:.*/policies: [round-robin, {policy: waiting, label: short, half-life: 5}]/; s/, policies: .*}/}/' two.yaml >named.yaml
expect 0 forage lab run named.yaml --plugin ./mine.so
says short
expect 4 forage lab run named.yaml
complains waiting
sed 's/half-life: 5/half-life: 0/' named.yaml >wrong.yaml
expect 4 forage lab run wrong.yaml --plugin ./mine.so
complains half-life

# The same twice.
expect 0 forage lab run two.yaml --plugin ./mine.so --json again.json
cmp_rows() { tr ',' '\n' <"$1" | grep -v '"seconds"\|"command"'; }
[ "$(cmp_rows two.json)" = "$(cmp_rows again.json)" ] || flunk "two runs differ"

# By its bare name, as the header's example says it; that example is what the header has.
expect 0 forage lab run two.yaml --plugin mine.so
says waiting
sed -n '/#include <forage_plugin.h>/,/forage_plugin(void)/s/^ \*     //p' include/forage_plugin.h >oldest.c
${CC:-cc} -Wall -Wextra -Iinclude -shared -fPIC -o oldest.so oldest.c || flunk "the example of the header does not compile"
expect 0 forage lab run two.yaml --plugin oldest.so
says oldest

# One of another task is refused, and named where another experiment takes it.
sed 's/FORAGE_DISCOVERY | FORAGE_REFRESH/FORAGE_REFRESH/' oldest.c >copies.c
${CC:-cc} -Iinclude -shared -fPIC -o copies.so copies.c
expect 4 forage lab run two.yaml --plugin ./copies.so
complains "policy 'oldest' takes no part in 'two': its task is FORAGE_REFRESH (copies kept fresh), that of the experiment is FORAGE_DISCOVERY (new pages found early)"
cat >fresh.yaml <<'YAML'
name: fresh
kind: refresh
workloads:
  - {generate: restless, setting: 2, runs: 1, pages: 20}
budgets: [1]
policies: [round-robin]
YAML
expect 0 forage lab run fresh.yaml --plugin ./copies.so
says oldest
mkdir both
expect 0 forage lab run fresh.yaml two.yaml --plugin ./copies.so --json both
complains "policy 'oldest' takes no part in 'two'"

# What cannot be loaded.
expect 1 forage lab run two.yaml --plugin ./none.so
complains none.so
expect 4 forage lab run two.yaml --plugin ./mine.so,./mine.so
complains 'of its name already'
sed 's/\.abi = FORAGE_PLUGIN_ABI/.abi = 99/' "$example" >other.c
${CC:-cc} -Iinclude -shared -fPIC other.c -o other.so -lm
expect 4 forage lab run two.yaml --plugin ./other.so
complains 'another version'
echo 'int nothing;' >nothing.c && ${CC:-cc} -shared -fPIC nothing.c -o nothing.so
expect 1 forage lab run two.yaml --plugin ./nothing.so
complains forage_plugin
done_testing
