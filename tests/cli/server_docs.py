"""What docs/server.md and docs/api.md say, held against a server: server_docs.py ADDRESS DOCS SITE. Every call and
parameter they name is there and none is left out, every body is taken, every metric is there and none is left out."""
import json, re, sys, urllib.error, urllib.parse, urllib.request

address, docs, site = sys.argv[1].rstrip('/'), sys.argv[2], sys.argv[3]
api, server = (open(f'{docs}/{name}.md').read() for name in ('api', 'server'))
bad = []


def expect(is_so, words):
    if not is_so:
        bad.append(words)
        print('not so: ' + words)


def ask(path, body=None):
    request = urllib.request.Request(address + path, None if body is None else json.dumps(body).encode(), {'Content-Type': 'application/json'})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as wrong:
        return wrong.code, wrong.read().decode()


def table(text, head):
    """The rows below a head, as lists of cells."""
    lines = text[text.index(head):].split('\n')[2:]
    return [[c.strip().replace('\0', '|') for c in line.replace('\\|', '\0').strip('|').split('|')] for line in lines[:lines.index('')]]


paths = json.loads(ask('/api/v1/openapi.json')[1])['paths']
routes = {p[len('/api/v1/'):]: m for p, m in paths.items() if p.startswith('/api/v1/')}

# To read: the calls of the first column, with their parameters.
told = {}
for row in table(api, '| to read | |'):
    shared = set(re.findall(r'[?&](\w+)=', row[1]))  # "rows: `?site=&...`" is of all of the row
    for words in re.findall(r'`([^`]+)`', row[0]):
        name, _, query = words.partition('?')
        told[name] = shared | set(re.findall(r'(\w+)=', '&' + query))
for name, parameters in told.items():
    known = {p['name'] for p in routes.get(name, {}).get('get', {}).get('parameters', [])}
    expect(name in routes and 'get' in routes[name], f'docs/api.md has a call {name}, the server has none')
    expect(parameters <= known, f'docs/api.md: {name} does not take {parameters - known}')
unsaid = {n for n, m in routes.items() if 'get' in m and n not in told and n != 'openapi.json' and f'`GET {n}`' not in api}
expect(not unsaid, f'docs/api.md says nothing of {unsaid}')

# To change: the bodies that are shown are taken.
said = {}
for row in table(api, '| to change | |'):
    names = re.findall(r'`([\w/]+)`', row[0])
    body = re.match(r'`(\{[^`]*\})`', row[1])
    folder = names[0].rsplit('/', 1)[0] + '/' if '/' in names[0] else ''
    for name in names:
        name = name if '/' in name or not folder else folder + name
        said[name] = body and json.loads(body.group(1).replace(', ...]', ']').replace('"..."', json.dumps(site if name == 'preview' else 'https://news.example/')))
expect(set(said) == {n for n, m in routes.items() if 'post' in m}, f'calls that change: {set(said) ^ {n for n, m in routes.items() if "post" in m}}')
there = {'ads/state': {200, 404}, 'undo': {200, 404}}  # of what there is not
for name, body in said.items():
    if body is None:
        continue
    code, answer = ask('/api/v1/' + name, body)
    expect(code in there.get(name, {200, 202}), f'{name} {body} is answered {code}: {answer[:200]}')

# Paths of the server.
for words in re.findall(r'`(/[^`]*)`', '\n'.join(row[0] for row in table(server, '| | |\n|---|---|\n| `/`'))):
    path = words.split('?')[0].replace('...', '{rest}').replace('HOST', '{rest}').replace('TAG', '{rest}')
    expect(path in paths or path == '/api/v1/{rest}' or any(re.fullmatch(re.escape(p).replace(r'\{rest\}', '.+'), path) for p in paths) or ask(path)[0] == 200, f'docs/server.md has {words}')

# Metrics.
metrics = set(re.findall(r'^# TYPE (\S+)', ask('/metrics')[1], re.M))
named = {name for row in table(server, '| metric | |') for name in re.findall(r'`(forage_\w+)(?:\{\w+\})?`', row[0])}
expect(named <= metrics, f'docs/server.md has metrics that are not there: {named - metrics}')
left = {m for m in metrics - named if not m.startswith('forage_http_')}
expect(not left, f'docs/server.md says nothing of {sorted(left)}')
sys.exit(bool(bad))
