# The completions of the three shells know every flag of every command, as its help lists
# them, and complete in real shells.
. tests/cli/common

command -v python3 >/dev/null || { echo "no python3"; exit 77; }
expect 4 forage completion ksh
complains "no completion for 'ksh'; there are bash, zsh and fish"
for shell in bash zsh fish; do
    expect 0 forage completion $shell
    silent
    cp "$scratch/out" c.$shell
done
: >"$scratch/out"

# Every command and action, and for each the flags that its help names, one a line.
forage help --json >help.json
python3 - >flags <<'END'
import json, subprocess, re
for c in json.load(open("help.json"))["commands"]:
    page = subprocess.run(["forage", "help"] + c["name"].split() + ["all"], capture_output=True, text=True).stdout
    listed = re.findall(r"^  (?:-(.), |    )(--[a-z0-9-]+)", page.split("Examples")[0], re.M)
    flags = {long for _, long in listed} | {"-" + short for short, _ in listed if short}
    assert {f["flag"] for f in c["flags"]} <= flags, c["name"]
    for flag in sorted(flags):
        print(c["name"] + "\t" + flag)
END
n=$(wc -l <flags)
[ "$n" -gt 400 ] || flunk "only $n flags were found"

# covers SHELL: what the shell offers (in `offered`, as in `flags`) lacks nothing.
covers() {
    sort -u offered >sorted
    sort -u flags | comm -23 - sorted >missing
    [ -s missing ] && flunk "$1 lacks $(wc -l <missing) flags: $(head -n 5 missing | tr '\n\t' '; ')"
}
# offers SHELL "LINE" EXPECTED: with the cursor at the end; the first few, in order of name.
offers() {
    got=$(at "$2" | sort | head -n 4 | tr '\n' ' ')
    [ "$got" = "$3 " ] || flunk "$1: '$2' gives '$got', not '$3 '"
}
mkdir -p sub/folder
: >sub/file.txt
common_checks() {
    offers "$1" "forage ru" run
    offers "$1" "forage lab st" stats
    offers "$1" "forage import co" counts
    offers "$1" "forage export --what v" "values visits"
    offers "$1" "forage --log-level d" debug
    offers "$1" "forage -w sub status --ev" --every
    offers "$1" "forage run --policy-discovery link-" link-types
    offers "$1" "forage demo --refresh lom" lomax
    offers "$1" "forage config sh" show
    offers "$1" "forage config show crawl.bud" crawl.budget
    offers "$1" "forage help exit" exit-codes
    offers "$1" "forage completion z" zsh
    offers "$1" "forage webhooks re" retry
    offers "$1" "forage lab gen pham-pol" pham-politics
    offers "$1" "forage lab run kab-2" kab-2020
    offers "$1" "forage lab run pap" papers
    offers "$1" "forage robots sub/fi" sub/file.txt
}

# --- bash ---
cat >drive.bash <<'END'
source ./c.bash
at() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _forage; printf '%s\n' "${COMPREPLY[@]}"; }
if [[ $1 == all ]]; then
    cut -f 1 flags | uniq | while IFS= read -r command; do
        at forage $command - | sed "s/^/$command\t/"
    done
else
    line=$1
    read -ra words <<<"${line//=/ = }"
    at "${words[@]}" ${2+"$2"}
fi
END
bash -n c.bash || flunk "bash does not read its script"
bash drive.bash all >offered
covers bash
at() { bash drive.bash "$1"; }
common_checks bash
offers bash "forage run --log-level=wa" warn
offers bash "forage export --canon" "--canonical-drop-tracking --canonical-sort-query"
offers bash "forage export --no-canon" "--no-canonical-drop-tracking --no-canonical-sort-query"
[ "$(bash drive.bash "forage init" "" | sort | tr '\n' ' ')" = "sub " ] || flunk "bash: not only folders for init"
[ "$(bash drive.bash "forage diff --value" "sel")" = "selector:" ] || flunk "bash: no rules"
bash -c '. ./c.bash; complete -p forage' | grep -q -- '-F _forage forage' || flunk "bash: nothing registered"

# --- zsh: the function is asked with what it calls replaced, and then for real ---
if command -v zsh >/dev/null; then
    zsh -n c.zsh || flunk "zsh does not read its script"
    cat >drive.zsh <<'END'
source ./c.zsh
typeset prefix
show() { local word; for word; do [[ $word == ${prefix}* ]] && print -r -- $word; done; return 0 }
compadd() { [[ $1 == -a ]] && show ${(P)2} || show ${@:#--} }
compset() { prefix=${prefix#*=} }
_files() { show ${prefix}*(N) }
_describe() { local -a all; [[ $1 == -o ]] && shift; all=(${(P)2}); local got="$(show ${all%%:*})"; print -r -- $got; [[ -n $got ]] }
at() { words=("$@"); CURRENT=$#; prefix=$words[CURRENT]; _forage }
if [[ $1 == all ]]; then
    cut -f 1 flags | uniq | while IFS= read -r command; do
        at forage ${=command} - | sed "s/^/$command\t/"
    done
else
    at ${=1} ${2+"$2"}
fi
END
    zsh -f drive.zsh all >offered
    covers zsh
    at() { zsh -f drive.zsh "$1"; }
    common_checks zsh
    offers zsh "forage run --log-level=wa" warn
    # For real: a line is typed into a terminal, and what it became is written to a file.
    cat >real.zsh <<'END'
zmodload zsh/zpty
await() { for ((i = 0; i < 300; i++)); do [[ -s $1 ]] && return; zpty -r -t z; sleep 0.05; done >/dev/null }
zpty z "TERM=dumb zsh -f -i"
zpty -w z "cd $PWD; autoload -U compinit; compinit -u -d dump; . ./c.zsh; forage() { echo \$* >typed }; echo 1 >ready"
await ready
zpty -w -n z $'forage export --wha\tpag\t\n'
await typed
zpty -d z
END
    zsh -f real.zsh
    [ "$(sed 's/ *$//' typed)" = "export --what pages" ] || flunk "zsh completes to: $(cat typed)"
else
    echo "no zsh: not tried"
fi

# --- fish ---
if command -v fish >/dev/null; then
    fish -n c.fish || flunk "fish does not read its script"
    cat >drive.fish <<'END'
source ./c.fish
if test $argv[1] = all
    for command in (cut -f 1 flags | uniq)
        begin
            complete -C "forage $command -"
            complete -C "forage $command --"
        end | string replace -r '\t.*' '' | string replace -r '^' "$command"\t
    end
else
    complete -C "$argv[1]" | string replace -r '\t.*' ''
end
END
    fish --no-config drive.fish all >offered
    covers fish
    at() { fish --no-config drive.fish "$1"; }
    common_checks fish
    offers fish "forage run --log-level=wa" --log-level=warn
else
    echo "no fish: not tried"
fi
done_testing
