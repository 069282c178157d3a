// browser.mjs ADDRESS FOLDER SITE STORE: drives the dashboard, and prints what is not as it should be. STORE is a file with
// the pages and sources of each site, counted in the store, and a page whose title is a script.
import { chromium } from 'playwright-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const base = process.argv[2].replace(/\/$/, ''), folder = process.argv[3];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const bad = [];
const expect = (isSo, words) => isSo || bad.push(words);
const api = async (path) => (await fetch(base + '/api/v1/' + path)).json();

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
// The site that shows most: a site that is still explored has many sources, each looked at once.
const heats = await Promise.all((await api('sites')).items.map((s) => api('rhythm?most=200&site=' + encodeURIComponent(s.site))));
const site = heats.sort((a, b) => b.sources.length - a.sources.length || b.found - a.found)[0].site;
const ruled = await Promise.all(heats.map((s) => api('site?site=' + encodeURIComponent(s.site))));
const source = (await api('sources?limit=1&site=' + encodeURIComponent(site))).items[0].url;
const longest = (await api('new?since=365d&limit=200')).items.map((item) => item.url).sort((a, b) => b.length - a.length)[0];
const views = [['now', '#/', '.tiles'], ['site', '#/site/' + encodeURIComponent(site), '.heat'], ['page', '#/page/' + encodeURIComponent(source), '.pairs'],
  ['policies', '#/policies', '.tiles'], ['search', '#/search/storm', '.hits'], ['lab', '#/lab', 'table'], ['add', '#/add', 'form']];

async function open(page, name, hash, selector) {
  // What is there before may have the same parts.
  await page.evaluate((to) => location.hash === to || document.querySelector('main')?.replaceChildren(), hash);
  await page.goto(base + '/' + hash);
  await page.waitForSelector(`body[data-view=${name}] main ${selector}`, { timeout: 20000 }).catch(() => bad.push(`${name} shows no ${selector}`));
  await page.waitForTimeout(300);
}

for (const [scheme, width] of [['light', 1400], ['dark', 1400], ['light', 390], ['dark', 390]]) {
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 900 }, });
  const page = await context.newPage();
  page.on('console', (m) => m.type() === 'error' && bad.push(`console: ${m.text()}`));
  page.on('response', (r) => expect(r.status() < 400, `${r.url()} answers ${r.status()}`));
  page.on('pageerror', (e) => bad.push(`page: ${e}`));
  page.on('request', (r) => expect(r.url().startsWith(base) || r.url().startsWith('data:'), `a request to ${r.url()}`));
  for (const [name, hash, selector] of views) {
    await open(page, name, hash, selector);
    expect(!(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)), `${name} is wider than ${width}`);
    expect((await page.locator('.wrong').count()) === 0, `${name}: ${await page.locator('.wrong').allTextContents()}`);
    await page.screenshot({ path: `${folder}/${name}-${scheme}-${width}.png`, fullPage: true });
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
    for (const v of found.violations) expect(!['serious', 'critical'].includes(v.impact), `axe, ${name}, ${scheme} at ${width}: ${v.id}: ${v.nodes[0].html.slice(0, 120)}`);
  }
  if (width === 390) {
    await open(page, 'page', '#/page/' + encodeURIComponent(longest), '.pairs');
    expect(!(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)), `the page of ${longest} is wider than ${width}`);
  }
  await context.close();
}

// The description of the API is one by the word of others.
const verdict = await new Validator().validate(await api('openapi.json'));
expect(verdict.valid, `the OpenAPI file is not valid: ${JSON.stringify(verdict.errors ?? '').slice(0, 500)}`);

// Numbers are those of the API.
const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
page.on('console', (m) => m.type() === 'error' && bad.push(`console: ${m.text()}`));
page.on('response', (r) => expect(r.status() < 400, `${r.url()} answers ${r.status()}`));
const before = await api('status');
await open(page, 'now', '#/', '.tiles');
const tile = async (name) => Number((await page.locator('.tiles div', { hasText: name }).locator('dd').first().textContent()).replace(/,/g, '').match(/^\d+/)?.[0]);
for (const [name, value] of [['New in 24 hours', before.totals.new_24h], ['New this hour', before.totals.new_1h], ['Requests in 24 hours', before.totals.fetches_24h], ['Alarms', before.totals.alarms]])
  expect((await tile(name)) === value, `Now shows ${await tile(name)} for ${name}, the API has ${value}`);
const after = await api('status');
expect((await page.locator('.news li').count()) > 0, 'no events are shown');
expect((await page.locator('tbody tr').count()) === after.sites.length, 'not all sites are shown');
const store = JSON.parse(readFileSync(process.argv[5], 'utf8'));
expect(Object.keys(store.sites).length === after.sites.length, 'the store has other sites');
for (const row of await page.locator('tbody tr').all()) {
  const cells = await row.locator('td').allTextContents(), own = store.sites[cells[0].trim()];
  expect(own && cells[4] === String(own.sources) && cells[5].replace(/,/g, '') === String(own.pages), `Now shows ${cells}, the store has ${JSON.stringify(own)}`);
}
// A line of each site, what requests were for, how pages were found and what went wrong: as the API has them.
const line = await api('timeline'), words = { first: 'first visits', source: 'lists and feeds', document: 'documents' };
const partsOf = async (title) => (await page.locator('.card', { has: page.locator('h2', { hasText: title }) }).locator('.legend li > span').allTextContents()).map((t) => t.trim().replace(/,/g, ''));
const parts = (o) => Object.entries(o).filter(([, n]) => n).map(([name, n]) => `${words[name] || name} ${n}`);
for (const [title, o] of [['What requests were for', line.purposes], ['How new pages were found', line.found_by], ['What went wrong', line.errors]])
  expect((await partsOf(title)).join() === parts(o).join(), `${title}: ${await partsOf(title)}, the API has ${parts(o)}`);
expect(Object.values(line.errors).reduce((a, n) => a + n, 0) === line.failures, 'the errors are not the failures');
await page.locator('tbody').last().scrollIntoViewIfNeeded();
await page.waitForFunction((n) => document.querySelectorAll('tbody .spark > svg').length === n, after.sites.length, { timeout: 20000 }).catch(() => bad.push('not every site has its line'));

// The site: what is expected of its sources is what the API expects.
const rhythm = await api('rhythm?most=200&site=' + encodeURIComponent(site));
await open(page, 'site', '#/site/' + encodeURIComponent(site), '.heat');
expect((await page.locator('.heat > svg').count()) === Math.min(14, rhythm.sources.length), 'not all sources are in the heat map');
expect((await page.locator('.heat > svg').first().locator('rect:not(.seen)').count()) === 168, 'a week has not 168 hours');
const dots = rhythm.sources.slice(0, 14).reduce((a, s) => a + s.hours.filter((x) => x.found).length, 0);
expect((await page.locator('.heat rect.seen').count()) === dots, `the heat map has not ${dots} dots`);
const all = (await api('sources?limit=100&site=' + encodeURIComponent(site))).items, because = await page.locator('.card', { has: page.locator('h2', { hasText: /^Sources$/ }) }).locator('tbody').first().locator('td:nth-child(2)').allTextContents();
expect(because.length === all.length && because.every((t) => /^(it was added|it is a (feed|sitemap|list of pages)( that .+ (names|leads to))?)$/.test(t)), `${because.length} of ${all.length} sources are admitted because: ${[...new Set(because)].slice(0, 3).join('; ')}`);
const sum = (rows, f) => rows.reduce((a, x) => a + f(x), 0);
for (const s of rhythm.sources) expect(Math.abs(sum(s.hours, (x) => x.expected) / 168 - s.an_hour) < 1e-6 * (1 + s.an_hour), `the hours of ${s.url} do not add up`);
const retired = (await api('retired?limit=50&site=' + encodeURIComponent(site))).items;
expect((await page.locator('h3:has-text("Retired") + .wide tbody tr').count()) === retired.length, 'not all retired sources are shown');
for (let i = 0; i < retired.length; i++)
  await page.waitForFunction((n) => document.querySelectorAll('h3 + .wide tbody tr')[n].lastElementChild.textContent.length > 10, i, { timeout: 20000 }).catch(() => bad.push('no reason why a source was retired'));

// Signals have their card; not every site has any.
const rules = ruled.sort((a, b) => b.signals.length - a.signals.length)[0];
await open(page, 'site', '#/site/' + encodeURIComponent(rules.site), '.heat');
const signals = page.locator('.card', { has: page.locator('h2', { hasText: 'Who tells of changes' }) });
expect(rules.signals.length > 0 && (await signals.locator('tbody tr').count()) === rules.signals.length, 'not all signals are shown');
for (const [i, s] of rules.signals.entries()) {
  const cells = await signals.locator('tbody tr').nth(i).locator('td').allTextContents();
  expect(cells[1] === s.state && cells[3] === String(Math.round(s.told)) && cells[4] === (s.honesty === null ? '–' : Math.round(100 * s.honesty) + ' %'), `a signal is shown as ${cells}`);
}

// The policies: tiles, dots and bars are those of the API, and these those of the visits.
const learning = await api('learning');
await open(page, 'policies', '#/policies', '.tiles');
expect((await tile('New links found')) === learning.found, `Policies shows ${await tile('New links found')} found, the API has ${learning.found}`);
expect((await tile('Looks and visits')) === learning.looks + learning.visits, 'looks and visits are not those of the API');
expect((await page.locator('.card', { has: page.locator('h2', { hasText: 'Expected against found' }) }).locator('circle').count()) === learning.bins.length, 'not a dot for each tenth');
expect(sum(learning.steps, (s) => s.found) === learning.found && sum(learning.bins, (b) => b.looks) <= learning.looks, 'steps and bins do not add up');
// Its arms: a band each, whose chances are those of the API.
const arms = learning.arms.filter((a) => a.task === 'refresh'), last = arms.filter((a) => a.time === arms.at(-1).time);
const bands = page.locator('.card', { has: page.locator('h2', { hasText: 'Arms and their weights' }) });
expect(last.length > 1 && (await bands.locator('path').count()) === last.length, `${await bands.locator('path').count()} bands for ${last.length} arms`);
for (const a of last) expect((await bands.locator('.legend li', { hasText: a.arm }).first().textContent().catch(() => '')).includes(Math.round(100 * a.chance) + ' % now'), `the chance of ${a.arm} is not ${a.chance}`);
let after_ = '', looks = 0, found = 0;
do {
  const part = await api('visits?limit=1000&since=' + learning.from + (after_ ? '&after=' + after_ : ''));
  for (const v of part.items) if (v.purpose === 'source') { looks++; found += v.new; }
  after_ = part.next;
} while (after_);
expect(looks === learning.looks && found === learning.found, `the visits have ${looks} looks and ${found} new links, learning ${learning.looks} and ${learning.found}`);

// Keys, search and click.
await page.keyboard.press('/');
await page.waitForSelector('body[data-view=search] input[type=search]');
await page.fill('input[type=search]', 'storm');
await page.keyboard.press('Enter');
await page.waitForSelector('.hits li');
// A labelled advertisement, a promoted page that few have seen, and links that count.
const sponsored = page.locator('.hits li.sponsored').first();
expect((await sponsored.locator('.tag').textContent().catch(() => '')) === 'Sponsored', 'no advertisement, or none with its label');
expect(/^go\?ad=/.test(await sponsored.locator('b a').getAttribute('href').catch(() => '')), 'the advertisement is no link that counts');
let promoted = 0;
for (let i = 0; i < 20 && !promoted; i++) {
  await page.reload();
  await page.waitForSelector('.hits li');
  promoted = await page.locator('.hits .tag', { hasText: 'New here' }).count();
}
expect(promoted > 0, 'no page that few have seen is promoted');
await page.screenshot({ path: `${folder}/search-promoted.png`, fullPage: true });
expect((await page.locator('.hits mark').count()) > 5 && (await page.locator('.hits mark').allTextContents()).every((w) => /^storm/i.test(w)), 'what was found is not marked');
// A filter among the words, and a feed that follows the search.
await page.fill('input[type=search]', 'storm site:' + new URL(site).host);
await page.keyboard.press('Enter');
await page.waitForSelector('.follow a[href^="/feeds/sites/"]').catch(() => bad.push('the feed of a search of one site is not of that site'));
await page.waitForSelector('.hits li');
expect((await page.locator('.hits li:not(.sponsored) small').allTextContents()).filter((t) => t.includes('·')).every((t) => t.startsWith(new URL(site).host)), 'pages of other sites than was asked for');
const feed = await page.locator('.follow a', { hasText: 'JSON' }).getAttribute('href'), followed = await (await fetch(base + feed)).json();
expect(feed.startsWith('/feeds/sites/') && followed.items.every((x) => x.url.startsWith(site)), `the feed of a search of ${site} is ${feed}`);
await page.fill('input[type=search]', 'site:' + new URL(site).host);
await page.keyboard.press('Enter');
await page.waitForSelector('.wrong');
expect((await page.locator('input[type=search]').count()) === 1, 'a search that is refused takes the field away');
await open(page, 'search', '#/search/storm', '.hits li');
await page.locator('.hits li a', { hasText: 'history' }).first().click();
await page.waitForSelector('body[data-view=page] .pairs dd');

// Adding, with a preview; then taking it back.
await open(page, 'add', '#/add', 'form');
await page.fill('form.row input', process.argv[4]);
await page.keyboard.press('Enter');
await page.waitForSelector('.card select[name=type]', { timeout: 30000 }).catch(() => bad.push('no preview'));
expect((await page.locator('.card h2').first().textContent()) === 'A small site', 'the preview has no title');
await page.screenshot({ path: `${folder}/preview.png`, fullPage: true });
await page.locator('button', { hasText: 'Watch it' }).click();
await page.waitForSelector('.said');
await page.waitForSelector('button[aria-label^="Undo"]');
const changes = (await api('audit')).items.length;
await page.locator('button[aria-label^="Undo"]').first().click();
await page.waitForFunction((n) => fetch('/api/v1/audit').then((r) => r.json()).then((a) => a.items.length > n), changes, { timeout: 20000 }).catch(() => bad.push('nothing was undone'));

// Setting a rule of noise, and a view of nothing.
await open(page, 'site', '#/site/' + encodeURIComponent(site), '.heat');
await page.fill('input[name=ignore]', '.ads');
await page.locator('form button', { hasText: 'Save' }).click();
await page.waitForSelector('.said');
await page.goto(base + '/#/site/nowhere.example');
await page.waitForSelector('.wrong');
await page.screenshot({ path: `${folder}/error.png` });

// A lab run, and its report.
await open(page, 'lab', '#/lab', 'table');
await page.locator('button[aria-label="Run quick"]').click();
await page.waitForSelector('tr:has-text("quick") a', { timeout: 120000 }).catch(() => bad.push('no report of an experiment'));
await page.screenshot({ path: `${folder}/lab-run.png`, fullPage: true });
await page.goto(base + '/lab/quick.html');
await page.waitForSelector('table');
expect((await page.evaluate(() => getComputedStyle(document.body).fontFamily)) !== 'serif', 'the report has no style');
await page.screenshot({ path: `${folder}/report.png` });

// A title that is a script is a text like any other.
await open(page, 'page', '#/page/' + encodeURIComponent(store.url), '.pairs');
expect((await page.locator('h1').textContent()) === store.title, `a title is shown as ${await page.locator('h1').textContent()}`);
expect((await page.title()) === 'Page · Forage' && (await page.locator('main img, main script').count()) === 0, 'a title was taken as markup');

// A page that changed: what is different.
const changed = (await api('new?kind=changed&since=365d&limit=200')).items.find((e) => e.diff);
if (changed) {
  await open(page, 'page', '#/page/' + encodeURIComponent(changed.url), '.diff');
  expect(!(await page.locator('.tiles').textContent()).includes('Last visitin'), 'the last visit is yet to come');
  await page.screenshot({ path: `${folder}/diff.png`, fullPage: true });
} else bad.push('the demo has no change to show');

await browser.close();
for (const words of [...new Set(bad)]) console.log(words);
process.exit(bad.length ? 1 : 0);
