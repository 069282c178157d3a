"""bench/site.py FOLDER PAGES: a static site for bench_crawl.sh, the same at every call.

Each page has about 30 KB and 60 links to other pages of the site, of which ten lead on to
pages that no page before it shows: every page is four links or fewer from index.html.
"""
import os
import sys

LINKS, ONWARD, BYTES = 60, 10, 30000

# No module random: python3-minimal does not have it.
state = 1


def below(n):
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
    return (state >> 33) % n


def word():
    return "".join("bdfgklmnprstvz"[below(14)] + "aeiou"[below(5)] for _ in range(1 + below(4)))


words = [word() for _ in range(3000)]


def phrase(n):
    return " ".join(words[below(len(words))] for _ in range(n))


def paragraph():
    text = phrase(20 + below(30))
    return f'<p class="text">{text}, <em>{phrase(3)}</em> &amp; {phrase(10 + below(10))}.</p>\n'


paragraphs = [paragraph() for _ in range(4000)]


def path(i):
    return "/index.html" if i == 0 else f"/section-{i % 25}/{words[i % 900]}-{words[i % 1100]}-story-{i:05d}.html"


def link(i):
    return f'<li class="item"><a class="teaser" href="{path(i)}">{phrase(6)}</a></li>\n'


def page(i, pages):
    onward = [n for n in range(i * ONWARD + 1, (i + 1) * ONWARD + 1) if n < pages]
    links = [link(n) for n in onward + [below(pages) for _ in range(LINKS - len(onward))]]
    title = phrase(7)
    head = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<title>{title}</title>\n<meta name="description" content="{phrase(12)}">\n'
        f"</head>\n<body>\n<h1>{title}</h1>\n<ul>\n{''.join(links[:20])}</ul>\n"
    )
    foot = f"<ul>\n{''.join(links[20:])}</ul>\n</body>\n</html>\n"
    text, size = [], len(head) + len(foot)
    while size < BYTES:
        text.append(paragraphs[below(len(paragraphs))])
        size += len(text[-1])
    return head + "".join(text) + foot


def main():
    folder, pages = sys.argv[1], int(sys.argv[2])
    for section in range(25):
        os.makedirs(f"{folder}/section-{section}", exist_ok=True)
    for i in range(pages):
        with open(folder + path(i), "w") as f:
            f.write(page(i, pages))
    with open(folder + "/robots.txt", "w") as f:
        f.write("User-agent: *\nDisallow: /private/\n")


main()
