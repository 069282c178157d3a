// What the crawl finds, how soon, at what cost.
import { h, fill, tiles, table, card, count, span, share, ago, host, siteLink, pageLink, setNow, setNowNotBefore, said, when } from './dom.js';
import { get } from './api.js';
import { bars, histogram, shares, spark } from './charts.js';

const LISTED = 40, EVERY = 10000, SPARKS_EVERY = 6;

const called = { changed: 'changed', alarm: 'alarm', 'alarm-cleared': 'alarm over' };

function item(event, isFresh) {
  setNowNotBefore(event.found_at || event.since);
  const isAlarm = event.type.startsWith('alarm'), title = (isAlarm ? event.text : event.title || event.words) || event.url || event.site;
  const what = event.diff && String(event.diff).split('\n')[0].replace(/\[-|-\]|\{\+|\+\}/g, '').replace(' -> ', ' → ').slice(0, 160);
  return h('li', { class: isFresh ? 'fresh' : null }, called[event.type] ? [h('span', { class: event.type === 'alarm' ? 'tag bad' : 'tag' }, called[event.type]), ' '] : null,
    isAlarm || !event.url ? siteLink(event.site, title) : pageLink(event.url, title), what ? h('small', { class: 'what' }, what) : null,
    h('small', null, host(event.site), ' · ', when(event.found_at || event.since), event.dated ? [' · published ', when(event.dated)] : null));
}

function tellTimes(list) {
  for (const time of list.querySelectorAll('time')) time.textContent = ago(time.dateTime);
}

function listen(list, signal) {
  const stream = new EventSource('/events');
  const take = (message) => {
    list.querySelector('.empty')?.remove();
    list.prepend(item(JSON.parse(message.data), true));
    tellTimes(list);
    while (list.children.length > LISTED) list.lastElementChild.remove();
  };
  for (const kind of ['discovery', 'changed', 'alarm', 'alarm-cleared']) stream.addEventListener(kind, take);
  // The server has gone: the state of the crawl is asked for now, not when its turn comes.
  stream.addEventListener('error', () => dispatchEvent(new Event('unanswered')));
  signal.addEventListener('abort', () => stream.close());
}

const stateOf = (site) => (site.alarm ? h('span', { class: 'pill bad' }, 'alarm')
  : h('span', { class: 'pill' + (site.state === 'watched' || site.state === 'pages' ? ' good' : '') }, site.state));

function siteRows(sites, sparks, onNew) {
  return sites.map((site) => {
    if (!sparks.has(site.site)) {
      sparks.set(site.site, h('span', { class: 'spark', 'data-site': site.site }));
      onNew(sparks.get(site.site));
    }
    return [h('div', { class: 'url' }, siteLink(site.site), site.alarm ? h('small', { class: 'dim' }, ' ', site.alarm.text) : null), stateOf(site), sparks.get(site.site),
      count(site.new_24h), count(site.sources), count(site.known), count(site.fetches_24h), count(site.failures_24h),
      site.record_7d.delay_p50_s === null ? '–' : span(site.record_7d.delay_p50_s), h('span', { class: 'day' }, ago(site.last_discovery))];
  });
}

// Sparklines of the rows that are in view, one after the other: there may be thousands of sites.
function sparksOf(sparks, signal) {
  const seen = new Set(), waiting = [];
  let isDrawing = false;
  const draw = async () => {
    if (isDrawing) return;
    isDrawing = true;
    for (let site; !signal.aborted && (site = waiting.shift());) {
      const line = await get('timeline', { span: '2d', site }).catch(() => null);
      if (line) fill(sparks.get(site), spark(line.steps.map((s) => s.new), 'new pages, two days'));
    }
    isDrawing = false;
  };
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const site = target.dataset.site;
      if (isIntersecting && !target.firstChild) waiting.push(site);
      if (isIntersecting) seen.add(site);
      else seen.delete(site);
    }
    draw();
  });
  signal.addEventListener('abort', () => watch.disconnect());
  return { add: (place) => watch.observe(place), again: () => { waiting.splice(0, waiting.length, ...seen); draw(); } };
}

function tilesOf(status) {
  const t = status.totals, week = t.record_7d;
  return tiles([
    ['New in 24 hours', count(t.new_24h)], ['New this hour', count(t.new_1h)],
    ['Median delay, 7 days', span(week.delay_p50_s)], ['Requests in 24 hours', count(t.fetches_24h)],
    ['Requests per new page, 7 days', week.requests_per_event === null ? '–' : count(week.requests_per_event)],
    ['Failures in 24 hours', count(t.failures_24h), share(t.fetches_24h ? t.failures_24h / t.fetches_24h : 0), t.failures_24h > t.fetches_24h / 10],
    ['Alarms', count(t.alarms), null, t.alarms > 0]]);
}

const pagesOf = (line) => [bars(line.steps.map((s) => ({ ...s, value: s.new })), { label: 'New pages an hour, two days', line: 'fetches' }),
  h('ul', { class: 'legend' }, h('li', { class: 's2' }, h('span', null, 'new pages')), h('li', { class: 's0' }, h('span', null, 'requests (own scale)')))];

const delaysOf = (line) => (line.delays.some((d) => d.n) ? histogram(line.delays, { label: 'Delay from publication to discovery' })
  : h('p', { class: 'empty' }, 'No new page of these two days says when it was published.'));

// As the log of visits names them, in words.
const purposes = { first: 'first visits', source: 'lists and feeds', document: 'documents', capture: 'captures' };
const purposesOf = (status, line) => [shares(Object.fromEntries(Object.entries(line.purposes).map(([name, n]) => [purposes[name] || name, n])), 'Requests by purpose'),
  h('p', { class: 'dim' }, status.crawl?.budget_per_hour ? `In two days. The budget is ${count(status.crawl.budget_per_hour)} requests an hour${status.is_running ? `; ${count(Math.floor(status.crawl.budget_left))} are left in this tick` : ""}. ` : 'In two days. No budget is set. ',
    `${count(line.explored)} requests were made to learn.`)];

const waysOf = (line) => [shares(line.found_by, 'New pages by way'), h('p', { class: 'dim' }, `In two days. ${count(line.not_modified)} answers were “not modified”.`)];

// Of failures, in words: "status 404" is one as well.
const errorsOf = (line) => (line.failures ? [shares(line.errors, 'Failed requests by what happened'), h('p', { class: 'dim' }, `In two days ${count(line.failures)} requests got no page.`)]
  : h('p', { class: 'empty' }, line.steps.some((s) => s.fetches) ? 'Nothing: in two days every request was answered.' : 'Nothing yet.'));

const tableOf = (sites, sparks, onNew) => table(['Site', 'State', 'Two days', '#New 24 h', '#Sources', '#Pages', '#Requests', '#Failed', '#Delay', 'Last new'], siteRows(sites, sparks, onNew),
  ['No site is watched yet. ', h('a', { href: '#/add' }, 'Add one'), '.']);

export async function show(view, _, signal) {
  const sparks = new Map(), drawn = sparksOf(sparks, signal), place = { tiles: h('div'), pages: h('div'), delays: h('div'), purposes: h('div'), ways: h('div'), errors: h('div'), sites: h('div') };
  const draw = (status, line) => {
    setNow(status);
    const sites = [...status.sites].sort((a, b) => b.new_24h - a.new_24h);
    const parts = { tiles: tilesOf(status), pages: pagesOf(line), delays: delaysOf(line), purposes: purposesOf(status, line), ways: waysOf(line), errors: errorsOf(line), sites: tableOf(sites, sparks, drawn.add) };
    for (const [name, part] of Object.entries(parts)) // not under the hands of whoever is there
      if (!place[name].contains(document.activeElement)) fill(place[name], part);
  };
  const [status, line, news] = await Promise.all([get('status'), get('timeline'), get('new', { since: '60d', kind: 'all', limit: LISTED })]);
  const list = h('ul', { class: 'news', tabindex: 0, 'aria-label': 'Newest events', 'aria-live': 'off' });
  const events = news.items.reverse().sort((a, b) => Date.parse(b.found_at || b.since) - Date.parse(a.found_at || a.since));
  draw(status, line);
  fill(list, events.length ? events.map((e) => item(e, false)) : h('li', { class: 'empty' }, 'Nothing was found yet. It appears here as it is found.'));
  fill(view, h('h1', null, 'Now'),
    status.sites.length ? null : said(['Nothing is watched yet. ', h('a', { href: '#/add' }, 'Add a site'), ', and what it publishes appears here.']), place.tiles,
    h('div', { class: 'cards' },
      h('section', { class: 'card w7' }, h('h2', null, 'New pages an hour, two days'), place.pages, h('h2', { class: 'stack' }, 'Delay to discovery'), place.delays),
      card('As it happens', 'w5 tall', list),
      card('What requests were for', 'w4', place.purposes), card('How new pages were found', 'w4', place.ways), card('What went wrong', 'w4', place.errors),
      card('Sites', '', place.sites)));
  if (signal.aborted) return;
  listen(list, signal);
  let beat = 0;
  const timer = setInterval(async () => {
    if (document.hidden) return;
    try {
      draw(...await Promise.all([get('status'), get('timeline')]));
      tellTimes(list);
      if (++beat % SPARKS_EVERY === 0) drawn.again();
    } catch { /* the state in the header says that there is no answer */ }
  }, EVERY);
  signal.addEventListener('abort', () => clearInterval(timer));
}
