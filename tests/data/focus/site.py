"""A small site on three topics, for tests of focused crawls.

site.py make DIR old|new    write the pages: those there from the start, or all of them
site.py serve DIR           serve them on a free port of 127.0.0.1, which is printed

Texts are drawn from a vocabulary of each topic, mixed half and half with words that all
topics share, so that no single word gives a topic away; but each page names its topic
once. Links say "story N" and nothing else.
"""
import http.server
import os
import random
import sys

COMMON = """the a of and to in is that it was for on are as with at be this have from or one had by
but not what all were when we there can an your which their said if will each about how up out them then
many some so these would other into has more time could people made over new after first day year week
morning evening city region council report early late great small long good under every near between""".split()
TOPICS = {
    'garden': ('compost heap', """garden soil seed plant leaf root flower bed prune harvest greenhouse tomato bean
rose lawn mulch water shade sow weed spade hedge orchard apple bloom bulb frost dig pot herb shrub compost
worm slug trellis vine cutting graft petal stem fertiliser""".split()),
    'football': ('sports ground', """goal match team coach league striker keeper penalty half season cup final
referee pitch midfield pass tackle corner shot win draw defeat fans stadium captain transfer squad injury
derby whistle header defender table points champion""".split()),
    'cooking': ('kitchen table', """oven pan salt pepper onion garlic butter flour dough bake roast simmer sauce
recipe dish soup slice chop stir boil serve taste plate spoon knife tomato herb bean cream cheese bread
dinner menu chef grill""".split()),
}
OLD, NEW = 12, 20


def page(topic, kind, number):
    name, words = TOPICS[topic]
    draw = random.Random(f'{topic} {kind} {number}')
    text = [draw.choice(words) if draw.random() < 0.5 else draw.choice(COMMON) for _ in range(150)]
    text[20:20] = name.split()
    title = ' '.join(draw.choice(words) for _ in range(2)) + ' ' + draw.choice(COMMON)
    return f'<!doctype html><title>{title}</title><p><a href="/">home</a><p>{" ".join(text)}.\n'


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + '.tmp', 'w') as file:
        file.write(text)
    os.replace(path + '.tmp', path)


def make(folder, state):
    names = [f'{topic}-old-{i}' for i in range(OLD) for topic in TOPICS]
    if state == 'new':
        names = [f'{topic}-new-{i}' for i in range(NEW) for topic in TOPICS] + names
    for name in names:
        write(f'{folder}/news/of/today/{name}.html', page(*name.split('-')))
    items = ''.join(f'<li><a href="/news/of/today/{name}.html">story {i}</a>\n' for i, name in enumerate(names))
    write(f'{folder}/index.html', f'<!doctype html><title>All news/of/today</title><ul>{items}</ul>\n')
    write(f'{folder}/robots.txt', 'User-agent: *\nDisallow: /hidden/\n')


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    disable_nagle_algorithm = True

    def send_head(self):
        # Pages change faster than a second, which is as fine as validators are.
        del self.headers['If-Modified-Since']
        return super().send_head()

    def log_message(self, *_):
        pass


def serve(folder):
    os.chdir(folder)
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()


if sys.argv[1] == 'make':
    make(sys.argv[2], sys.argv[3])
else:
    serve(sys.argv[2])
