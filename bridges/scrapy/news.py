"""A spider that follows every link of the sites it is given and counts what it sees.

    scrapy runspider news.py -a urls=http://127.0.0.1:8000/ -s FORAGE_URL=http://127.0.0.1:6724/ -s CLOSESPIDER_PAGECOUNT=300

where FORAGE_URL is what 'forage serve' calls its dashboard; forage_scrapy.py lies beside this file. With -a by=scrapy and
no FORAGE_URL it goes in Scrapy's own order, and starts again when it has seen everything.
"""
import json
import os
import sys
import time

import scrapy
from scrapy.exceptions import DontCloseSpider
from scrapy.linkextractors import LinkExtractor

sys.path.append(os.path.dirname(os.path.abspath(__file__)))  # for forage_scrapy: runspider takes it away again


class News(scrapy.Spider):
    name = 'news'
    custom_settings = {'ROBOTSTXT_OBEY': False, 'TELNETCONSOLE_ENABLED': False, 'LOG_LEVEL': 'WARNING'}

    def __init__(self, urls='', by='forage', found='found.jsonl', **kwargs):
        super().__init__(**kwargs)
        self.start_urls = urls.split(',')
        self.by, self.found, self.seen = by, open(found, 'a', buffering=1), set()
        self.links = LinkExtractor(deny_extensions=[])
        self.sites = tuple('/'.join(url.split('/')[:3]) + '/' for url in self.start_urls)

    @classmethod
    def update_settings(cls, settings):
        super().update_settings(settings)
        if settings.get('FORAGE_URL'):
            settings.set('SCHEDULER', 'forage_scrapy.ForageScheduler', 'spider')
            settings.set('DOWNLOADER_MIDDLEWARES', {'forage_scrapy.ForageMiddleware': 50}, 'spider')
            settings.set('SPIDER_MIDDLEWARES', {'forage_scrapy.ForageMiddleware': 50}, 'spider')

    @classmethod
    def from_crawler(cls, crawler, *args, **kwargs):
        spider = super().from_crawler(crawler, *args, **kwargs)
        if spider.by not in ('forage', 'scrapy') or (spider.by == 'forage') != bool(crawler.settings.get('FORAGE_URL')):
            raise ValueError('by=forage needs -s FORAGE_URL=http://127.0.0.1:6724/, and by=scrapy must be without it')
        if spider.by == 'scrapy':
            crawler.signals.connect(spider.again, scrapy.signals.spider_idle)
        return spider

    def again(self):
        for url in self.start_urls:
            self.crawler.engine.crawl(scrapy.Request(url, dont_filter=True))
        raise DontCloseSpider

    def parse(self, response):
        self.found.write(json.dumps({'fetched': response.url, 'time': time.time()}) + '\n')
        for link in self.links.extract_links(response):
            if not link.url.startswith(self.sites):
                continue
            if link.url not in self.seen:
                self.seen.add(link.url)
                self.found.write(json.dumps({'seen': link.url, 'time': time.time()}) + '\n')
            yield scrapy.Request(link.url)
