// What the crawl finds, how soon, at what cost.
import { h, fill, tiles, table, card, count, span, share, ago, host, siteLink, pageLink, setNow, when } from './dom.js';
import { get } from './api.js';
import { bars, histogram, shares, spark } from './charts.js';

const LISTED = 40, SPARKS = 12, EVERY = 10000, SPARKS_EVERY = 6;

function item(event, isFresh) {
  const title = event.title || event.words || event.url;
  const kind = event.type === 'discovery' ? null : h('span', { class: 'tag' }, event.type);
  return h('li', { class: isFresh ? 'fresh' : null }, kind, kind ? ' ' : null, pageLink(event.url || event.site, title),
    h('small', null, host(event.site), ' · ', when(event.found_at || event.since), event.dated ? [' · published ', when(event.dated)] : null));
}

function listen(list, signal) {
  const stream = new EventSource('/events');
  const take = (message) => {
    list.querySelector('.empty')?.remove();
    list.prepend(item(JSON.parse(message.data), true));
    while (list.children.length > LISTED) list.lastElementChild.remove();
  };
  for (const kind of ['discovery', 'changed', 'alarm', 'alarm-cleared']) stream.addEventListener(kind, take);
  signal.addEventListener('abort', () => stream.close());
}

const stateOf = (site) => (site.alarm ? h('span', { class: 'pill bad' }, 'alarm')
  : h('span', { class: 'pill' + (site.state === 'watched' || site.state === 'pages' ? ' good' : '') }, site.state));

function siteRows(sites, sparks) {
  return sites.map((site) => {
    if (!sparks.has(site.site)) sparks.set(site.site, h('span', { class: 'dim' }, '–'));
    return [h('div', { class: 'url' }, siteLink(site.site), site.alarm ? h('small', { class: 'dim' }, ' ', site.alarm.text) : null), stateOf(site), sparks.get(site.site),
      count(site.new_24h), count(site.sources), count(site.known), count(site.fetches_24h), count(site.failures_24h),
      site.record_7d.delay_p50_s === null ? '–' : span(site.record_7d.delay_p50_s), ago(site.last_discovery)];
  });
}

async function drawSparks(sites, sparks, signal) {
  for (const site of sites.slice(0, SPARKS)) {
    if (signal.aborted) return;
    const line = await get('timeline', { span: '2d', site: site.site }).catch(() => null);
    if (line) fill(sparks.get(site.site), spark(line.steps.map((s) => s.new), 'new pages, two days'));
  }
}

function tilesOf(status) {
  const t = status.totals, week = t.record_7d;
  return tiles([
    ['New in 24 hours', count(t.new_24h)], ['New this hour', count(t.new_1h)],
    ['Median delay, 7 days', span(week.delay_p50_s)], ['Requests in 24 hours', count(t.fetches_24h)],
    ['Requests per new page', week.requests_per_event === null ? '–' : count(week.requests_per_event)],
    ['Failures in 24 hours', count(t.failures_24h), share(t.fetches_24h ? t.failures_24h / t.fetches_24h : 0), t.failures_24h > t.fetches_24h / 10],
    ['Alarms', count(t.alarms), null, t.alarms > 0]]);
}

const pagesOf = (line) => [bars(line.steps.map((s) => ({ ...s, value: s.new })), { label: 'New pages an hour, two days', line: 'fetches' }),
  h('ul', { class: 'legend' }, h('li', { class: 's2' }, h('span', null, 'new pages')), h('li', { class: 's0' }, h('span', null, 'requests (own scale)')))];

const delaysOf = (line) => (line.delays.some((d) => d.n) ? histogram(line.delays, { label: 'Delay from publication to discovery' })
  : h('p', { class: 'empty' }, 'No new page of these two days says when it was published.'));

const purposesOf = (status, line) => [shares(line.purposes, 'Requests by purpose'),
  h('p', { class: 'dim' }, status.crawl.budget_per_hour ? `The budget is ${count(status.crawl.budget_per_hour)} requests an hour${status.is_running ? `; ${count(Math.floor(status.crawl.budget_left))} are left in this tick` : ""}. ` : 'No budget is set. ',
    `${count(line.explored)} requests were made to learn.`)];

const waysOf = (line) => [shares(line.found_by, 'New pages by way'), h('p', { class: 'dim' }, `${count(line.not_modified)} answers were “not modified”.`)];

const tableOf = (sites, sparks) => table(['Site', 'State', 'Two days', '#New 24 h', '#Sources', '#Pages', '#Requests', '#Failed', '#Delay', 'Last new'], siteRows(sites, sparks),
  ['No site is watched yet. ', h('a', { href: '#/add' }, 'Add one'), '.']);

export async function show(view, _, signal) {
  const sparks = new Map(), place = { tiles: h('div'), pages: h('div'), delays: h('div'), purposes: h('div'), ways: h('div'), sites: h('div') };
  let sites = [];
  const draw = (status, line) => {
    setNow(status.now);
    sites = [...status.sites].sort((a, b) => b.new_24h - a.new_24h);
    const parts = { tiles: tilesOf(status), pages: pagesOf(line), delays: delaysOf(line), purposes: purposesOf(status, line), ways: waysOf(line), sites: tableOf(sites, sparks) };
    for (const [name, part] of Object.entries(parts)) // not under the hands of whoever is there
      if (!place[name].contains(document.activeElement)) fill(place[name], part);
  };
  const [status, line, news] = await Promise.all([get('status'), get('timeline'), get('new', { since: '60d', kind: 'all', limit: LISTED })]);
  const list = h('ul', { class: 'news', tabindex: 0, 'aria-label': 'Newest events', 'aria-live': 'off' });
  const events = news.items.reverse().sort((a, b) => Date.parse(b.found_at || b.since) - Date.parse(a.found_at || a.since));
  draw(status, line);
  fill(list, events.length ? events.map((e) => item(e, false)) : h('li', { class: 'empty' }, 'Nothing was found yet. It appears here as it is found.'));
  fill(view, h('h1', null, 'Now'), place.tiles,
    h('div', { class: 'cards' },
      h('section', { class: 'card w7' }, h('h2', null, 'New pages an hour, two days'), place.pages, h('h2', { class: 'stack' }, 'Delay to discovery'), place.delays),
      card('As it happens', 'w5 tall', list),
      card('What requests were for, two days', 'w6', place.purposes), card('How new pages were found, two days', 'w6', place.ways), card('Sites', '', place.sites)));
  if (signal.aborted) return;
  listen(list, signal);
  drawSparks(sites, sparks, signal);
  let beat = 0;
  const timer = setInterval(async () => {
    if (document.hidden) return;
    try {
      draw(...await Promise.all([get('status'), get('timeline')]));
      for (const time of list.querySelectorAll('time')) time.textContent = ago(time.dateTime);
      if (++beat % SPARKS_EVERY === 0) drawSparks(sites, sparks, signal);
    } catch { /* the state in the header says that there is no answer */ }
  }, EVERY);
  signal.addEventListener('abort', () => clearInterval(timer));
}
