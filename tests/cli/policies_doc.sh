# docs/policies.md has a section for every policy there is, with its idea, its maths, when
# to use it and when not, and with the table of parameters that the program prints.
. tests/cli/common
doc=$root/docs/policies.md

expect 0 forage policies --markdown
silent
cp "$scratch/out" told

# section FILE HEADING: what stands between this heading and the next.
section() {
    awk -v heading="$2" '/^##/ { on = $0 == heading; next } on' "$1"
}
grep '^### `' told | sort >names
grep '^### `' "$doc" | sort >sections
[ "$(wc -l <names)" -gt 20 ] || flunk "the program names too few policies"
cmp -s names sections || flunk "sections and policies differ: $(diff names sections)"

while IFS= read -r heading; do
    section told "$heading" | grep '^|' >wanted
    section "$doc" "$heading" >text
    grep '^|' text >there
    cmp -s wanted there || flunk "docs/policies.md, $heading: other parameters: $(diff wanted there)"
    for word in '**Idea.**' '**Maths.**' '**Use it**' '**Not**'; do
        grep -qF -- "$word" text || flunk "docs/policies.md, $heading: no $word"
    done
done <names

# Links within the page lead somewhere, and those to other pages name a heading there.
anchors() { sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9\n-'; }
for link in $(grep -o '](\([a-z]*\.md\)\{0,1\}#[^)]*)' "$doc" | tr -d '()]' | sort -u); do
    page=${link%%#*}
    anchors "$root/docs/${page:-policies.md}" | grep -qxF -- "${link#*#}" || flunk "no heading for $link"
done

# The experiment that the page names has every policy that can discover.
expect 0 forage policies
for name in $(sed -n 's/^\([^ ]*\) (discovery.*/\1/p' "$scratch/out" | sed 's/\*/[*]/'); do
    grep '^policies:' "$root/experiments/every-policy.yaml" | tr -d ' "[]' | tr ':,' '\n\n' |
        grep -qx -- "$name" || flunk "experiments/every-policy.yaml lacks $name"
done
done_testing
