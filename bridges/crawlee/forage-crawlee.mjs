/* Crawlee with Forage choosing: a request manager.
 *
 *     import { ForageRequestManager } from './forage-crawlee.mjs';
 *     const forage = new ForageRequestManager({ url: 'http://127.0.0.1:6724/' });
 *     const crawler = forage.attach(new CheerioCrawler({
 *         maxRequestsPerCrawl: 1000,
 *         async requestHandler({ request, enqueueLinks }) {
 *             await enqueueLinks({ transformRequestFunction: forage.linksOf(request) });
 *         },
 *     }));
 *     await crawler.run(['https://news.example/']);
 *     await forage.close();
 *
 * Requests that are added go to Forage; the links of a page go into its report. Which page is
 * fetched when, and how often, is Forage's to say. The crawl ends when Forage has nothing more to
 * hand out, which a site that lives never lets happen: set maxRequestsPerCrawl. Retries are
 * Crawlee's own and keep their lease. */
import { randomUUID } from 'node:crypto';
import { Request, RequestState } from '@crawlee/core';

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

export class ForageRequestManager {
    constructor({ url = 'http://127.0.0.1:6724/', token, batch = 16 } = {}) {
        this.api = `${url.replace(/\/$/, '')}/api/v1/scheduler/`;
        this.headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
        this.batch = batch;
        this.ready = []; // requests that may be fetched
        this.open = new Map(); // by lease, what is to be reported
        this.reports = [];
        this.handled = this.added = this.found = 0;
        this.askAt = 0;
        this.isDone = false;
    }

    /* Tried again with the same key, so that an answer that was lost is not lost. */
    async call(name, body, tries = 5) {
        const headers = { ...this.headers, 'Idempotency-Key': randomUUID() };
        for (let attempt = 1; ; attempt++) {
            try {
                const answer = await fetch(this.api + name, { method: 'POST', headers, body: JSON.stringify(body) });
                const told = await answer.json();
                if (answer.ok) return told;
                if (answer.status !== 503 || attempt === tries) throw new Error(`Forage refuses ${name}: ${told.detail}`);
            } catch (wrong) {
                if (!(wrong instanceof TypeError) || attempt === tries) throw wrong;
            }
            await wait(50 * 2 ** attempt);
        }
    }

    /* Of any kind of crawler; its constructor takes no request manager (Crawlee 3.18). */
    attach(crawler) {
        crawler.requestManager = crawler.requestQueue = this;
        return crawler;
    }

    /* --- for the crawl's handlers --- */

    /* For enqueueLinks: the links are what this page shows. A page of which neither this nor `shows`
     * was called counts as failed. */
    linksOf(request) {
        this.shows(request, []);
        return (link) => {
            this.open.get(request.userData.forageLease)?.links.push(link.url);
            return false;
        };
    }

    /* The same for links that were found in another way, or another outcome: unchanged, failed, dead. */
    shows(request, links, outcome = 'ok') {
        const report = this.open.get(request.userData.forageLease);
        report?.links.push(...links);
        if (report) report.outcome = outcome;
    }

    /* Sends what is not told yet. */
    async close() {
        while (this.reports.length) {
            const told = await this.call('report', { reports: this.reports.slice(0, 50) });
            this.reports.splice(0, 50);
            this.found += told.new;
        }
    }

    /* --- what Crawlee asks (IRequestManager) --- */

    /* One call at a time, however many ask. */
    async ask() {
        this.asking ??= this.askNow().finally(() => { this.asking = undefined; });
        await this.asking;
    }

    async askNow() {
        await this.close();
        const { items, wait_s: seconds } = await this.call('next', { n: this.batch });
        for (const { lease, url, why } of items) {
            this.open.set(lease, { lease, outcome: 'failed', links: [] });
            const request = new Request({ url, uniqueKey: `forage-${lease}`, userData: { forageLease: lease, forageWhy: why } });
            request.id = String(lease);
            this.ready.push(request);
        }
        if (!items.length) {
            this.isDone = seconds === null && !this.open.size;
            this.askAt = Date.now() + 1000 * Math.min(seconds ?? 1, 1);
        }
    }

    async fetchNextRequest() {
        if (!this.ready.length && Date.now() >= this.askAt) await this.ask();
        return this.ready.shift() ?? null;
    }

    async isEmpty() {
        if (!this.ready.length && Date.now() >= this.askAt) await this.ask();
        return this.ready.length === 0;
    }

    async isFinished() {
        return this.isDone && !this.ready.length && !this.open.size;
    }

    async markRequestHandled(request) {
        const report = this.open.get(request.userData.forageLease);
        this.handled++;
        if (!report) return null;
        this.open.delete(report.lease);
        if (request.state === RequestState.SKIPPED) report.outcome = 'dead'; // robots.txt
        this.reports.push(report);
        return { requestId: request.id, wasAlreadyPresent: true, wasAlreadyHandled: false, uniqueKey: request.uniqueKey };
    }

    async reclaimRequest(request) {
        this.ready.unshift(request);
        return { requestId: request.id, wasAlreadyPresent: true, wasAlreadyHandled: false, uniqueKey: request.uniqueKey };
    }

    async addRequest(source) {
        const { addedRequests } = await this.addRequestsBatched([source]);
        return addedRequests[0];
    }

    async addRequestsBatched(sources) {
        const pages = [];
        for await (const source of sources) pages.push(typeof source === 'string' ? source : source.url);
        for (let i = 0; i < pages.length; i += 1000) this.added += (await this.call('add', { pages: pages.slice(i, i + 1000) })).added;
        this.askAt = 0;
        this.isDone = false;
        const addedRequests = pages.map((url) => ({ requestId: url, uniqueKey: url, wasAlreadyPresent: false, wasAlreadyHandled: false }));
        return { addedRequests, waitForAllRequestsToBeAdded: Promise.resolve(addedRequests) };
    }

    async handledCount() { return this.handled; }
    getTotalCount() { return this.handled + this.open.size; }
    getPendingCount() { return this.open.size; }

    async* [Symbol.asyncIterator]() {
        for (let request; (request = await this.fetchNextRequest());) yield request;
    }
}
