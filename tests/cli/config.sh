# Default < system < user's file < workspace's file < environment < flag, each value with
# its origin, and mistakes with their place.
. tests/cli/common

expect 0 forage config show
silent
says "fetch.max-body           10MB               default"
expect 0 forage config show --json
json
value "d['settings']['fetch.max-body']['value']" 10000000
value "d['settings']['fetch.max-body']['from']['layer']" default
value "d['settings']['fetch.max-body']['text']" 10MB
value "d['settings']['fetch.max-body']['reload'], d['settings']['feeds.dir']['reload']" "(False, True)"

mkdir -p "$scratch/xdg/forage" ws
echo 'fetch: {max-body: 1MB}' >"$scratch/xdg/forage/forage.yaml"
expect 0 forage config show --json
value "d['settings']['fetch.max-body']['value']" 1000000
value "d['settings']['fetch.max-body']['from']['layer']" file
value "d['settings']['fetch.max-body']['from']['line']" 1

printf '\nfetch:\n  max-body: 2MB\n' >ws/forage.yaml
expect 0 forage config show -w ws --json
value "d['settings']['fetch.max-body']['from']['name']" ws/forage.yaml
value "d['settings']['fetch.max-body']['from']['line']" 3
value "d['settings']['fetch.max-body']['value']" 2000000
expect 0 env FORAGE_WORKSPACE=ws forage config show fetch
says "ws/forage.yaml:3"

export FORAGE_FETCH_MAX_BODY=3MB
expect 0 forage config show -w ws --json
value "d['settings']['fetch.max-body']['value']" 3000000
value "d['settings']['fetch.max-body']['from']['name']" FORAGE_FETCH_MAX_BODY

expect 0 forage config show -w ws --fetch-max-body 4MB --json
value "d['settings']['fetch.max-body']['value']" 4000000
value "d['settings']['fetch.max-body']['from']['name']" --fetch-max-body
unset FORAGE_FETCH_MAX_BODY

# The user's file may name the workspace; the workspace's own may not.
echo "workspace: $PWD/ws" >"$scratch/xdg/forage/forage.yaml"
expect 0 forage config show fetch
says "ws/forage.yaml:3"
echo "workspace: elsewhere" >ws/forage.yaml
expect 4 forage config show
complains "ws/forage.yaml:1: a workspace cannot name another one"
expect 4 forage config show -w ws
complains "ws/forage.yaml:1: a workspace cannot name another one"
expect 4 env FORAGE_WORKSPACE=ws forage config show
rm "$scratch/xdg/forage/forage.yaml" ws/forage.yaml

# --config replaces the search.
echo 'log.level: warn' >forage.yaml
echo 'log.level: error' >other.yaml
expect 0 forage config show log.level
says "forage.yaml:1"
expect 0 forage config show log.level --config other.yaml
says "other.yaml:1"
expect 4 forage config show --config missing.yaml
complains "cannot open 'missing.yaml'"
expect 4 forage config show --config "$scratch"
expect 4 forage config show --config ''
complains "--config: '' is not a path"
expect 4 env FORAGE_CONFIG= forage config show
complains "FORAGE_CONFIG: '' is not a path"
rm forage.yaml

# Mistakes.
printf 'log:\n  levle: debug\n' >forage.yaml
expect 4 forage config show
complains "forage.yaml:2: unknown key 'log.levle'; did you mean 'log.level'?"
expect 4 forage config check
expect 4 forage config check --json
json
value "d['ok']" False
expect 0 forage help
expect 0 forage version
expect 1 forage doctor
says "unknown key 'log.levle'"
printf 'fetch.max-body: 10\n' >forage.yaml
expect 4 forage config show
complains "forage.yaml:1: fetch.max-body: '10' has no unit; write an amount of bytes with its unit, such as 64KiB or 10MB"
printf 'workspace: "~/crawl"\n' >forage.yaml
expect 4 forage config show --config forage.yaml
complains "starts with '~'; write the whole path"
rm forage.yaml
expect 4 env FORAGE_LOG_LEVLE=debug forage config show
complains "unknown environment variable FORAGE_LOG_LEVLE; did you mean FORAGE_LOG_LEVEL?"
expect 4 env FORAGE_FOO=1 forage config show
complains "unknown environment variable FORAGE_FOO; those that start with FORAGE_ are settings"
expect 0 env FORAGE_BENCH_PAGES=1 FORAGE_DATA=x forage config show
echo 'log.level: high' >in.yaml
expect 4 forage config check - <in.yaml
complains "standard input:1: log.level: 'high' is not one of error, warn, info, debug, trace"
echo 'log.level: warn' >in.yaml
expect 0 forage config check - <in.yaml
says "the configuration is fine"
expect 4 forage config check missing.yaml
complains "cannot open 'missing.yaml'"

# The log goes where it is told.
expect 0 forage config show --log-level debug --log-file a.log --log-format json
[ "$(head -c 7 a.log)" = '{"ts":"' ] || flunk "no JSON in a.log: $(cat a.log)"
silent
expect 1 forage config show --log-file /nonexistent/a.log
complains "cannot open the log file '/nonexistent/a.log'"
if [ -w /dev/full ]; then
    expect 3 forage config show --log-level debug --log-file /dev/full
    complains "cannot write to the log file '/dev/full': No space left on device"
fi
printf 'log.level: warn\nlog.file: "\377"\n' >bad.yaml
expect 4 forage config check bad.yaml
complains "bad.yaml:2: not YAML: "
printf 'log.level: "wa\\0rn"\n' >bad.yaml
expect 4 forage config check bad.yaml
complains "bad.yaml:1: log.level: 'wa\\u0000rn' has a NUL in it"

# Indentation, in words that tell what to do.
printf 'log:\n    level: debug\n  file: x\n' >forage.yaml
expect 4 forage config check
complains "forage.yaml:3: indentation does not match line 2"
printf 'log:\n  level: debug\n    file: x\n' >forage.yaml
expect 4 forage config check
complains "forage.yaml:3: indentation does not match line 2"
printf '# a comment\nlog:\n  level: debug\n\n  # another\n file: x\n' >forage.yaml
expect 4 forage config check
complains "forage.yaml:6: indentation does not match line 3"
printf 'log:\n  level: debug\n\tfile: x\n' >forage.yaml
expect 4 forage config check
complains "forage.yaml:3: tab used for indentation; use spaces"
printf 'log: {level: debug\n' >forage.yaml
expect 4 forage config check
complains "not YAML"

# What is named must be there.
while IFS='|' read -r text words; do
    printf '%b' "$text" >forage.yaml
    expect 4 forage config check
    complains "$words"
    expect 4 forage config check forage.yaml
    complains "$words"
done <<'TABLE'
log.level: warn\npolicy.discovery: nonsense\n|forage.yaml:2: policy.discovery: there is no policy 'nonsense' for it; there is:
policy.discovery: oracle\n|forage.yaml:1: policy.discovery: 'oracle' has to see the future
crawl.worth: money\n|forage.yaml:1: crawl.worth: 
policy.params: [nonsense=1]\n|forage.yaml:1: policy.params: there is no 'nonsense'
policy.params: [half-life=-3]\n|forage.yaml:1: policy.params: 
webhooks.to: [a https://a.example/ secret=file:gone.key]\n|forage.yaml:1: webhooks.to: the secret of a webhook: cannot open 'gone.key'
webhooks.to: [a https://a.example/, a https://b.example/]\n|forage.yaml:1: webhooks.to: two are named 'a'
feeds.queries: [cheap tag=shop, cheap tag=other]\n|forage.yaml:1: feeds.queries: two are named 'cheap'
digest.to: [nobody]\n|forage.yaml:1: digest.to: 'nobody' is not a mail address, such as you@example.org
digest.to: [me@example..org]\n|is not a mail address
digest.from: "Me <me example.org>"\n|is not a mail address
TABLE
printf 'digest: {to: [me@example.org, "You <you@example.org>"], from: root@localhost, command: sh}\npolicy.params: [half-life=30]\n' >forage.yaml
echo 0123456789abcdef0123456789abcdef >here.key
printf 'webhooks.to: [a https://a.example/ secret=file:here.key, b https://a.example/ secret=env:NOT_HERE]\n' >>forage.yaml
expect 0 env NOT_HERE=0123456789abcdef0123456789abcdef forage config check
chmod 000 here.key
[ -r here.key ] || { expect 4 forage config check; complains "cannot open 'here.key'"; }

# A mistake blocks what writes, not what looks.
workspace seen
printf 'log:\n  levle: debug\n' >seen/forage.yaml
cd seen || exit 1
url=https://news.example/politics/
for command in "status --once" "new --since 1d" "page $url" "why $url" "explain $url" export "ledger news.example"; do
    # shellcheck disable=SC2086
    expect 0 forage $command
    complains "warning: going on without 'forage.yaml': forage.yaml:2: unknown key 'log.levle'"
done
for command in "run --once" "watch --once $url" "add $url" "site news.example" "config show"; do
    # shellcheck disable=SC2086
    expect 4 forage $command
    complains "forage.yaml:2: unknown key 'log.levle'"
done
printf 'policy: {discovery: nonsense, params: [nonsense=1]}\n' >forage.yaml
for command in "status --once" "why $url" "explain $url"; do
    # shellcheck disable=SC2086
    expect 0 forage $command
done
# Flags and the user's own file still hold.
cd ..
echo "workspace: $PWD/seen" >"$scratch/xdg/forage/forage.yaml"
printf '\tx\n' >seen/forage.yaml
rm -f forage.yaml
expect 0 forage status --json
complains "seen/forage.yaml"
value "[s['site'] for s in d['sites']][0]" https://news.example
expect 0 forage new --since 30d --limit 1
lines 1
expect 4 env FORAGE_LOG_LEVLE=debug forage status --once
# What settings name outside of themselves.
rm -f "$scratch/xdg/forage/forage.yaml"
mkdir outside && cd outside || exit 1
while IFS='|' read -r line complaint; do
    printf '%s\n' "$line" >forage.yaml
    expect 4 forage config check
    complains "forage.yaml:1: $complaint"
    expect 4 forage config check forage.yaml
    complains "forage.yaml:1: $complaint"
done <<'TABLE'
webhooks.to: [team https://a.example/ secret=env:NOT_HERE]|webhooks.to: the secret of 'team' is empty: set the variable NOT_HERE
digest.to: me@-x.org|digest.to: 'me@-x.org' is not a mail address
digest.to: Me <me@a.x-.org>|digest.to: 'Me <me@a.x-.org>' is not a mail address
operator.contact: "not a contact"|operator.contact: 'not a contact' is neither an e-mail address
operator.contact: "@example.org"|operator.contact: '@example.org' is neither an e-mail address
fetch.ca-file: missing.pem|fetch.ca-file: cannot read 'missing.pem'
log.file: missing/forage.log|log.file: there is no folder 'missing'
output.file: missing/events.jsonl|output.file: there is no folder 'missing'
output.file: .|output.file: cannot write to '.': Is a directory
output.file: /proc/forage.jsonl|output.file: cannot write to the folder '/proc': No such file or directory
feeds.dir: missing/feeds|feeds.dir: there is no folder 'missing'
feeds.dir: /proc/x|feeds.dir: cannot write to the folder '/proc': No such file or directory
feeds.dir: forage.yaml|feeds.dir: there is no folder 'forage.yaml'
digest.command: /missing/sendmail -t|digest.command: there is no program '/missing/sendmail'
digest.command: '"no such" -t'|digest.command: there is no program 'no such'
digest.command: no-such-program|digest.command: there is no program 'no-such-program'
TABLE
export FORAGE_HOOK_KEY=whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=
: >some.pem
cat >forage.yaml <<'END'
webhooks.to: [team https://a.example/ secret=env:HOOK_KEY]
digest.to: [me@x-y.org, "Me <me@a.x.org>"]
digest.command: sh -c 'cat'
operator.contact: https://example.org/contact
fetch.ca-file: some.pem
log.file: forage.log
END
expect 0 env -u FORAGE_HOOK_KEY HOOK_KEY=$FORAGE_HOOK_KEY forage config check
unset FORAGE_HOOK_KEY
cd ..

done_testing
