# A site from which nothing can come is an alarm with the reason and what to do: on
# standard output, in the log, in status, in feeds and digests; once, whatever happens. A
# seed that refused us is asked again, and when it answers the alarm is over.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
python3 "$root/tests/cli/alarms_server.py" >/dev/null 2>&1 &
server=$!
trap 'kill $server; rm -rf "$scratch"' EXIT
# crawl SECONDS CONDITION COMMAND...: for so long, and on until the condition holds.
crawl() {
    seconds=$1 condition=$2
    shift 2
    last=$*
    "$@" >"$scratch/out" 2>"$scratch/err" &
    pid=$!
    sleep "$seconds"
    stop_when $pid 60 "$condition"
    code=$?
    [ $code -eq 11 ] || flunk "exit code $code: $last"
}
within 20 test -s urls
url() { sed -n "s/^$1 //p" urls; }
fast="--net-allow-private loopback --clock-speed 600 --fetch-delay 1s"

all_told() { has 6 grep '"type":"alarm"' "$scratch/out" && grep -q "new pages are reported" "$scratch/err"; }
# shellcheck disable=SC2086,SC2046
crawl 9 all_told forage watch -w ws $fast $(cut -d' ' -f2 urls)
complains 'area=alarm msg="nothing can come from a site"'
complains "$(url well | sed 's,/$,,'): robots.txt read (Crawl-delay 0.1 s)"
complains "1 feed and 1 sitemap found"
complains "sources chosen"
complains "; new pages are reported"
complains "answers 403; it is tried again"
complains "stopped after"
for name in forbidden missing login nofollow script robots; do
    grep -F "$(url $name | sed 's,/$,,'): watching since" "$scratch/err" && flunk "an alarm, and watched: $name"
done
cp "$scratch/out" events
# reason NAME REASON: the only event of that site
reason() {
    n=$(grep -c "\"site\":\"$(url "$1" | sed 's,/$,,')\"" events)
    [ "$n" -eq 1 ] || flunk "$n events of $1, not 1"
    grep "$(url "$1" | sed 's,/$,,')\"" events | grep -q "\"type\":\"alarm\".*\"reason\":\"$2\"" ||
        flunk "$1 is no alarm because of $2: $(grep "$(url "$1")" events)"
}
reason forbidden refused
reason missing not-found
reason login login
reason nofollow nofollow
reason script script
reason robots robots-site
grep -q "$(url well)" events && flunk "a site that is well has an alarm"
python3 - events <<'END' || flunk "an alarm lacks something"
import json, sys
for line in open(sys.argv[1]):
    e = json.loads(line)
    assert all(e[k] for k in ("event", "type", "url", "site", "found_at", "reason", "text", "advice", "since")), e
    assert e["since"] <= e["found_at"], e
END

expect 0 forage status -w ws
says "alarm    $(url forbidden | sed 's,/$,,') for "
says "what to do: "
grep -Eq "state +since +known +feeds +sitemaps +sources" "$scratch/out" || flunk "the table has other columns"
grep -Eq "watched +[0-9a-z]+ +[0-9]+ +1 +1 " "$scratch/out" || flunk "a feed and a sitemap are not counted"
expect 0 forage status -w ws --json
value 'd["totals"]["alarms"]' 6
value '[s["alarm"]["reason"] for s in d["sites"] if s["alarm"]][0]' refused
value '[s["watching_since"] is not None for s in d["sites"] if not s["alarm"]]' '[True]'
value 'sorted(d["totals"]["record_7d"])[0]' dated
expect 0 forage new -w ws --kind alarm --since 2d
lines 12
expect 0 forage new -w ws --since 2d
lines 0
expect 0 forage feeds -w ws feeds
grep -q "robots.txt forbids the whole site" feeds/alarms.atom || flunk "the feed of alarms lacks one"
grep -q "robots.txt" feeds/all.atom && flunk "an alarm is among the new pages"
expect 0 forage digest -w ws --since 2d
says "ALARMS"
says "6 alarms"

# After a restart nothing is told again; where the doors are open now, it is over.
touch open
all_over() { has 3 grep '"type":"alarm-cleared"' "$scratch/out"; }
# shellcheck disable=SC2086
crawl 8 all_over forage run -w ws $fast --clock-speed 36000 --events
grep -q '"type":"alarm"' "$scratch/out" && flunk "an alarm was raised again"
complains "alarm since"
for name in forbidden missing robots; do
    grep -q "\"type\":\"alarm-cleared\".*\"site\":\"$(url $name | sed 's,/$,,')\"" "$scratch/out" ||
        flunk "the alarm of $name is not over"
done
expect 0 forage status -w ws --json
value 'd["totals"]["alarms"]' 3

# Who wants no alarms gets none.
rm open
logged() { grep -q robots-site "$scratch/err"; }
# shellcheck disable=SC2046,SC2086
crawl 2 logged forage watch -w none $fast --output-kinds new "$(url robots)"
lines 0
complains "robots-site"

# A site that was well, and whose host does not answer any more.
is_well() { grep -q "new pages are reported" "$scratch/err"; }
# shellcheck disable=SC2086
crawl 3 is_well forage watch -w down $fast "$(url well)"
[ -s "$scratch/out" ] && flunk "a site that is well has an alarm"
# blind WORKSPACE: the sites that show nothing any more, as Prometheus is told.
blind() {
    : >serve.err
    forage serve -w "$1" --listen 127.0.0.1:0 --clock-speed 600 2>serve.err &
    serving=$!
    within 20 grep -q '^dashboard: ' serve.err >&2
    python3 -c 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1] + "metrics").read().decode())' \
        "$(sed -n 's/^dashboard: //p' serve.err)" | sed -n 's/^forage_sites_blind //p'
    kill -TERM $serving
    wait $serving
}
before=$(blind down)
kill $server
wait $server 2>/dev/null
trap 'rm -rf "$scratch"' EXIT
is_down() { grep -q '"type":"alarm".*"reason":"connect"' "$scratch/out"; }
# shellcheck disable=SC2086
crawl 2 is_down forage run -w down $fast --clock-speed 3600 --events
after=$(blind down)
[ "$before $after" = "0 1" ] || flunk "blind sites before and after: '$before' and '$after'"
# And that is what fires the alert.
if command -v promtool >/dev/null; then
    cat >alert.yml <<END
rule_files: [$root/packaging/prometheus-alerts.yml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series: [{series: forage_sites_blind, values: "${before}x20 ${after}x40"}]
    alert_rule_test:
      - {eval_time: 20m, alertname: ForageSiteBlind, exp_alerts: []}
      - eval_time: 40m
        alertname: ForageSiteBlind
        exp_alerts:
          - exp_labels: {severity: warning}
            exp_annotations: {summary: "1 watched sites show nothing any more", description: "forage status names them, and what to do."}
END
    expect 0 promtool test rules alert.yml
fi
done_testing
