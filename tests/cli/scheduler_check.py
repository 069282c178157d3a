"""The scheduler for others over HTTP: ADDRESS WHAT. Batches, keys, leases, and what is wrong."""
import json
import sys
import urllib.error
import urllib.request

address, what = sys.argv[1:3]


def ask(path, body=None, headers=None):
    request = urllib.request.Request(address + 'api/v1/scheduler' + path, method='POST' if body is not None else 'GET',
                                     data=json.dumps(body).encode() if body is not None else None,
                                     headers={'Content-Type': 'application/json', **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as wrong:
        return wrong.code, json.load(wrong)


def expect(is_so, words):
    if not is_so:
        print(words)
        sys.exit(1)


with urllib.request.urlopen(address + 'api/v1/openapi.json', timeout=30) as described:
    paths = json.load(described)['paths']


def is_described(value, schema, where):
    """Every member of an answer is in the description."""
    for key, member in value.items() if isinstance(value, dict) else ():
        expect(key in schema['properties'], f'{where}: {key} is not described')
        is_described(member, schema['properties'][key], f'{where}/{key}')
    for entry in value if isinstance(value, list) else ():
        is_described(entry, schema['items'], where)


def good(path, body=None, headers=None):
    code, answer = ask(path, body, headers)
    expect(code == 200, f'{path}: {code} {answer}')
    route = paths['/api/v1/scheduler' + path]['get' if body is None else 'post']
    is_described(answer, route['responses']['200']['content']['application/json']['schema'], path)
    return answer


def first():
    """Before the server is killed."""
    sites = [f'https://s{i}.example/' for i in range(20)]
    added = good('/add', {'pages': sites})
    expect((added['added'], added['known']) == (20, 0) and added['audit'] > 0, 'add')
    expect(good('/add', {'pages': sites}) == {'added': 0, 'known': 20}, 'add twice')
    key = {'Idempotency-Key': 'turn-1'}
    some = good('/next', {'n': 7}, key)['items']
    expect(len(some) == 7 and good('/next', {'n': 7}, key)['items'] == some, 'a key gets the same leases')
    expect(all(lease['why'] == 'added' and lease['url'] == lease['site'] + '/' for lease in some), f'leases: {some[0]}')
    rest = good('/next', {'n': 100})['items']
    expect(len(rest) == 13 and not {x['url'] for x in rest} & {x['url'] for x in some}, 'a page is handed out once')
    expect(good('/next', {'n': 100})['wait_s'] > 1, 'all are leased')
    report = {'lease': some[0]['lease'], 'links': ['/a?utm_source=x', 'b#c', 'https://stranger.example/', 'mailto:a@b.example', '/a']}
    told = good('/report', {'reports': [report, report, {'lease': 10**9}]})
    expect([item['fate'] for item in told['items']] == ['counted', 'old', 'unknown'], f'fates: {told}')
    expect(told['counted'] == 1 and told['new'] == 2, f'{told}')
    site = some[0]['url']
    expect(told['items'][0]['new_links'] == [site + 'a', site + 'b'], f'names are canonical: {told}')
    for path, body, words in (
            ('/add', {'pages': ['ftp://a.example/']}, 'http'), ('/add', {'pages': [7]}, 'entry 0'), ('/add', {'page': []}, "'page'"),
            ('/add', {'pages': 'https://a.example/'}, 'list'), ('/next', {'n': 0}, 'n'), ('/next', {'m': 1}, 'm'),
            ('/report', {'reports': [{'lease': some[1]['lease']}, {'lease': 0}]}, 'report 1'),
            ('/report', {'reports': [{'lease': 1, 'outcome': 'good'}]}, 'outcome'), ('/report', {'reports': [{'lease': 1, 'links': [1]}]}, 'links'),
            ('/report', [], 'object')):
        code, answer = ask(path, body)
        expect(code == 400 and words in answer['detail'], f'{path} {body}: {code} {answer}')
    expect(ask('/block', {'pages': ['https://nobody.example/']})[0] == 404, 'block what nobody knows')
    # A batch with something wrong in it did not count.
    expect(good('/report', {'reports': [{'lease': some[1]['lease'], 'outcome': 'dead'}]})['counted'] == 1, 'whole or not at all')
    expect({'changed': 1, 'blocked': True}.items() <= good('/block', {'sites': [some[2]['url'] + 'x']}).items(), 'block a site')
    state = good('')
    expect((state['pages'], state['leases'], state['reports'], state['dead'], state['blocked']) == (22, 18, 2, 1, 1), f'{state}')


def second():
    """After it was killed and started again: every lease is there, and the key as well."""
    state = good('')
    expect((state['pages'], state['leases'], state['reports']) == (22, 18, 2), f'after the kill: {state}')
    again = good('/next', {'n': 7}, {'Idempotency-Key': 'turn-1'})['items']
    expect(len(again) == 5, f'what is open of that call: {again}')
    told = good('/report', {'reports': [{'lease': item['lease'], 'links': ['/new']} for item in again]})
    expect(told['counted'] == 5, f'{told}')
    expect(good('/report', {'reports': [{'lease': again[0]['lease']}]})['items'][0]['fate'] == 'old', 'a report counts once')


{'first': first, 'second': second}[what]()
