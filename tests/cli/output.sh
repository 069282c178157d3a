# Standard output: no colours on a pipe, errors of writing noticed, broken pipes quiet.
. tests/cli/common
esc=$(printf '\033')

expect 0 forage help
grep -q "$esc" "$scratch/out" && flunk "colours on a pipe"
expect 0 forage help --color always
grep -q "$esc" "$scratch/out" || flunk "no colours with --color always"
expect 0 env NO_COLOR=1 forage help --color always
grep -q "$esc" "$scratch/out" || flunk "NO_COLOR is stronger than a flag"

# A terminal gets colours, unless NO_COLOR, --color or TERM=dumb say otherwise.
if command -v script >/dev/null; then
    on_terminal() { env TERM=xterm script -qec "$*" /dev/null </dev/null 2>/dev/null; }
    on_terminal forage help | grep -q "$esc" || flunk "no colours on a terminal"
    on_terminal NO_COLOR=1 forage help | grep -q "$esc" && flunk "colours in spite of NO_COLOR"
    on_terminal NO_COLOR= forage help | grep -q "$esc" || flunk "an empty NO_COLOR counts"
    on_terminal forage help --color never | grep -q "$esc" && flunk "colours with --color never"
    on_terminal "TERM=dumb forage help" | grep -q "$esc" && flunk "colours on a dumb terminal"
fi

if [ -w /dev/full ]; then
    forage help >/dev/full 2>"$scratch/err"
    code=$?
    [ "$code" -eq 3 ] || flunk "a full disk gives $code, not 3"
    last="forage help >/dev/full"
    complains "cannot write to standard output: No space left on device"
fi
forage help >&- 2>"$scratch/err"
[ $? -eq 1 ] || flunk "closed standard output goes unnoticed"

# A reader that has gone away: no words.
{ forage help --json 2>"$scratch/err"; echo $? >"$scratch/code"; } | :
[ -s "$scratch/err" ] && flunk "a broken pipe is not quiet"
[ "$(cat "$scratch/code")" -eq 0 ] || flunk "a broken pipe gives $(cat "$scratch/code")"
done_testing
