# E-mail digests: each event in exactly one that was sent, whatever the command that takes
# them does, and nothing in a title gets into a header.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }

# --- by hand ---

workspace .
expect 0 forage digest --since 30d
says "NEW"
says "  The council & <b>its</b> plan"
says "  published 2026-01-02T03:04:05Z, in en, found on https://news.example/"
expect 0 forage digest --since 30d --raw --digest-to 'me@example.org,you@example.org' --digest-from bot@example.org
cp "$scratch/out" message
python3 - <<'P' || flunk "the message is not what it should be"
import email, email.policy
m = email.message_from_binary_file(open("message", "rb"), policy=email.policy.default)
assert m["To"] == "me@example.org, you@example.org" and m["From"] == "bot@example.org", m["To"]
assert m["Subject"].startswith("Forage: ") and m.get_content_type() == "text/plain", m["Subject"]
assert m["Auto-Submitted"] == "auto-generated" and m["Date"].datetime
assert all(len(line) <= 78 for line in open("message", "rb")), "a line is too long"
assert all(32 <= c < 127 or c == 10 for c in open("message", "rb").read()), "not all of it is ASCII"
assert "https://news.example/2026/b.html" in m.get_content()
P

cat >sendmail <<'S'
#!/bin/sh
# The wish of the test is in the file "mode"; arguments are noted.
echo "$*" >>"$MAIL_FOLDER/arguments"
case $(cat "$MAIL_FOLDER/mode") in
fail) exit 75 ;;
hang) sleep 30 ;;
esac
n=$(ls "$MAIL_FOLDER" | grep -c '^mail')
cat >"$MAIL_FOLDER/mail$n"
S
chmod +x sendmail
mkdir mails
MAIL_FOLDER=$PWD/mails
export MAIL_FOLDER
echo fail >mails/mode
expect 4 forage digest --send
complains "no recipient: set digest.to"
expect 1 forage digest --send --digest-to me@example.org --digest-command "$PWD/sendmail -t -i"
complains "it ended with 75; nothing is lost"
expect 1 forage digest --send --digest-to me@example.org --digest-command "/nonexistent/sendmail -t"
complains "cannot start '/nonexistent/sendmail -t'"
echo hang >mails/mode
expect 1 forage digest --send --digest-to me@example.org --digest-command "$PWD/sendmail -t -i" --digest-timeout 200ms
complains "it took too long"
expect 4 forage digest --digest-to "me@example.org
Bcc: all@example.org"
complains "is not an address"
echo good >mails/mode
expect 4 forage digest --send --digest-to me@example.org --digest-command "$PWD/sendmail -t -i 'two words"
complains "a quote is not closed"
expect 0 forage digest --send --digest-to me@example.org --digest-command "$PWD/sendmail -t -i 'two words'"
says "sent: "
[ "$(tail -n 1 mails/arguments)" = "-t -i two words" ] || flunk "other arguments: $(cat mails/arguments)"
expect 0 forage digest --send --digest-to me@example.org --digest-command "$PWD/sendmail"
says "nothing to send"
rm -r mails/*

# --- a crawl that sends them, through a command that fails now and then ---

cat >sendmail <<'S'
#!/bin/sh
n=$(ls "$MAIL_FOLDER" | grep -c '^try')
: >"$MAIL_FOLDER/try$n"
[ $((n % 3)) -eq 0 ] && exit 75
cat >"$MAIL_FOLDER/mail$n.part" && mv "$MAIL_FOLDER/mail$n.part" "$MAIL_FOLDER/mail$n"
S
speed=3600
anchor=$(date -u +%Y-%m-%dT%H:%M:%SZ)
forage simulate --for 300s --sites 2 --offers 0 --speed $speed --anchor "$anchor" >urls 2>/dev/null &
web=$!
trap 'kill $web 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 test -s urls
mkdir ws
cat >ws/forage.yaml <<Y
log.level: error
net.allow-private: loopback
fetch: {delay: 5ms, concurrency: 4}
crawl: {budget: 0, tick: 10m}
clock: {speed: $speed, anchor: "$anchor"}
digest: {to: [me@example.org], command: "$PWD/sendmail -t -i", every: 1h, items: 100000}
Y
# shellcheck disable=SC2046
expect 0 forage add -w ws $(cat urls)
mails() { find mails -name 'mail*' ! -name '*.part'; }
forage run -w ws --quiet 2>"$scratch/err" &
sleep 6
stop_when $! 60 has 2 mails
forage run -w ws --quiet 2>"$scratch/err" &
sleep 3
stop_when $! 60 has 3 mails
kill $web
for _ in 1 2 3; do
    forage digest -w ws --send >"$scratch/out" 2>"$scratch/err" && break
done
says "se" # sent, or nothing to send
forage export -w ws --what events >events
python3 - <<'P' || flunk "the digests do not have what was found"
import email, email.policy, glob, json, re
events = sorted(json.loads(line)["url"] for line in open("events"))
found, mails = [], glob.glob("mails/mail*")
for name in mails:
    m = email.message_from_binary_file(open(name, "rb"), policy=email.policy.default)
    found += re.findall(r"^ *(http://\S+)$", m.get_content(), re.M)
assert len(mails) > 1 and sorted(found) == events, (len(mails), len(found), len(events))
print(len(events), "events in", len(mails), "digests")
P
done_testing
