// browser_now.mjs ADDRESS FILE: the picture of Now for the README, while a crawl runs: what it shows first, down to the
// end of its charts.
import { chromium } from 'playwright-core';

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await (await browser.newContext({ colorScheme: 'light', viewport: { width: 1400, height: 900 } })).newPage();
await page.goto(process.argv[2]);
await page.waitForSelector('body[data-view=now] .news a');
const state = await page.locator('#state').textContent();
const cards = await page.locator('.cards > .w4').first().boundingBox();
await page.setViewportSize({ width: 1400, height: Math.ceil(cards.y + cards.height + 16) });
await page.waitForTimeout(2000); // what is new glows for a moment
await page.screenshot({ path: process.argv[3] });
await browser.close();
if (state !== 'crawling') console.log(`a crawl runs, and it is said: ${state}`);
process.exit(state === 'crawling' ? 0 : 1);
