# docs/lab.md, followed to the letter: every block of commands is run as it stands.
. tests/cli/common

blocks() { awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on'; }

sed '/^## Write a policy/,$d' "$root/docs/lab.md" | blocks >"$scratch/first.sh"
sed -n '/^## Write a policy/,$p' "$root/docs/lab.md" | blocks >"$scratch/second.sh"
[ -s "$scratch/first.sh" ] && [ -s "$scratch/second.sh" ] || flunk "no commands found"

expect 0 sh -e "$scratch/first.sh"
grep -v 'jobs were done before$' "$scratch/err" >warnings && flunk "it complains: $(cat warnings)"
says "thompson to round-robin"
says "log, budget 1, 1 site"
[ -s quick.html ] || flunk "no report"

# The second part is for a copy of the tree. What is built already comes along, in the
# variant under test, so that only what changes is compiled.
command -v make >/dev/null && command -v "${CC:-cc}" >/dev/null || done_testing
case $builds in "$root"/build/*) V=${builds##*/} ;; *) done_testing ;; esac
export V
mkdir -p "$scratch/tree/build/$V"
cp -a "$root/Makefile" "$root/src" "$root/experiments" "$scratch/tree/"
(cd "$builds" && tar cf - --format=posix --exclude=./tests --exclude=./logs .) |
    (cd "$scratch/tree/build/$V" && tar xf -)
ln -sf "$V/forage" "$scratch/tree/build/forage"
cd "$scratch/tree" || exit 1
expect 0 sh -e "$scratch/second.sh"
says "eager to thompson"
says "bold"
built=$(grep -c '^cc ' "$scratch/out")
[ "$built" -le 5 ] || flunk "$built files were compiled for one policy"
expect 0 build/forage policies
says "the source that should have gathered the most new links"
done_testing
