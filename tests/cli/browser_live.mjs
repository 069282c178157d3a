// browser_live.mjs ADDRESS FOLDER PAGE PROCESS: the dashboard of a crawl that runs, whose document PAGE changes at every
// visit in one noisy line. Figures move by themselves, the line is ignored and the ignoring undone, the site is paused
// and goes on; then the process is ended, and the dashboard says so.
import { chromium } from 'playwright-core';

const base = process.argv[2].replace(/\/$/, ''), folder = process.argv[3], url = process.argv[4], pid = Number(process.argv[5]);
const bad = [];
const expect = (isSo, words) => isSo || bad.push(words);
const api = async (path) => (await fetch(base + '/api/v1/' + path)).json();
const now = () => api('page?limit=0&url=' + encodeURIComponent(url));
const until = async (words, condition) => {
  for (let i = 0; i < 600; i++) {
    if (await condition()) return true;
    await new Promise((go) => setTimeout(go, 100));
  }
  bad.push('not in time: ' + words);
  return false;
};
// After so many more visits, how many of them found a change.
const changesOf = async (visits) => {
  const before = await now();
  let after;
  await until(`${visits} visits`, async () => (after = await now()).visits >= before.visits + visits);
  return after.changes - before.changes;
};

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
let isOver = false;
page.on('console', (m) => m.type() === 'error' && !isOver && bad.push(`console: ${m.text()}`));
page.on('pageerror', (e) => bad.push(`page: ${e}`));

// Now moves by itself, and what is new arrives.
await page.goto(base + '/#/');
await page.waitForSelector('.tiles');
const requests = async () => Number((await page.locator('.tiles div', { hasText: 'Requests in 24 hours' }).locator('dd').textContent()).replace(/\D/g, ''));
const first = await requests(), newest = await page.locator('.news li').count();
await until('the figures of Now move', async () => (await requests()) > first);
await until('changes arrive', async () => (await page.locator('.news li.fresh').count()) > 0);
expect((await page.locator('.news li').count()) >= newest, 'events are lost from the list');
expect((await page.locator('#state').textContent()) === 'crawling', 'a crawl runs, and it is not said');

// A noisy line is ignored by clicking on what changed, and the ignoring undone.
await page.goto(base + '/#/page/' + encodeURIComponent(url));
await until('a change to click on', async () => {
  await page.reload();
  return page.waitForSelector('button:has-text("Ignore lines like this")', { timeout: 3000 }).catch(() => null);
});
await page.waitForSelector('.card:has(h2:text("Versions")) .diff ins', { timeout: 10000 }).catch(() => bad.push('two versions show no difference'));
await page.screenshot({ path: `${folder}/noise.png`, fullPage: true });
await page.locator('button', { hasText: 'Ignore lines like this' }).first().click();
await page.waitForSelector('.said:has-text("no longer count")');
await page.screenshot({ path: `${folder}/ignored.png` });
const site = new URL(url).origin, rules = async () => (await api('site?site=' + encodeURIComponent(site))).ignore.length;
await until('the rule is taken up', async () => (await rules()) === 1);
await changesOf(1); // read by the old rules
expect((await changesOf(4)) === 0, 'what is ignored still counts as a change');
await page.locator('.said button', { hasText: 'Undo' }).click();
await page.waitForSelector('.said:has-text("Taken back")');
await until('the rule is taken back', async () => (await rules()) === 0);
await changesOf(1);
expect((await changesOf(4)) > 0, 'after the undo nothing is a change');

// Paused, and not visited; resumed, and visited.
await page.goto(base + '/#/site/' + encodeURIComponent(site));
await page.locator('button', { hasText: 'Pause' }).click();
await page.waitForSelector('.said:has-text("Paused")');
expect((await page.locator('.actions button').first().textContent()) === 'Resume', 'what is paused cannot be resumed');
await until('it is paused', async () => (await api('sites?limit=10')).items.some((s) => s.site === site && s.state === 'paused'));
await page.locator('button', { hasText: 'Resume' }).click();
await page.waitForSelector('.said:has-text("Resumed")');
await until('it goes on', async () => (await api('sites?limit=10')).items.some((s) => s.site === site && s.state !== 'paused'));
expect((await changesOf(2)) >= 0, 'it is not visited any more');

// Saved twice: the second change is one from the first, not from what the page had when it was opened.
await page.fill('input[name=tags]', 'one');
await page.locator('form button', { hasText: 'Save' }).click();
await page.waitForSelector('.said:has-text("Saved")');
await page.fill('input[name=tags]', 'two');
await page.locator('form button', { hasText: 'Save' }).click();
await until('a tag takes the place of another', async () => (await api('site?site=' + encodeURIComponent(site))).tags === 'two');

// The server is gone: it is said, and the figures stay.
isOver = true;
process.kill(pid, 'SIGTERM');
await until('it is said that nobody answers', async () => (await page.locator('#state').textContent()) === 'no answer');
await page.locator('nav a', { hasText: 'Now' }).click();
await page.waitForSelector('.wrong');
await page.screenshot({ path: `${folder}/no-answer.png` });

await browser.close();
for (const words of [...new Set(bad)]) console.log(words);
process.exit(bad.length ? 1 : 0);
