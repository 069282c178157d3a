"""Scrapy with Forage choosing: a scheduler, and a middleware that reports.

    SCHEDULER = 'forage_scrapy.ForageScheduler'
    DOWNLOADER_MIDDLEWARES = {'forage_scrapy.ForageMiddleware': 50}
    SPIDER_MIDDLEWARES = {'forage_scrapy.ForageMiddleware': 50}
    FORAGE_URL = 'http://127.0.0.1:6724/'

Start requests are added to Forage, and so are the links that callbacks yield: as what a page
shows, in its report. Which page is fetched when, and how often, is Forage's to say. A request
with a body, or with meta forage=False, goes Scrapy's own way. The spider ends when Forage has
nothing more to hand out, which a site that lives never lets happen: set CLOSESPIDER_ITEMCOUNT,
CLOSESPIDER_PAGECOUNT or CLOSESPIDER_TIMEOUT.

Calls to Forage block the reactor for the milliseconds that they take, so it should be near.
"""
import json
import logging
import time
import urllib.error
import urllib.request
import uuid
from collections import OrderedDict, deque

from scrapy import Request

logger = logging.getLogger(__name__)
LEASE = 'forage_lease'


class Forage:
    """The calls, and what waits to be reported. One for each crawler."""

    def __init__(self, settings):
        self.url = settings.get('FORAGE_URL', 'http://127.0.0.1:6724/').rstrip('/') + '/api/v1/scheduler/'
        self.token = settings.get('FORAGE_TOKEN')
        self.batch = settings.getint('FORAGE_BATCH', 16)
        self.open = set()  # leases that are not reported yet
        self.reports = []
        self.prototypes = OrderedDict()  # requests of callbacks, by address

    @classmethod
    def of(cls, crawler):
        if not hasattr(crawler, 'forage'):
            crawler.forage = cls(crawler.settings)
        return crawler.forage

    def call(self, name, body, tries=5):
        """Tried again with the same key, so that an answer that was lost is not lost."""
        headers = {'Content-Type': 'application/json', 'Idempotency-Key': str(uuid.uuid4())}
        if self.token:
            headers['Authorization'] = f'Bearer {self.token}'
        for attempt in range(tries):
            try:
                request = urllib.request.Request(self.url + name, json.dumps(body).encode(), headers)
                with urllib.request.urlopen(request, timeout=30) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as wrong:
                if wrong.code != 503 or attempt + 1 == tries:
                    raise RuntimeError(f'Forage refuses {name}: {json.load(wrong)["detail"]}') from wrong
            except OSError as wrong:
                if attempt + 1 == tries:
                    raise RuntimeError(f'Forage does not answer at {self.url}: {wrong}') from wrong
            time.sleep(0.1 * 2**attempt)

    def report(self, request, outcome='ok', links=(), content=None):
        lease = request.meta.get(LEASE)
        if lease in self.open:
            self.open.discard(lease)
            self.reports.append({'lease': lease, 'outcome': outcome, 'links': list(links), 'content': content})

    def flush(self):
        while self.reports:
            told = self.call('report', {'reports': self.reports[:50]})
            del self.reports[:50]
            yield from told['items']


class ForageScheduler:
    def __init__(self, crawler):
        self.crawler = crawler
        self.forage = Forage.of(crawler)
        self.own = deque()  # redirects, retries and what is not for Forage
        self.leases = deque()
        self.added = []
        self.ask_at, self.is_done = 0, False

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def open(self, spider):
        self.spider = spider

    def close(self, reason):
        self.tell()

    def tell(self):
        if self.added:
            self.forage.call('add', {'pages': self.added})
            self.added = []
        for told in self.forage.flush():
            self.crawler.stats.inc_value('forage/new', told.get('new', 0))

    def enqueue_request(self, request):
        if request.method != 'GET' or request.meta.get(LEASE) or request.meta.get('forage') is False:
            self.own.append(request)
        else:
            self.remember(request)
            self.added.append(request.url)
            self.is_done, self.ask_at = False, 0
        return True

    def remember(self, request):
        self.forage.prototypes[request.url] = request
        if len(self.forage.prototypes) > 100000:
            self.forage.prototypes.popitem(last=False)

    def has_pending_requests(self):
        return bool(self.own or self.leases or self.added or self.forage.reports) or not self.is_done

    def ask(self):
        self.tell()
        answer = self.forage.call('next', {'n': self.forage.batch})
        self.leases.extend(answer['items'])
        self.forage.open.update(lease['lease'] for lease in answer['items'])
        wait = answer['wait_s']
        if not answer['items']:
            self.is_done = wait is None and not self.forage.open
            self.ask_at = time.monotonic() + min(1.0 if wait is None else wait, 1.0)
            self.wake(self.ask_at - time.monotonic())

    def wake(self, seconds):
        from twisted.internet import reactor
        slot = self.crawler.engine and self.crawler.engine.slot
        if slot:
            reactor.callLater(max(seconds, 0.01), slot.nextcall.schedule)

    def next_request(self):
        if self.own:
            return self.own.popleft()
        if not self.leases and time.monotonic() >= self.ask_at:
            self.ask()
        if not self.leases:
            return None
        lease = self.leases.popleft()
        prototype = self.forage.prototypes.get(lease['url'])
        meta = {LEASE: lease['lease'], 'forage_why': lease['why']}
        self.crawler.stats.inc_value('forage/' + lease['why'])
        if prototype is None:
            return Request(lease['url'], meta=meta, dont_filter=True)
        return prototype.replace(meta={**prototype.meta, **meta}, dont_filter=True)


class ForageMiddleware:
    """Of the downloader, for what fails; of the spider, for what a page shows."""

    def __init__(self, crawler):
        self.forage = Forage.of(crawler)

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def process_response(self, request, response, spider):
        if response.status in (404, 410):
            self.forage.report(request, 'dead')
        elif response.status >= 400:
            self.forage.report(request, 'failed')
        return response

    def process_exception(self, request, exception, spider):
        self.forage.report(request, 'failed')

    def process_spider_output(self, response, result, spider):
        links = []
        for made in result:
            is_link = isinstance(made, Request) and made.method == 'GET' and made.meta.get('forage') is not False
            if not is_link or LEASE not in response.meta:
                yield made
                continue
            links.append(made.url)
            self.forage.prototypes.setdefault(made.url, made)
        self.forage.report(response.request, links=links)

    def process_spider_exception(self, response, exception, spider):
        self.forage.report(response.request, 'failed')
