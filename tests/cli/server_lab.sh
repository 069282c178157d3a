# Experiments started from the dashboard: one at a time, stopped and gone on with, with a report.
. tests/cli/common
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
workspace ws
mkdir experiments
for n in 1 2000; do
    cat >experiments/small$n.yaml <<END
name: small$n
title: A small one
workloads:
  - {name: reports, generate: reports, sites: $n, hours: 72, history: 24}
budgets: [1]
policies: [round-robin]
warm_up: 24
END
done
forage serve -w ws --listen 127.0.0.1:0 2>serve.err &
server=$!
within 30 grep -q '^dashboard: ' serve.err
expect 0 python3 - "$(sed -n 's/^dashboard: //p' serve.err)" <<'P'
import json, sys, time, urllib.error, urllib.request
base = sys.argv[1]

def ask(path, body=None):
    request = urllib.request.Request(base + path, json.dumps(body).encode() if body else None, {'Content-Type': 'application/json'} if body else {})
    try:
        with urllib.request.urlopen(request) as r:
            return r.status, r.headers, r.read().decode()
    except urllib.error.HTTPError as e:
        return e.code, e.headers, e.read().decode()

def state(name):
    return next(e for e in json.loads(ask('api/v1/experiments')[2])['items'] if e['name'] == name)

def until(name, wanted):
    for _ in range(600):
        if state(name)['state'] == wanted:
            return True
        time.sleep(.1)
    return False

def expect(is_so, words):
    if not is_so:
        print(words)
        sys.exit(1)

expect(state('small1')['state'] == 'never run', 'nothing was run yet')
expect(ask('lab/small1.html')[0] == 404, 'a report before the run')
expect(ask('api/v1/experiments/run', {'experiment': '../small1'})[0] == 404, 'an experiment of another folder')
code, _, text = ask('api/v1/experiments/run', {'experiment': 'small2000'})
expect(code == 202 and json.loads(text)['state'] == 'running', f'it is run: {code} {text}')
code, _, text = ask('api/v1/experiments/run', {'experiment': 'small1'})
expect(code == 409 and 'small2000' in json.loads(text)['detail'], f'two at once: {code} {text}')
code, _, text = ask('api/v1/experiments/stop', {'experiment': 'small2000'})
expect(code == 200 and json.loads(text)['state'] == 'stopped', f'stopped: {code} {text}')
expect(ask('api/v1/experiments/run', {'experiment': 'small1'})[0] == 202, 'run after a stop')
expect(until('small1', 'done'), f"done: {state('small1')}")
report = state('small1')['report']
code, headers, text = ask(report[1:])
expect(code == 200 and 'A small one' in text, f'the report: {code}')
expect("'sha256-" in headers['Content-Security-Policy'] and 'unsafe' not in headers['Content-Security-Policy'], headers['Content-Security-Policy'])
expect('style="' not in text and '<script' not in text, 'what the policy would block')
for path in ('lab/../forage.db', 'lab/%2e%2e/forage.db', 'lab/small1.json', 'lab/', 'lab/nobody.html'):
    expect(ask(path)[0] in (400, 404), path)
# The server takes it with it.
expect(ask('api/v1/experiments/run', {'experiment': 'small2000'})[0] == 202, 'run before the end')
P
kill -TERM "$server"
wait "$server" || flunk "the server ends with $?"
[ -s ws/lab/small1.json ] || flunk "no figures were kept"
done_testing
