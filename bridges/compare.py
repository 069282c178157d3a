#!/usr/bin/env python3
"""compare.py PUBLISHED ANCHOR SPEED NAME=FOUND...: new articles that each crawl has found, a fetch.

PUBLISHED is what `forage simulate --published` wrote, FOUND what a spider of the bridges wrote: a
JSON object a line, {"fetched": URL, "time": SECONDS} or {"seen": URL, "time": SECONDS}. An article
is new if it was published after the crawl's first fetch, and counts once it was seen on any page.
Prints one JSON object; all crawls are held to the fetches of the shortest.
"""
import json
import sys
from datetime import datetime


def seconds(text):
    return datetime.fromisoformat(text.replace('Z', '+00:00')).timestamp()


def main():
    published, anchor, speed = sys.argv[1], seconds(sys.argv[2]), float(sys.argv[3])
    articles = {row['url']: seconds(row['published']) for row in map(json.loads, open(published))}
    crawls = {}
    for word in sys.argv[4:]:
        name, path = word.split('=', 1)
        lines = (line for line in open(path) if line.endswith('\n'))  # a kill may cut the last
        crawls[name] = [json.loads(line) for line in lines]
    fetches = min(sum('fetched' in row for row in rows) for rows in crawls.values())
    out = {}
    for name, rows in crawls.items():
        start, made, found = None, 0, set()
        for row in rows:
            if 'fetched' in row:
                if made == fetches:
                    break
                made += 1
                start = start or anchor + (row['time'] - anchor) * speed
            elif articles.get(row['seen'].split('?')[0], 0) > start:
                found.add(row['seen'].split('?')[0])
            last = row['time']
        end = anchor + (last - anchor) * speed
        there = sum(start < at <= end for at in articles.values())
        out[name] = {'fetches': made, 'new': len(found), 'published': there, 'a_fetch': round(len(found) / made, 4),
                     'share': round(len(found) / max(there, 1), 4)}
    print(json.dumps(out))


main()
