/* A crawl that follows every link of the sites it is given and writes what it sees.
 *
 *     node news.mjs FOUND FETCHES A_MINUTE FORAGE|own URL...
 *
 * FORAGE is the address of the server; with `own` it goes in Crawlee's own order, and starts again
 * when it has seen everything. */
import { appendFileSync } from 'node:fs';
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';
import { ForageRequestManager } from './forage-crawlee.mjs';

const [path, fetches, aMinute, by, ...urls] = process.argv.slice(2);
const sites = urls.map((url) => new URL(url).origin);
const seen = new Set();
const note = (row) => appendFileSync(path, `${JSON.stringify({ ...row, time: Date.now() / 1000 })}\n`);
const forage = by === 'own' ? undefined : new ForageRequestManager({ url: by });
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
let left = Number(fetches), turn = 0;
log.setLevel(log.LEVELS.ERROR);

while (left > 0) {
    const crawler = new CheerioCrawler({
        maxRequestsPerCrawl: left,
        minConcurrency: 2,
        maxConcurrency: 2,
        useSessionPool: false,
        async requestHandler({ request, response, enqueueLinks, $ }) {
            note({ fetched: request.url });
            left--;
            turn = Math.max(turn + 60000 / Number(aMinute), Date.now());
            await wait(turn - Date.now());
            const links = $('a[href]').toArray().map((a) => new URL($(a).attr('href'), request.loadedUrl ?? request.url));
            const ours = links.filter((url) => sites.includes(url.origin)).map((url) => { url.hash = ''; return url.href; });
            for (const url of ours.filter((one) => !seen.has(one))) {
                seen.add(url);
                note({ seen: url });
            }
            if (!forage) await enqueueLinks({ urls: ours, strategy: 'all' });
            else if ([404, 410].includes(response.statusCode)) forage.shows(request, [], 'dead');
            else await enqueueLinks({ urls: ours, strategy: 'all', transformRequestFunction: forage.linksOf(request) });
        },
        failedRequestHandler() { left--; },
    }, new Configuration({ persistStorage: false, purgeOnStart: true, logLevel: log.LEVELS.ERROR }));
    forage?.attach(crawler);
    await crawler.run(urls);
    if (!forage) await crawler.requestQueue?.drop();
}
await forage?.close();
