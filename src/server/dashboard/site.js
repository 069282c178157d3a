// One site: what is looked at and when, how polite we are, what holds for it.
import { h, fill, tiles, agoTile, table, card, pairs, count, span, share, bytes, ago, when, host, pageLink, purpose, out, wrong, setNow } from './dom.js';
import { get, all } from './api.js';
import { change } from './changes.js';
import { bars, heat } from './charts.js';

const path = (url, site) => (url.startsWith(site) ? url.slice(site.length) || '/' : url);

const many = (n, word) => (n ? [`${count(n)} ${word}${n === 1 ? '' : 's'}`] : []);
const ofThem = (row) => [...many(row.feeds, 'feed'), ...many(row.sitemaps, 'sitemap')].join(', ');
const heatRows = (sources, site) => sources.map((s) => ({ name: path(s.url, site), title: s.url, href: '#/page/' + encodeURIComponent(s.url), hours: s.hours }));

// Why it is looked at for new pages.
function admitted(page, site) {
  const by = page.found_on ? [' that ', pageLink(page.found_on, path(page.found_on, site)), page.flags.includes('feed') || page.flags.includes('sitemap') ? ' names' : ' leads to'] : null;
  const is = page.flags.includes('feed') ? 'it is a feed' : page.flags.includes('sitemap') ? 'it is a sitemap' : 'it is a list of pages';
  return page.flags.includes('seed') ? 'it was added' : [is, by];
}

// What was a source, and why it is none any more: that is asked for page by page.
const RETIRED = 50;
function retiredList(pages, site) {
  const rows = pages.map((p) => ({ ...p, why: h('div', { class: 'words dim' }, '…') }));
  rows.reduce((before, row) => before.then(() => get('why', { url: row.url })).then((w) => fill(row.why, w.because || '–'), () => fill(row.why, '–')), Promise.resolve());
  return table(['Page', '#Visits', 'Last visit', 'Because'], rows.map((p) => [h('div', { class: 'url' }, pageLink(p.url, path(p.url, site))), count(p.visits), h('span', { class: 'day' }, ago(p.last_visit)), p.why]));
}

function actions(site, state) {
  const told = h('div', { 'aria-live': 'polite' }), rest = h('button', { class: state === 'paused' ? 'main' : null }, state === 'paused' ? 'Resume' : 'Pause');
  rest.addEventListener('click', async () => {
    const call = rest.textContent.toLowerCase(), shows = (isPaused) => {
      rest.textContent = isPaused ? 'Resume' : 'Pause';
      rest.classList.toggle('main', isPaused);
    };
    if (await change(told, call, { target: site, site: true }, call === 'pause' ? 'Paused.' : 'Resumed.', () => shows(call !== 'pause'))) shows(call === 'pause');
  });
  return h('div', null, h('div', { class: 'actions' }, rest,
    h('button', { onclick: () => confirm('Stop watching ' + host(site) + '? It can be undone here, and later on the page Add.') && change(told, 'remove', { target: site, site: true }, 'Removed.') }, 'Remove'),
    h('span', { class: 'follow' }, 'Follow: ', ['rss', 'atom', 'json'].map((form) => [h('a', { href: '/feeds/sites/' + host(site) + '.' + form }, { rss: 'RSS', atom: 'Atom', json: 'JSON' }[form]), ' ']))), told);
}

function rulesForm(site, rules) {
  const told = h('div', { 'aria-live': 'polite' }), input = (name, label, value, hint) => h('label', null, label, h('input', { name, value: value || '', placeholder: hint || '' }));
  const before = { tags: rules.tags || '', budget: rules.budget || '', exclude: rules.exclude.join(','), include: rules.include.join(','), ignore: rules.ignore.join(',') };
  const save = async (event) => {
    event.preventDefault();
    const form = Object.fromEntries(new FormData(event.target)), body = { site }, reset = [];
    for (const [name, value] of Object.entries(form)) {
      if (value.trim() === String(before[name])) continue;
      if (name === 'tags') {
        const had = before.tags.split(',').filter(Boolean), has = value.split(',').map((x) => x.trim()).filter(Boolean);
        body.tag = has.filter((x) => !had.includes(x));
        body.untag = had.filter((x) => !has.includes(x));
      } else if (!value.trim()) reset.push(name);
      else body[name] = name === 'budget' ? Number(value) : value.split(',').map((x) => x.trim()).filter(Boolean);
    }
    if (reset.length) body.reset = reset;
    const was = { ...before }, fields = event.target.elements;
    const done = await change(told, 'site', body, 'Saved.', () => {
      Object.assign(before, was);
      for (const name of Object.keys(was)) fields[name].value = was[name];
    });
    if (done) Object.assign(before, form); // what the next change is one from
  };
  return h('form', { onsubmit: save }, h('div', { class: 'fields' },
    input('tags', 'Tags', before.tags, 'press,law'), input('budget', 'Requests an hour', before.budget, 'as crawl.site-budget'),
    input('include', 'Only addresses like', before.include, '*/news/*'), input('exclude', 'No addresses like', before.exclude, '*/print/*'),
    input('ignore', 'Noise on its pages', before.ignore, '.ads,text:*online*')),
  h('div', { class: 'actions' }, h('button', { class: 'main' }, 'Save')), told);
}

export async function show(view, [site]) {
  const status = await get('status', { all: true });
  setNow(status);
  const row = status.sites.find((s) => s.site === site || host(s.site) === site);
  if (!row) throw new Error('No site “' + site + '” is known here.');
  const key = row.site, week = row.record_7d;
  const [rules, ledger, line, sources, rhythm, retired] = await Promise.all([get('site', { site: key }), get('ledger', { site: key }).catch(() => null),
    get('timeline', { site: key }), all('sources', { site: key }, 500), get('rhythm', { site: key, most: 200 }), all('retired', { site: key }, RETIRED)]);
  const led = ledger && ledger.items[0], rows = heatRows(rhythm.sources.slice(0, 14), key), expected = new Map(rhythm.sources.map((s) => [s.url, s]));
  fill(view,
    h('p', { class: 'dim' }, h('a', { href: '#/' }, 'Now'), ' › site'),
    h('h1', null, host(key), ' ', h('span', { class: 'pill' + (row.alarm ? ' bad' : row.state === 'watched' ? ' good' : '') }, row.alarm ? 'alarm' : row.state)),
    row.alarm ? wrong(row.alarm.text + ' – ' + row.alarm.advice) : null,
    h('p', null, out(key + '/'), row.tags ? [' ', row.tags.split(',').map((t) => [h('a', { class: 'tag', href: '/feeds/tags/' + encodeURIComponent(t) + '.rss' }, t), ' '])] : null),
    actions(key, row.state),
    tiles([['New in 24 hours', count(row.new_24h)], ['New in 7 days', count(week.told)], ['Median delay', span(week.delay_p50_s)], ['Pages known', count(row.known)],
      ['Sources', count(row.sources), ofThem(row)], ['Still valid', share(week.precision)], ['Last new', ...agoTile(row.last_discovery)]]),
    h('div', { class: 'cards' },
      card('Sources by hour of the week', '', rows.length ? [h('p', { class: 'dim' }, 'New links expected of each source, hour by hour (UTC): the stronger the colour, the more. A dot: looks at that hour have found some. Learnt from ' + count(rhythm.looks) + ' looks of four weeks, which found ' + count(rhythm.found) + '.'), heat(rows, 'Expected yield of sources')] : h('p', { class: 'empty' }, 'No source was looked at twice yet: nothing can be expected.')),
      card('New pages an hour', 'w6', bars(line.steps.map((s) => ({ ...s, value: s.new })), { label: 'New pages an hour' })),
      card('Politeness', 'w6', led ? pairs([
        ['Requests', count(led.requests)], ['Bytes', bytes(led.bytes)], ['Answered “not modified”', share(led.not_modified_share)], ['Failed', count(led.failures)],
        ['Least gap', span(led.gap_least_s)], ['Median gap', span(led.gap_median_s)], ['Gap promised', span(led.delay_promised_s)],
        ['Of robots.txt', row.crawl_delay_s ? span(row.crawl_delay_s) : null], ['Back-off until', row.backoff_until ? when(row.backoff_until) : 'none'],
        ['Answers', Object.keys(led.statuses).length ? Object.entries(led.statuses).map(([code, n]) => [h('span', { class: 'tag' }, `${code} × ${count(n)}`), ' ']) : null]]) : h('p', { class: 'empty' }, 'No request was made yet.')),
      card('Sources', '', table(['Page', 'Admitted because', '#Visits', '#Changed', '#New links', '#Expected a day', 'Last visit'], [...sources].sort((a, b) => b.visits - a.visits).slice(0, 100).map((s) =>
        [h('div', { class: 'url' }, pageLink(s.url, path(s.url, key))), h('div', { class: 'words' }, admitted(s, key)),
          count(s.visits), count(s.changes), count(expected.get(s.url)?.found ?? 0), expected.has(s.url) ? count(24 * expected.get(s.url).an_hour) : '–', h('span', { class: 'day' }, ago(s.last_visit))]), 'No source was found yet.'),
      retired.length ? [h('h3', null, 'Retired'), retiredList(retired, key)] : null),
      card('Who tells of changes', '', table(['By', 'State', 'About', '#Checked', '#True', '#Missed', 'Polling rests'], rules.signals.map((s) =>
        [{ websub: 'hub (WebSub)', indexnow: 'owner (IndexNow)', dates: 'dates of feeds and sitemaps' }[s.kind] || s.kind, s.state, s.page ? h('div', { class: 'url' }, pageLink(s.page, path(s.page, key))) : 'the site',
          count(Math.round(s.told)), share(s.honesty), count(Math.round(s.missed)), s.rest_s ? 'up to ' + span(s.rest_s) : 'no']), 'Nobody has told anything yet: it is polled.')),
      card('Rules of this site', 'w6', rulesForm(key, rules)),
      card('Found and not reported, 7 days', 'w6', Object.values(row.not_told).some(Boolean) ? pairs(Object.entries(row.not_told).filter(([, n]) => n).map(([why, n]) => [why, count(n)])) : h('p', { class: 'empty' }, 'Nothing was left out.')),
      card('Last requests', '', led ? table(['When', 'Address', 'For', '#Status', '#Bytes', '#Took'], led.ledger.slice(-25).reverse().map((r) =>
        [ago(r.time), h('div', { class: 'url' }, path(r.url, key)), purpose(r.purpose), r.failure || r.status, bytes(r.bytes), r.took_ms + ' ms'])) : h('p', { class: 'empty' }, 'None.'))));
}
