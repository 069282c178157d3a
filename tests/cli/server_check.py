"""What the scripts beside it check of a server: server_check.py ADDRESS WORKSPACE WHAT"""
import http.client, json, os, re, socket, subprocess, sys, threading, time, urllib.parse

address, workspace, what = sys.argv[1].rstrip('/'), sys.argv[2], sys.argv[3]
host = urllib.parse.urlsplit(address).netloc
bad = []
PUBLIC = {'/websub/{rest}', '/indexnow'}  # for strangers; tests/cli/push.sh


def expect(is_so, words):
    if not is_so:
        bad.append(words)
        print('not so: ' + words)


def ask(path, method='GET', body=None, headers=None, name=None):
    connection = http.client.HTTPConnection(host, timeout=20)
    text = json.dumps(body) if isinstance(body, (dict, list)) else body
    sent = {'Content-Type': 'application/json'} if body is not None else {}
    sent.update(headers or {})
    if name is not None:
        connection.putrequest(method, path, skip_host=True)
        connection.putheader('Host', name)
        for key, value in sent.items():
            connection.putheader(key, value)
        if text is not None:
            connection.putheader('Content-Length', str(len(text)))
        connection.endheaders(text.encode() if text is not None else None)
    else:
        connection.request(method, path, text, sent)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, dict((k.lower(), v) for k, v in answer.getheaders()), content


def get(path, status=200):
    code, headers, content = ask(path)
    expect(code == status, f'{path} answers {code}, not {status}: {content[:200]}')
    return json.loads(content) if 'json' in headers.get('content-type', '') else content.decode()


def forage(*words):
    out = subprocess.run(['forage', *words, '-w', workspace], capture_output=True, text=True)
    expect(out.returncode == 0, f'forage {words}: {out.stderr}')
    return out.stdout


def raw(data, wait=3.0):
    """Everything that comes back for some bytes, until the end or for a while."""
    s = socket.create_connection((host.split(':')[0], int(host.split(':')[1])), timeout=wait)
    got = b''
    try:
        s.sendall(data)
        while chunk := s.recv(65536):
            got += chunk
    except OSError:
        pass
    s.close()
    return got


# --- the API ---

# file_bytes: whoever looks last may fold SQLite's log into the file.
MOVING = {'now', 'file_bytes', 'real', 'started', 'since_s', 'watched_s', 'requests_a_tick', 'http_uptime_seconds'}


def same(a, b, where=''):
    """Numbers and texts are those of the command line; clocks may have gone on."""
    if isinstance(a, dict) and isinstance(b, dict):
        expect(set(a) == set(b), f'{where}: members {set(a) ^ set(b)}')
        for key in a.keys() & b.keys():
            if key not in MOVING:
                same(a[key], b[key], where + '/' + key)
    elif isinstance(a, list) and isinstance(b, list):
        expect(len(a) == len(b), f'{where}: {len(a)} against {len(b)}')
        for i, (x, y) in enumerate(zip(a, b)):
            same(x, y, f'{where}[{i}]')
    elif isinstance(a, float) or isinstance(b, float):
        expect(abs(a - b) <= 1e-3 * max(1, abs(a)), f'{where}: {a} against {b}')
    else:
        expect(a == b, f'{where}: {a!r} against {b!r}')


def fits(value, schema, where):
    """As much of JSON Schema as the description uses."""
    for part in schema.get('allOf', []):
        fits(value, part, where)
    kinds = schema.get('type')
    kinds = [kinds] if isinstance(kinds, str) else kinds
    names = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'null': type(None), 'integer': int, 'number': (int, float)}
    if kinds:
        expect(any(isinstance(value, names[k]) and not (isinstance(value, bool) and k in ('integer', 'number')) for k in kinds),
               f'{where}: {value!r} is not {kinds}')
    if isinstance(value, dict) and 'properties' in schema:
        for key, member in value.items():
            expect(key in schema['properties'], f'{where}: {key} is not described')
            fits(member, schema['properties'].get(key, {}), where + '/' + key)
        for key in schema.get('required', []):
            expect(key in value, f'{where}: {key} is missing')
    if isinstance(value, dict) and 'additionalProperties' in schema and isinstance(schema['additionalProperties'], dict):
        for key, member in value.items():
            fits(member, schema['additionalProperties'], where + '/' + key)
    if isinstance(value, list) and 'items' in schema:
        for i, entry in enumerate(value):
            fits(entry, schema['items'], f'{where}[{i}]')


def is_described(schema, depth=0):
    """Neither it nor what is within it is an object and no more."""
    if 'object' in schema.get('type', []) and not {'properties', 'additionalProperties'} & set(schema):
        return depth > 10  # rows that have rows like themselves
    parts = list(schema.get('properties', {}).values()) + ([schema['items']] if 'items' in schema else [])
    return all(is_described(part, depth + 1) for part in parts)


def content_of(route):
    """Of the good answer that has one: its type and schema."""
    return next((kind, c['schema']) for status, answer in route['responses'].items() if status < '300' for kind, c in answer.get('content', {}).items())


def walk():
    """Every route of the description, against its schema and the command line."""
    api = get('/api/v1/openapi.json')
    expect(api['openapi'].startswith('3.1'), 'OpenAPI 3.1')
    subjects = {'site': 'news.example', 'url': 'https://news.example/', 'q': 'article'}
    open_ended = {'/api/v1/openapi.json'}
    # Every answer is described: nothing is an object and no more.
    for path, methods in api['paths'].items():
        for method, route in methods.items():
            for status, answer in route['responses'].items():
                for kind, content in answer.get('content', {}).items():
                    expect(path in open_ended or is_described(content['schema']), f'{method} {path}: what it answers by {status} is not described')
            expect(all(p.get('description') for p in route['parameters']), f'{method} {path}: a parameter is not described')
            described = set(route['responses'])
            wanted = {'/api/v1/experiments/run': {'202'}, '/go': {'303'}, '/indexnow': {'200', '202'}, '/websub/{rest}': {'404', '200'} if method == 'get' else {'202', '404', '410'}, '/events': {'200'}}
            wanted = wanted.get(path, {'200', '304'} if method == 'get' else {'200'})
            expect(wanted | {'default'} <= described and ('200' in described) == ('200' in wanted), f'{method} {path} is described with {described}')
            if method == 'post' and path not in PUBLIC:
                body = route['requestBody']['content']['application/json']['schema']
                expect(set(body.get('required', [])) <= set(body['properties']), f'{path} needs what it does not take')
                # What is said to be needed is; nothing else is, but for what needs one of two.
                if path not in ('/login', '/api/v1/webhooks'):
                    code = ask(path, 'POST', {})[0]
                    expect((code in (400, 404)) == bool(body.get('required') or path == '/api/v1/feedback'), f'{path} with nothing: {code}, it needs {body.get("required")}')
    ids = [m['operationId'] for p in api['paths'].values() for m in p.values()]
    expect(len(ids) == len(set(ids)), 'operation ids are not unique')
    seen = 0
    for path, methods in api['paths'].items():
        route = methods.get('get')
        if not route or path in ('/events', '/{rest}', '/go', '/lab/{rest}'):
            continue
        if path in PUBLIC:
            expect(ask(path.replace('{rest}', '1.1.x'))[0] == 404, f'{path} is open though nothing can be pushed')
            continue
        url, name = path.replace('{rest}', 'all.rss'), path.split('/')[-1]
        args = {p['name']: subjects[p['name']] for p in route['parameters'] if p['required'] and p['in'] == 'query'}
        if name == 'predict':
            args['url'] = 'https://law.example/1'
        code, headers, content = ask(url + ('?' + urllib.parse.urlencode(args) if args else ''))
        if name == 'webhooks':
            expect(code == 404, 'webhooks where none are configured')
            continue
        if name in ('predict', 'versions', 'learning', 'workers', 'whatif', 'budget') and code in (400, 404):
            continue  # nothing was learnt, and nothing kept, in a workspace that is made
        expect(code == 200, f'{path}: {code} {content[:300]}')
        seen += 1
        kind, schema = content_of(route)
        expect(headers['content-type'].split(';')[0] == kind.split(';')[0] or 'feeds' in path, f'{path} is {headers["content-type"]}')
        for header in ('x-content-type-options', 'content-security-policy', 'x-frame-options', 'referrer-policy'):
            expect(header in headers, f'{path} has no {header}')
        expect('unsafe-inline' not in headers['content-security-policy'], 'unsafe-inline')
        if kind == 'application/json' and path not in open_ended:
            fits(json.loads(content), schema, path)
        # A parameter that nobody knows is refused, by name.
        code, _, content = ask(url + '?nonsense=1')
        expect(code == 400 or 'feeds' not in path and route.get('security') == [], f'{path}?nonsense answers {code}')
    expect(seen > 20, f'only {seen} routes were walked')
    for name, words in (('status', ['status', '--once']), ('page', ['page', 'https://news.example/']), ('site', ['site', 'news.example']),
                        ('explain', ['explain', 'https://news.example/']), ('why', ['why', 'https://news.example/'])):
        url = f'/api/v1/{name}' + ('?' + ('site' if name == 'site' else 'url') + '=' + words[1] if name != 'status' else '')
        same(get(url), json.loads(forage(*words, '--json')), name)


def rows():
    """Rows come part by part, each once, as the command line exports them."""
    for kind in ('pages', 'visits', 'links', 'events', 'discoveries', 'values', 'changes', 'counts', 'sources', 'retired'):
        lines = [json.loads(x) for x in forage('export', '--what', kind).splitlines()]
        for limit in (1, 3, 1000):
            got, after = [], ''
            for _ in range(200):
                part = get(f'/api/v1/{kind}?limit={limit}' + (f'&after={after}' if after else ''))
                expect(len(part['items']) <= limit, f'{kind}: more than {limit}')
                got += part['items']
                after = part['next']
                if not after:
                    break
            same(got, lines, f'{kind} by {limit}')
        part = [json.loads(x) for x in forage('export', '--what', kind, '--site', 'news.example').splitlines()]
        same(get(f'/api/v1/{kind}?site=news.example&limit=1000')['items'], part, kind + ' of a site')
    sites = get('/api/v1/sites?limit=1')
    more = get('/api/v1/sites?after=' + urllib.parse.quote(sites['next']))
    same(sites['items'] + more['items'], json.loads(forage('status', '--once', '--json'))['sites'], 'sites')
    # What went wrong is what the visits say, by what it was.
    line, wrong = get('/api/v1/timeline?span=60d'), {}
    for visit in get('/api/v1/visits?limit=1000')['items']:
        if visit['failure'] or not (200 <= visit['status'] < 300 or visit['status'] == 304):
            what = visit['failure'] or f'status {visit["status"]}'
            wrong[what] = wrong.get(what, 0) + 1
    expect(line['errors'] == wrong and line['failures'] == sum(wrong.values()) > 1, f'errors {line["errors"]}, {line["failures"]} failures, the visits have {wrong}')
    for wrong in ('/api/v1/pages?limit=0', '/api/v1/pages?limit=1001', '/api/v1/pages?after=x', '/api/v1/sites?after=x', '/api/v1/page',
                  '/api/v1/pages?since=never', '/api/v1/pages?site=a&site=b', '/api/v1/status?all=perhaps'):
        problem = get(wrong, 400)
        expect(problem['status'] == 400 and problem['detail'], f'{wrong}: {problem}')
    expect(get('/api/v1/page?url=https://nowhere.example/', 404)['title'] == 'Not Found', 'unknown page')
    get('/api/v1/nothing', 404)
    code, headers, content = ask('/api/v1/sites?limit=1')
    tag = headers['etag']
    code, headers, content = ask('/api/v1/sources', headers={'If-None-Match': ask('/api/v1/sources')[1]['etag']})
    expect(code == 304 and not content, f'If-None-Match answers {code}')
    expect(ask('/healthz', 'HEAD')[2] == b'', 'HEAD has a body')


def together():
    """However many ask the same at a time, all get the same; after a change nobody gets what was before it."""
    got, threads = [], []
    for i in range(60):
        path = ('/api/v1/status?all=yes', '/api/v1/timeline?span=5d', '/api/v1/page?url=https://nowhere.example/')[i % 3]
        threads.append(threading.Thread(target=lambda path=path: got.append((path,) + ask(path)[::2])))
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    expect(len(got) == 60 and all(code == (404 if 'nowhere' in path else 200) for path, code, _ in got), f'codes of many at a time: {[(p, c) for p, c, _ in got]}')
    expect(len({c for p, _, c in got if 'status' in p}) < 15 and len({c for p, _, c in got if 'nowhere' in p}) == 1, 'many at a time get many answers')
    # Whoever goes away before the answer keeps nobody waiting.
    for _ in range(20):
        s = socket.create_connection((host.split(':')[0], int(host.split(':')[1])))
        s.sendall(f'GET /api/v1/timeline?span=6d HTTP/1.1\r\nHost: {host}\r\n\r\n'.encode())
        s.close()
    get('/api/v1/timeline?span=6d')
    for i in range(10):
        before = len(get('/api/v1/audit')['items'])
        expect(ask('/api/v1/' + ('resume', 'pause')[i % 2], 'POST', {'target': 'law.example'})[0] == 200, 'pause and resume')
        expect(ask('/api/v1/label', 'POST', {'url': f'https://news.example/{i}', 'label': 'relevant'})[0] == 200, 'label')
        expect(len(get('/api/v1/audit')['items']) > before, 'an answer of before a change is given after it')


def waiting():
    import sqlite3
    db = sqlite3.connect(f'file:{workspace}/forage.db?mode=ro', uri=True, timeout=10)
    return [tuple(row) for row in db.execute('SELECT kind, text FROM commands ORDER BY number')]


def call(api, operation, **body):
    """As a client would that knows nothing but the description: where, how, with which members, and what comes back."""
    path, method, route = next((p, m, r) for p, ms in api['paths'].items() for m, r in ms.items() if r['operationId'] == operation)
    members = route['requestBody']['content']['application/json']['schema']['properties'] if method == 'post' else {p['name'] for p in route['parameters']}
    expect(set(body) <= set(members), f'{operation} does not take {set(body) - set(members)}')
    code, headers, content = ask(path, 'POST', body) if method == 'post' else ask(path + '?' + urllib.parse.urlencode(body))
    expect(code in (200, 202), f'{operation} {body}: {code} {content}')
    done = json.loads(content)
    if code in (200, 202):
        fits(done, content_of(route)[1], operation)
        expect(str(code) in route['responses'], f'{operation} answers {code}, which is not described')
    return done


def driven():
    """Everything that can be changed, by a client that is driven by the description; and taken back."""
    api = get('/api/v1/openapi.json')
    undo = lambda done, words: expect(call(api, 'undo', number=done['audit']) is not None, words)
    call(api, 'label', url='https://news.example/driven', label='irrelevant')
    call(api, 'retryWebhooks')
    # Other crawlers: pages that were added are blocked again, what was blocked is let go.
    pages = [f'https://other.example/{i}' for i in range(3)]
    done = call(api, 'scheduleAdd', pages=pages)
    expect(done['added'] == 3 and call(api, 'getScheduler')['blocked'] == 0, f'scheduleAdd: {done}')
    expect('audit' not in call(api, 'scheduleAdd', pages=pages), 'nothing was added, and yet it is in the audit')
    undo(done, 'adding pages')
    expect(call(api, 'getScheduler')['blocked'] == 3, f'undo of scheduleAdd: {call(api, "getScheduler")}')
    done = call(api, 'scheduleBlock', pages=pages, blocked=False)
    expect(call(api, 'getScheduler')['blocked'] == 0, 'pages are not let go')
    undo(done, 'letting go')
    expect(call(api, 'getScheduler')['blocked'] == 3, 'undo of letting go')
    leases = call(api, 'scheduleNext', n=5)['items']
    call(api, 'scheduleReport', reports=[{'lease': x['lease'], 'status': 200, 'links': []} for x in leases])
    # Advertisements: one that is new is paused, one that was changed gets what it had, states come back.
    ad = lambda **more: dict({'advertiser': 'Acme', 'phrase': 'garden chairs', 'url': 'https://acme.example/'}, **more)
    row = lambda number: next(a for a in call(api, 'listAds')['items'] if a['ad'] == number)
    first = call(api, 'addAd', **ad(bid='0.40', budget='5', title='Chairs'))
    changed = call(api, 'addAd', **ad(bid='0.90', budget='7', title='Better chairs'))
    expect(first['new'] and not changed['new'] and row(first['ad'])['bid'] == 0.9, f'ads: {first} {changed}')
    undo(changed, 'changing an ad')
    expect((row(first['ad'])['bid'], row(first['ad'])['budget'], row(first['ad'])['title']) == (0.4, 5, 'Chairs'), f'undo of a bid: {row(first["ad"])}')
    done = call(api, 'setAdsState', ads=['Acme'], state='paused')
    expect(row(first['ad'])['state'] == 'paused', 'not paused')
    undo(done, 'pausing')
    expect(row(first['ad'])['state'] == 'active', f'undo of a pause: {row(first["ad"])}')
    undo(first, 'a new ad')
    expect(row(first['ad'])['state'] == 'paused', 'undo of a new ad')
    done = call(api, 'setAdsState', ads=[str(first['ad'])], state='revoked')
    expect(ask('/api/v1/undo', 'POST', {'number': done['audit']})[0] == 422, 'what is revoked comes back')
    call(api, 'getAdsStats')
    calls = [a['call'] for a in get('/api/v1/audit')['items']]
    for name in ('scheduleAdd', 'scheduleBlock', 'addAd', 'setAdsState'):
        expect(name in calls, f'{name} is not in the audit')
    # The same key twice is one change, of all of them.
    for path, body in (('scheduler/add', {'pages': ['https://other.example/key']}), ('ads', ad(phrase='other chairs', bid='0.10')), ('label', {'url': 'https://news.example/key', 'label': 'relevant'})):
        n = len(get('/api/v1/audit')['items'])
        answers = [ask('/api/v1/' + path, 'POST', body, {'Idempotency-Key': 'key of ' + path}) for _ in range(3)]
        expect(len({a[2] for a in answers}) == 1 and answers[0][0] == 200, f'{path} with a key: {[a[2] for a in answers]}')
        expect(len(get('/api/v1/audit')['items']) == n + 1, f'{path} with a key was carried out more than once')
    # What was taken back is not taken back again, until the taking back is; the audit says so.
    row = lambda number: next(a for a in get('/api/v1/audit')['items'] if a['number'] == number)
    first = next(d for d in (call(api, c, target='law.example') for c in ('pause', 'resume')) if 'audit' in d)
    second = call(api, 'undo', number=first['audit'])
    code, headers, content = ask('/api/v1/undo', 'POST', {'number': first['audit']})
    expect(code == 409 and headers['content-type'] == 'application/problem+json' and str(second['audit']).encode() in content, f'undone twice: {code} {content}')
    expect(get('/api/v1/audit')['items'][-1]['number'] == second['audit'], 'an undo that was refused is in the audit')
    expect((row(first['audit'])['undone_by'], row(second['audit'])['undoes'], row(second['audit'])['undone_by']) == (second['audit'], first['audit'], None), f'marks of an undo: {row(first["audit"])}')
    third = call(api, 'undo', number=second['audit'])
    expect((row(first['audit'])['undone_by'], row(second['audit'])['undone_by']) == (None, third['audit']), 'marks of a redo')
    fourth = call(api, 'undo', number=first['audit'])
    expect(row(first['audit'])['undone_by'] == fourth['audit'], 'marks of an undo after a redo')
    expect(ask('/api/v1/undo', 'POST', {'number': first['audit']})[0] == 409, 'undone once more')
    # A long list is undone as a whole, though the audit shows its beginning.
    done = call(api, 'scheduleAdd', pages=[f'https://other.example/long/{i}' for i in range(2000)])
    last = get('/api/v1/audit')['items'][-1]
    expect(last['number'] == done['audit'] and len(last['body']) < 5000, f'the audit has {len(last["body"])} bytes of a body')
    before = call(api, 'getScheduler')['blocked']
    undo(done, 'a long list')
    expect(call(api, 'getScheduler')['blocked'] == before + 2000, 'not all of a long list is undone')
    # A full file makes room; numbers go on.
    audit = f'{workspace}/audit.jsonl'
    with open(audit, 'a') as f:
        f.write((' ' * 1023 + '\n') * (9 << 10))
    done = call(api, 'label', url='https://news.example/after', label='relevant')
    items = get('/api/v1/audit')['items']
    expect(os.path.getsize(audit) < 10000 and items[-1]['number'] == done['audit'] == items[-2]['number'] + 1, f'a full audit: {os.path.getsize(audit)} {items[-2:]}')
    expect(ask('/api/v1/undo', 'POST', {'number': items[-2]['number'] - 1})[0] == 409, 'what is in the older file cannot be found')


def change():
    """What changes something is left in the command table, once."""
    before = len(waiting())
    key = {'Idempotency-Key': 'one'}
    code, _, first = ask('/api/v1/sites', 'POST', {'url': 'http://127.0.0.1:9/', 'tags': ['a', 'b'], 'at_least': '1h', 'budget': 5}, key)
    expect(code == 200, f'add: {code} {first}')
    expect(json.loads(first)['new_sites'] == 1 and json.loads(first)['running'] is False, f'add: {first}')
    code, _, again = ask('/api/v1/sites', 'POST', {'url': 'http://127.0.0.1:9/', 'tags': ['a', 'b'], 'at_least': '1h', 'budget': 5}, key)
    expect(code == 200 and again == first, 'the same key has another answer')
    expect(len(waiting()) == before + 1, f'{len(waiting()) - before} commands for one key')
    expect(ask('/api/v1/sites', 'POST', {'url': 'http://127.0.0.1:10/'}, key)[0] == 422, 'a key for another request')
    line = str(waiting()[-1][1])
    expect('127.0.0.1:9' in line and 'tags=a,b' in line and 'at-least=1h' in line and 'budget=5' in line, f'the command is {line!r}')
    code, _, content = ask('/api/v1/undo', 'POST', {'number': json.loads(first)['audit']})
    expect(code == 200 and 'http://127.0.0.1:9' in str(waiting()[-1][1]) and 'remove' in str(waiting()[-1][1]), f'undo of adding: {code} {content} {waiting()[-1]}')
    expect(ask('/api/v1/pause', 'POST', {'target': 'news.example'})[0] == 200, 'pause')
    done = json.loads(ask('/api/v1/pause', 'POST', {'target': 'news.example'})[2])
    expect(done['changed'] is False, f'paused twice: {done}')
    number = json.loads(ask('/api/v1/resume', 'POST', {'target': 'news.example'})[2])['audit']
    code, _, content = ask('/api/v1/undo', 'POST', {'number': number})
    expect(code == 200 and json.loads(content)['changed'], f'undo: {code} {content}')
    code, _, content = ask('/api/v1/site', 'POST', {'site': 'news.example', 'tag': ['press'], 'exclude': ['*/print/*'], 'budget': 20})
    done = json.loads(content)
    expect(code == 200 and 'press' in done['tags'] and 'print' in done['settings'], f'site: {code} {content}')
    code, _, content = ask('/api/v1/undo', 'POST', {'number': done['audit']})
    expect(code == 200, f'undo of rules: {content}')
    expect('print' not in str(waiting()[-1][1]), 'the rules before were not restored')
    expect(ask('/api/v1/remove', 'POST', {'target': 'https://news.example/politics/', 'page': True})[0] == 200, 'remove')
    audit = get('/api/v1/audit')['items']
    expect([a['number'] for a in audit] == list(range(1, len(audit) + 1)), 'numbers of the audit')
    expect(ask('/api/v1/undo', 'POST', {'number': 999})[0] == 404, 'undo of nothing')
    expect('audit' not in json.loads(ask('/api/v1/scheduler/block', 'POST', {})[2]) and len(get('/api/v1/audit')['items']) == len(audit), 'blocking nothing is no change')
    for path, body, status in (('sites', {}, 400), ('sites', {'url': 'ftp://x.example/'}, 400), ('sites', {'url': 'https://a.example/\nhttps://b.example/'}, 400),
                               ('sites', {'url': 'http://127.0.0.1:9/', 'nonsense': 1}, 400), ('sites', '[1]', 400), ('sites', '{', 400), ('pause', {'target': 'nowhere.example'}, 404),
                               ('site', {'site': 'news.example', 'scope': 'galaxy'}, 400), ('label', {'url': 'x', 'label': 'relevant'}, 400), ('sites', {'url': {'a': 1}}, 400),
                               # Types are those of the description: nothing is guessed.
                               ('pause', {'target': 1}, 400), ('pause', {'target': 'news.example', 'page': 'yes'}, 400), ('undo', {'number': '1'}, 400), ('sites', {'url': 'http://127.0.0.1:9/', 'tags': 'a,b'}, 400),
                               ('site', {'site': 'news.example', 'tag': [1]}, 400), ('scheduler/next', {'n': '5'}, 400), ('scheduler/block', {'blocked': 'no'}, 400), ('scheduler/report', {'reports': [{'lease': 1, 'linkz': []}]}, 400)):
        code, headers, content = ask('/api/v1/' + path, 'POST', body)
        expect(code == status and headers['content-type'] == 'application/problem+json', f'{path} {body}: {code} {content}')


# --- events, feeds, figures ---

def events(after=None, seconds=3.0, most=None, query=''):
    """Numbers and data of the events that come in a while."""
    s = socket.create_connection((host.split(':')[0], int(host.split(':')[1])), timeout=seconds)
    s.sendall(f'GET /events{query} HTTP/1.1\r\nHost: {host}\r\n{"Last-Event-ID: %s" % after + chr(13) + chr(10) if after is not None else ""}\r\n'.encode())
    got, text, end = [], b'', time.time() + seconds
    try:
        while time.time() < end and (most is None or len(got) < most):
            text += s.recv(65536)
            got = re.findall(rb'id: (\d+)\nevent: ([a-z-]+)\ndata: (.*?)\n\n', text)
    except OSError:
        pass
    s.close()
    return [(int(n), k.decode(), json.loads(d)) for n, k, d in got]


def live():
    """What is told while a client listens reaches it, and many others, once."""
    import sqlite3
    db = sqlite3.connect(f'{workspace}/forage.db', timeout=10)
    names = [row[1] for row in db.execute('PRAGMA table_info(outbox)')]
    last = list(db.execute('SELECT * FROM outbox ORDER BY number DESC LIMIT 1').fetchone())
    got, threads = [], []
    for _ in range(20):
        threads.append(threading.Thread(target=lambda: got.append(events(None, 8, 3))))
        threads[-1].start()
    time.sleep(1)
    for i in range(1, 4):
        row = list(last)
        row[names.index('number')] += i
        row[names.index('id')] += i
        db.execute(f'INSERT INTO outbox VALUES ({",".join("?" * len(row))})', row)
        db.commit()
        time.sleep(0.3)
    for t in threads:
        t.join()
    want = [last[names.index('number')] + i for i in (1, 2, 3)]
    expect(len(got) == 20 and all([n for n, _, _ in g] == want for g in got), f'live events: {[[n for n, _, _ in g] for g in got][:3]}, not {want}')
    db.execute('DELETE FROM outbox WHERE number > ?', (want[0] - 1,))
    db.commit()
    expect(ask('/events?kind=nonsense')[0] == 400 and ask('/events?nonsense=1')[0] == 400, 'parameters of events')


def stream():
    lines = [json.loads(x) for x in forage('export', '--what', 'events').splitlines()]
    got = events(0, 3, len(lines))
    expect([d for _, _, d in got] == lines, f'{len(got)} events of {len(lines)} by Last-Event-ID 0')
    numbers = [n for n, _, _ in got]
    expect(numbers == sorted(set(numbers)), 'event ids')
    expect([n for n, _, _ in events(numbers[0], 3, len(lines) - 1)] == numbers[1:], 'resumed after the first')
    expect(events(numbers[-1], 0.6) == [], 'nothing new, and yet something came')
    expect([n for n, _, _ in events(numbers[-1] + 1000, 3, len(lines))] == numbers, 'a number of another workspace: all is new to its client')
    for after, since in ((None, numbers[-1]), (numbers[0], numbers[0]), (numbers[-1] + 1000, 0)):
        field = '' if after is None else f'Last-Event-ID: {after}\r\n'
        expect(f': since {since}\n'.encode() in raw(f'GET /events HTTP/1.1\r\nHost: {host}\r\n{field}\r\n'.encode(), 0.5), f'since, after {after}')
    expect(all(k == 'discovery' for _, k, _ in events(0, 1, query='?kind=new')), 'only new ones were asked for')
    live()
    feed = get('/feeds/all.rss')
    expect('<rss' in feed and get('/feeds/all.atom').count('<entry') == feed.count('<item') > 0, 'feeds')
    expect(get('/feeds/sites/news.example.json')['version'].startswith('https://jsonfeed.org'), 'a JSON feed')
    expect(len(get('/feeds/all.json?limit=1')['items']) == 1, 'a feed of one')
    # A search that is saved as the address of a feed: the new pages that it finds, and no others.
    words = 'article'
    matching = {r['url'] for r in get(f'/api/v1/search?q={words}&limit=100')['results']}
    told = {e['url'] for e in lines if e['type'] == 'discovery'}
    found = get(f'/feeds/all.json?query={words}&limit=500')
    expect({x['url'] for x in found['items']} == matching & told and matching & told, f'a feed of a search has {[x["url"] for x in found["items"]]}, not {matching & told}')
    expect(found['feed_url'].endswith('/feeds/all.json?query=article') and words in found['title'], f'a feed of a search is {found["feed_url"]}, {found["title"]}')
    expect(get('/feeds/all.json?query=nobody+has+these')['items'] == [], 'a feed of nothing has something')
    expect(get('/api/v1/new?since=365d&query=article')['items'] and not get('/api/v1/new?since=365d&query=nobody')['items'], 'new pages with a word')
    get('/feeds/all.json?query=' + 'x' * 5000, 400)
    get('/feeds/all.exe', 404)
    get('/feeds/sites/nowhere.example.rss', 404)
    get('/feeds/tags/nobody.rss')
    expect(get('/healthz') == 'ok\n' and get('/readyz') == 'ready\n', 'health')
    metrics = get('/metrics')
    expect('news.example' not in metrics and 'http://' not in metrics, 'a metric names a site')
    status = json.loads(forage('status', '--once', '--json'))
    value = lambda name: float(re.search(rf'^{re.escape(name)} (\S+)$', metrics, re.M).group(1))
    expect(value('forage_pages') == status['totals']['known'], 'pages')
    expect(value('forage_sources') == status['totals']['sources'], 'sources')
    expect(value('forage_sites_alarmed') == status['totals']['alarms'], 'alarms')
    expect(value('forage_up') == 0, 'no crawl runs')
    buckets = [float(x) for x in re.findall(r'^forage_discovery_delay_seconds_bucket\{le="[^"]+"\} (\S+)$', metrics, re.M)]
    expect(buckets == sorted(buckets) and buckets[-1] == value('forage_discovery_delay_seconds_count'), 'the histogram does not grow')


# --- strangers ---

def memory():
    with open(f'/proc/{sys.argv[4]}/status') as f:
        return int(re.search(r'VmRSS:\s+(\d+)', f.read()).group(1)) << 10


def hostile():
    for name in ('evil.example', 'evil.example:80', 'localhost.evil.example', '', '127.0.0.1@evil.example'):
        for path in ('/', '/api/v1/status', '/events', '/metrics', '/feeds/all.rss'):
            code = ask(path, name=name)[0]
            expect(code in (400, 403), f'Host {name!r} gets {code} for {path}')
    own = 'http://' + host
    changing = [('/api/v1/' + p, b) for p, b in (('sites', {'url': 'http://127.0.0.1:9/'}), ('pause', {'target': 'news.example'}), ('resume', {'target': 'news.example'}),
                ('remove', {'target': 'news.example'}), ('label', {'url': 'https://news.example/', 'label': 'relevant'}), ('site', {'site': 'news.example', 'tag': ['x']}),
                ('webhooks', {}), ('feedback', {'chosen': 'x'}), ('ads/click', {'token': 'x'}), ('ads', {}), ('ads/state', {'ads': ['x']}), ('undo', {'number': 1}), ('scheduler/add', {'pages': []}), ('scheduler/next', {}), ('scheduler/report', {'reports': []}),
                ('scheduler/block', {}), ('experiments/run', {'experiment': 'quick'}), ('experiments/stop', {'experiment': 'quick'}), ('preview', {'url': 'http://127.0.0.1:9/'}))] + [('/login', {'token': 'x'})]
    described = {p for p, m in get('/api/v1/openapi.json')['paths'].items() if 'post' in m} - PUBLIC
    for path in PUBLIC:
        code = ask(path.replace('{rest}', '1.1.x'), 'POST', {})[0]
        expect(code == 404, f'{path} takes a push though nothing can be pushed: {code}')
    expect({p for p, _ in changing} == described, f'changing calls: {described ^ {p for p, _ in changing}}')
    before = len(waiting())
    for path, body in changing:
        for headers in ({'Origin': 'http://evil.example'}, {'Origin': 'null'}, {'Sec-Fetch-Site': 'cross-site'}, {'Content-Type': 'text/plain'},
                        {'Content-Type': 'application/x-www-form-urlencoded'}, {'Origin': own.replace('http', 'https') + '1'}):
            code = ask(path, 'POST', body, headers)[0]
            expect(code == 403, f'{path} with {headers} gets {code}')
        expect(ask(path, 'GET')[0] in (200, 400, 404, 405), f'GET {path}')
        code, headers, _ = ask(path, 'PUT', body)
        expect(code == 405 and 'POST' in headers.get('allow', ''), f'PUT {path}: {code} {headers}')
    expect(len(waiting()) == before, 'a stranger has changed something')
    expect(ask('/api/v1/status', headers={'Origin': 'http://evil.example'})[0] == 403, 'read from elsewhere')
    _, headers, _ = ask('/')
    expect(headers['x-frame-options'] == 'DENY' and "frame-ancestors 'none'" in headers['content-security-policy'], 'clickjacking')
    expect('access-control-allow-origin' not in headers, 'CORS')
    code, headers, content = ask('/api/v1/pages?limit=1000')
    expect(b'<script' not in content.lower(), 'markup in JSON is not escaped')
    for path in ('/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/feeds/../../etc/passwd', '/feeds/sites/..%2f..%2fetc%2fpasswd.rss', '/style.css/../../app.js', '//etc/passwd', '/index.html%00.js'):
        code, _, content = ask(path)
        expect(code in (400, 404) and b'root:' not in content, f'{path}: {code}')
    expect([ask(p, m)[1].get('allow') for p, m in (('/api/v1/settings', 'OPTIONS'), ('/api/v1/pause', 'GET'), ('/api/v1/sites', 'DELETE'), ('/', 'PUT'))]
           == ['GET, HEAD', 'POST', 'GET, HEAD, POST', 'GET, HEAD'], '405 and Allow')
    # A NUL cuts nothing off.
    for path in ('/app.js%00', '/app.js%00.html', '/openapi.json%00.html', '/api/v1/pages?limit=1%00zzz', '/api/v1/pages?limit=%00', '/api/v1/pages?limit%00x=1',
                 '/api/v1/why?url=https://news.example/%00junk', '/feeds/all.rss%00', '/%00'):
        code, headers, content = ask(path)
        expect(code == 400 and headers['content-type'] == 'application/problem+json' and b'NUL' in content, f'{path}: {code} {content[:100]}')
    expect(b'NUL' not in ask('/api/v1/pages?limit=1&site=%2500')[2], 'an escaped percent sign is no NUL')
    for second in (host, 'evil.example'):
        got = raw(f'GET /healthz HTTP/1.1\r\nHost: {host}\r\nHost: {second}\r\n\r\n'.encode(), 1)
        expect(b' 400 ' in got[:20] and b'problem+json' in got and got.count(b'HTTP/1.1') == 1, f'two Host headers, {second}: {got[:100]}')
    # Oversized everything.
    head = f'POST /api/v1/sites HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {2 << 20}\r\n\r\n'
    expect(b' 413 ' in raw(head.encode())[:20], 'a body of 2 MiB')
    expect(b' 200 ' not in raw(f'GET /api/v1/status?{"x" * 100000} HTTP/1.1\r\nHost: {host}\r\n\r\n'.encode())[:20], 'a long address')
    expect(b' 200 ' not in raw(f'GET / HTTP/1.1\r\nHost: {host}\r\n{"A: " + "b" * 60000}\r\n\r\n'.encode())[:20], 'a long header')
    expect(b' 200 ' not in raw(f'GET / HTTP/1.1\r\nHost: {host}\r\n'.encode() + b''.join(b'H%d: x\r\n' % i for i in range(20000)) + b'\r\n')[:20], 'many headers')
    expect(ask('/api/v1/pages?' + '&'.join(f'a{i}=1' for i in range(100)))[0] == 400, 'many parameters')
    chunks = f'POST /api/v1/sites HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'.encode() + b'10000\r\n' + b' ' * 65536 + b'\r\n'
    expect(b' 200 ' not in raw(chunks + (b'10000\r\n' + b' ' * 65536 + b'\r\n') * 40)[:20], 'an endless body')
    got = raw(chunks + (b'10000\r\n' + b' ' * 65536 + b'\r\n') * 40 + b'0\r\n\r\n', 5)
    expect(b' 413 ' in got[:20] and b'problem+json' in got, f'2.6 MiB in chunks: {got[:100]}')
    # Nonsense, and requests in pieces and in a row.
    for data in (b'\r\n\r\n', b'GET\r\n\r\n', b'\x16\x03\x01\x02\x00\x01', b'GET / HTTP/9.9\r\n\r\n', b'A' * 5000, b'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
                 f'POST /api/v1/pause HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n'.encode()):
        expect(b' 200 ' not in raw(data, 0.5)[:20], f'nonsense is answered: {data[:40]}')
    one = f'GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n'.encode()
    expect(raw(one * 50 + one.replace(b'\r\n\r\n', b'\r\nConnection: close\r\n\r\n')).count(b'HTTP/1.1 200') == 51, 'pipelined requests')
    # A body that hides a request: neither length is believed twice, and what is behind it is no request of anybody.
    hidden = f'GET /api/v1/settings HTTP/1.1\r\nHost: {host}\r\n\r\n'.encode()
    for fields in (f'Content-Length: {len(hidden) + 5}\r\nTransfer-Encoding: chunked', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', 'Content-Length: 5\r\nContent-Length: 0'):
        got = raw(f'POST /api/v1/pause HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{fields}\r\n\r\n0\r\n\r\n'.encode() + hidden, 1)
        expect(b'"settings"' not in got, f'a hidden request is answered: {fields!r}')
    for fields, text in ((f'Content-Length : {len(hidden)}', 'blank'), (f'Content-Length\t: {len(hidden)}', 'blank'), ('Transfer-Encoding: gzip', 'chunked'), ('Transfer-Encoding: chunked, gzip', 'chunked')):
        got = raw(f'POST /api/v1/pause HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{fields}\r\n\r\n'.encode() + hidden, 2)
        expect(b' 400 ' in got[:20] and b'problem+json' in got and text.encode() in got and got.count(b'HTTP/1.1') == 1, f'{fields!r}: {got[:100]}')
    # No parameter becomes a line of the head.
    for path in ('/go?result=x%0d%0aSet-Cookie:%20a=b', '/go?ad=%0d%0a%0d%0a<script>', '/feeds/sites/a%0d%0aX-A:%20b.rss', '/websub/a%0d%0ab', '/%0d%0aX-A:b'):
        code, headers, content = ask(path)
        expect('set-cookie' not in headers and 'x-a' not in headers and code >= 400 or code == 302 and 'x-a' not in headers, f'{path}: {code} {headers}')
    # JSON as deep as it may be, numbers without end, a key that is no key, ids of events that are none.
    for body in ('[' * 100000, '{"a":' * 50000, '{"number": 1' + '0' * 5000 + '}', '{"target": "\\u0000"}', '{"target": "' + 'a' * 900000 + '"}'):
        code = ask('/api/v1/pause', 'POST', body)[0]
        expect(code in (400, 404, 422), f'{body[:20]}...: {code}')
    expect(ask('/api/v1/pause', 'POST', {'target': 'news.example'}, {'Idempotency-Key': 'k' * 5000})[0] == 400, 'a long key')
    for number in ('-1', '99999999999999999999', 'x', '0' * 1000):
        expect(b' 200 ' in raw(f'GET /events HTTP/1.1\r\nHost: {host}\r\nLast-Event-ID: {number}\r\n\r\n'.encode(), 0.5)[:20], f'Last-Event-ID {number[:20]}')
    # Readers of feeds and rows that ask and never read.
    deaf = []
    for i in range(100):
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        s.connect((host.split(':')[0], int(host.split(':')[1])))
        s.sendall(f'GET {("/feeds/all.atom", "/api/v1/policies", "/api/v1/links?limit=1000")[i % 3]} HTTP/1.1\r\nHost: {host}\r\n\r\n'.encode() * 5)
        deaf.append(s)
    expect(get('/healthz') == 'ok\n' and len(get('/api/v1/sites')['items']) > 0, 'deaf readers keep others from being heard')
    for s in deaf:
        s.close()
    s = socket.create_connection((host.split(':')[0], int(host.split(':')[1])), timeout=5)
    for byte in one:
        s.sendall(bytes([byte]))
    expect(s.recv(100).startswith(b'HTTP/1.1 200'), 'a request in pieces')
    s.close()
    # A reader of events that never reads, and many who say nothing at all.
    lazy = []
    for _ in range(50):
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        s.connect((host.split(':')[0], int(host.split(':')[1])))
        s.sendall(f'GET /events HTTP/1.1\r\nHost: {host}\r\nLast-Event-ID: 0\r\n\r\n'.encode())
        lazy.append(s)
    import resource
    most = min(10000, resource.getrlimit(resource.RLIMIT_NOFILE)[1] - 200)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most + 200, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    base = memory()
    idle = []
    for _ in range(most):
        s = socket.socket()
        s.setblocking(False)
        s.connect_ex((host.split(':')[0], int(host.split(':')[1])))
        idle.append(s)
    began, heard = time.time(), False
    while time.time() - began < 25 and not heard:
        try:
            heard = ask('/healthz')[0] == 200
        except OSError:
            time.sleep(0.2)
    expect(heard, f'among {most} idle connections nobody else is heard')
    expect(memory() - base < 200 << 20, f'{most} idle connections take {(memory() - base) >> 20} MB')
    for s in idle + lazy:
        s.close()
    time.sleep(0.5)
    expect(get('/healthz') == 'ok\n', 'it has not come back')


def slow():
    """A head, or a body, that comes a byte at a time is not waited for: both at once, half a minute."""
    def drip(first, rest, result):
        s = socket.create_connection((host.split(':')[0], int(host.split(':')[1])), timeout=60)
        began = time.time()
        try:
            s.sendall(first)
            while time.time() - began < 50:
                s.sendall(rest)
                time.sleep(1)
                s.settimeout(0.01)
                try:
                    if not s.recv(1000):
                        break
                except socket.timeout:
                    pass
        except OSError:
            pass
        result.append(time.time() - began)
    results = []
    threads = [threading.Thread(target=drip, args=(f'GET / HTTP/1.1\r\nHost: {host}\r\n'.encode(), b'a', results)),
               threading.Thread(target=drip, args=(f'POST /api/v1/pause HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n'.encode(), b' ', results))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    expect(max(results) < 30, f'slow clients are kept for {results} s')


def deaf():
    """A reader of events, and one of a feed, that never read what is sent are sent away: some two minutes."""
    import sqlite3
    db = sqlite3.connect(f'{workspace}/forage.db', timeout=10)
    names = [row[1] for row in db.execute('PRAGMA table_info(outbox)')]
    last = list(db.execute('SELECT * FROM outbox ORDER BY number DESC LIMIT 1').fetchone())
    first, number, other, text = last[names.index('number')], names.index('number'), names.index('id'), names.index('json')
    last[text] = last[text].rstrip()[:-1] + ',"padding":"' + 'x' * 8000 + '"}'  # 16 MB of them: more than sockets hold
    db.executemany(f'INSERT INTO outbox VALUES ({",".join("?" * len(last))})',
                   [[v + i if n in (number, other) else v for n, v in enumerate(last)] for i in range(1, 2001)])
    db.commit()
    readers = []
    for path in ('/events', '/api/v1/events?limit=1000'):
        for _ in range(10):
            s = socket.socket()
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            s.connect((host.split(':')[0], int(host.split(':')[1])))
            s.sendall(f'GET {path} HTTP/1.1\r\nHost: {host}\r\nLast-Event-ID: 0\r\n\r\n'.encode())
            readers.append((path, s))
    time.sleep(100)
    for path, s in readers:
        # Then there is what the sockets hold, and an end; who is still there would get all of it, and no end.
        s.settimeout(20)
        n = 0
        try:
            while chunk := s.recv(1 << 20):
                n += len(chunk)
            is_over = True
        except ConnectionError:
            is_over = True
        except OSError:
            is_over = False
        expect(is_over and n < (15 if path == '/events' else 7) << 20, f'{path}: who never read is kept, and gets {n} bytes')
        s.close()
    db.execute('DELETE FROM outbox WHERE number > ?', (first,))
    db.commit()


def token():
    right = open('token').read().strip()
    for path in ('/api/v1/status', '/events', '/metrics', '/feeds/all.rss', '/api/v1/openapi.json'):
        expect(ask(path)[0] == 401, f'{path} without a token')
        expect(ask(path, headers={'Authorization': 'Bearer ' + right[:-1]})[0] in (401, 429), f'{path} with a wrong one')
    expect(ask('/healthz')[0] == 200 and ask('/')[0] == 200, 'what is open')
    import base64
    for _ in range(70):  # until the minute of the wrong ones is over
        if ask('/api/v1/status', headers={'Authorization': 'Bearer ' + right})[0] == 200:
            break
        time.sleep(1)
    basic = base64.b64encode(('reader:' + right).encode()).decode()
    expect(ask('/feeds/all.rss', headers={'Authorization': 'Basic ' + basic})[0] == 200, 'a feed reader with a password')
    code, headers, _ = ask('/login', 'POST', {'token': right})
    cookie = headers.get('set-cookie', '')
    expect(code == 200 and 'HttpOnly' in cookie and 'SameSite=Strict' in cookie, f'login: {code} {cookie}')
    expect(ask('/api/v1/status', headers={'Cookie': cookie.split(';')[0]})[0] == 200, 'the cookie')
    # Another token that is made meanwhile holds at once, and the one before no more, not even as a cookie or for a stream.
    stream = socket.create_connection((host.split(':')[0], int(host.split(':')[1])), timeout=20)
    stream.sendall(f'GET /events HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie.split(";")[0]}\r\n\r\n'.encode())
    expect(b' 200 ' in stream.recv(4096), 'a stream with a cookie')
    before, right = right, forage('serve', '--new-token').strip()
    codes = [ask('/api/v1/status', headers=h)[0] for h in ({'Authorization': 'Bearer ' + before}, {'Cookie': cookie.split(';')[0]}, {'Authorization': 'Bearer ' + right})]
    expect(codes == [401, 401, 200], f'the token before, its cookie, the new token: {codes}')
    told = b''
    try:
        while not told.endswith(b'0\r\n\r\n') and (part := stream.recv(4096)):
            told += part
    except TimeoutError:
        expect(False, 'a stream goes on after its token')
    fresh = raw(f'GET /events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {right}\r\n\r\n'.encode(), 3)
    expect(b' 200 ' in fresh and not fresh.endswith(b'0\r\n\r\n'), f'the stream of the new token ends: {fresh[-80:]}')
    codes = [ask('/login', 'POST', {'token': f'guess{i}'})[0] for i in range(15)]
    expect(codes[0] == 401 and codes[-5:] == [429] * 5 and codes.count(401) <= 10, f'guesses: {codes}')
    code, headers, _ = ask('/api/v1/status', headers={'Authorization': 'Bearer ' + right})
    expect(code == 429 and int(headers['retry-after']) <= 61, 'guessing is not slowed')
    # Behind a proxy who guesses shuts himself out, and nobody else.
    by = lambda client, given: ask('/api/v1/status', headers={'Authorization': 'Bearer ' + given, 'X-Forwarded-For': f'198.51.100.9, {client}'})[0]
    codes = [by('192.0.2.1', f'guess{i}') for i in range(12)]
    expect(codes[0] == 401 and codes[-1] == 429 and by('192.0.2.1', right) == 429, f'guesses behind a proxy: {codes}')
    expect(by('192.0.2.2', right) == 200, 'one client of a proxy shuts out another')


for name in what.split(','):
    {'walk': walk, 'rows': rows, 'change': change, 'together': together, 'driven': driven, 'stream': stream, 'hostile': hostile, 'slow': slow, 'deaf': deaf, 'token': token}[name]()
sys.exit(bool(bad))
