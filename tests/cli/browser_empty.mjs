// browser_empty.mjs ADDRESS FOLDER TOKEN: a workspace in which there is nothing yet, behind a token: coming in, and every
// view without anything to show; by the keyboard alone. Prints what is not as it should be.
import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const base = process.argv[2].replace(/\/$/, ''), folder = process.argv[3], token = process.argv[4];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const bad = [];
const expect = (isSo, words) => isSo || bad.push(words);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await (await browser.newContext({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })).newPage();
let isIn = false; // before that, refusals are no errors
page.on('console', (m) => m.type() === 'error' && isIn && bad.push(`console: ${m.text()}`));
page.on('pageerror', (e) => bad.push(`page: ${e}`));
page.on('request', (r) => expect(r.url().startsWith(base) || r.url().startsWith('data:'), `a request to ${r.url()}`));
const focus = () => page.evaluate(() => document.activeElement.textContent.trim() || document.activeElement.name);
async function judge(name) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  for (const v of found.violations) expect(!['serious', 'critical'].includes(v.impact), `axe, ${name}: ${v.id}: ${v.nodes[0].html.slice(0, 120)}`);
  expect(!(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)), `${name} is too wide`);
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

// A wrong token, and the right one.
await page.goto(base + '/');
await page.waitForSelector('input[name=token]');
await judge('login');
expect((await page.locator('#state').textContent()) === 'locked', 'it is not said that it is locked');
await page.keyboard.type('nonsense');
await page.keyboard.press('Enter');
await page.waitForSelector('.wrong');
await page.screenshot({ path: `${folder}/login-wrong.png` });
await page.fill('input[name=token]', token);
await page.keyboard.press('Enter');
await page.waitForSelector('body[data-view=now] .tiles').catch(() => bad.push('the token does not open'));
isIn = true;
expect((await page.locator('#state').textContent()) === 'no crawl runs', 'it still says that it is locked');
expect((await page.locator('.said a').getAttribute('href')) === '#/add', 'who has nothing yet is not told what to do');
expect(!(await page.evaluate(() => document.cookie)).includes('forage'), 'a script can read the cookie');

for (const [name, hash] of [['now', '#/'], ['search', '#/search/storm'], ['policies', '#/policies'], ['add', '#/add']]) {
  await page.goto(base + '/' + hash);
  await page.waitForSelector(`body[data-view=${name}] main h1`);
  await page.waitForTimeout(300);
  expect((await page.locator('.wrong').count()) === 0, `${name}: ${await page.locator('.wrong').allTextContents()}`);
  expect((await page.locator('main').textContent()).match(/undefined|NaN|null|Infinity/) === null, `${name} shows what is no word`);
  await judge(`empty-${name}`);
}
// By the keyboard: the first key skips to the content, the views come in order, and Enter opens one.
await page.goto(base + '/#/policies');
await page.reload();
await page.waitForSelector('body[data-view=policies] .tiles');
const met = [];
for (let i = 0; i < 7; i++) {
  await page.keyboard.press('Tab');
  met.push(await focus());
  expect(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle !== 'none'), `${met.at(-1)} has the focus, and nobody sees it`);
}
expect(met.join() === 'Skip to content,Forage,Now,Search,Add,Policies,Lab', `by the keyboard: ${met}`);
await page.keyboard.press('Enter');
await page.waitForSelector('body[data-view=lab] table').catch(() => bad.push('Enter does not open a view'));
await page.keyboard.press('n');
await page.waitForSelector('body[data-view=now] .tiles').catch(() => bad.push('n is not Now'));

// What takes its time says so.
await page.route('**/api/v1/learning', async (route) => { await new Promise((go) => setTimeout(go, 1500)); await route.continue(); });
await page.keyboard.press('p');
await page.waitForSelector('.wait', { timeout: 1400 }).catch(() => bad.push('nothing says that it loads'));
await page.screenshot({ path: `${folder}/loading.png` });
await page.waitForSelector('body[data-view=policies] .tiles');
await browser.close();
for (const words of [...new Set(bad)]) console.log(words);
process.exit(bad.length ? 1 : 0);
