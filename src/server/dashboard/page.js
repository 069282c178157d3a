// The history of one page: visits, changes, links found, the next visit, and why.
import { h, fill, tiles, agoTile, dueTile, table, card, pairs, count, share, bytes, ago, when, purpose, siteLink, pageLink, out, wrong } from './dom.js';
import { get } from './api.js';
import { change } from './changes.js';
import { life } from './charts.js';

// "on sale for [-19.90-] {+17.50+} today", a line for each place.
const MARK = /(\[-[^]*?-\]|\{\+[^]*?\+\})/;
function word(part) {
  return MARK.test(part) ? h(part[0] === '[' ? 'del' : 'ins', null, part.slice(2, -2)) : part.replace(' -> ', ' → ');
}
function diff(text) {
  return h('pre', { class: 'diff', tabindex: 0 }, String(text).split('\n').map((line) => h('div', null, line.split(MARK).map(word))));
}

// Any two versions that are kept, side by side.
function versions(url, bodies) {
  if (bodies.length < 2) return null;
  const place = h('div', { 'aria-live': 'polite' });
  const choice = (label, at) => h('label', null, label, h('select', null, bodies.map((b, i) => h('option', { value: b.time, selected: i === at }, b.time.slice(0, 19).replace('T', ' ')))));
  const from = choice('From', 1), to = choice('To', 0), value = (label) => label.querySelector('select').value;
  const draw = async () => {
    try {
      const found = await get('versions', { url, from: value(from), to: value(to) });
      fill(place, found.diff ? diff(found.diff) : h('p', { class: 'empty' }, 'A reader sees no difference.'));
    } catch (error) { fill(place, wrong(error.message)); }
  };
  for (const label of [from, to]) label.addEventListener('change', draw);
  draw();
  return card('Versions', '', h('div', { class: 'fields' }, from, to), place);
}

function changes(events, site, isDocument) {
  if (!events.length) return h('p', { class: 'empty' }, isDocument ? 'No change of its value was seen.' : 'It is no document: of its changes only new links are told.');
  return events.slice(-20).reverse().map((e, i) => h('details', { open: !i || events.length < 3 }, h('summary', null, when(e.found_at), ' ', e.title || ''),
    e.diff ? diff(e.diff) : pairs([['Before', e.before], ['After', e.after]]), e.diff ? ignore(e, site) : null));
}

// A line of what changed, as noise from now on: the words around the change, whatever stands there. A rule holds for one
// line of the text, so what goes beyond one ("a / b") is passed over.
function ignore(event, site) {
  const told = h('div', { 'aria-live': 'polite' }), line = String(event.diff).split('\n').find((l) => MARK.test(l) && !l.includes(' / ')) || '';
  const around = line.split(MARK).map((part) => (MARK.test(part) ? '*' : part)).join('').replace(/\.\.\./g, '*').replace(/\s*\*[\s*]*/g, '*').slice(0, 120);
  if (around.replace(/[^\p{L}]/gu, '').length < 3) return null;
  const rule = ('text:*' + around + '*').replace(/\*+/g, '*');
  return h('div', { class: 'actions' }, h('button', { onclick: async () => {
    try {
      const rules = await get('site', { site });
      await change(told, 'site', { site, ignore: [...rules.ignore, rule] }, 'Lines like this no longer count as changes.');
    } catch (error) { fill(told, wrong(error.message)); }
  } }, 'Ignore lines like this'), h('code', null, rule), told);
}

function labels(url) {
  const told = h('div', { 'aria-live': 'polite' }), put = (label, words) => () => change(told, 'label', { url, label }, words);
  return h('div', null, h('div', { class: 'actions' }, h('span', { class: 'dim' }, 'Label it:'), h('button', { onclick: put('relevant', 'Labelled as relevant.') }, 'Relevant'),
    h('button', { onclick: put('irrelevant', 'Labelled as irrelevant.') }, 'Irrelevant'), h('button', { onclick: put('none', 'It has no label any more.') }, 'No label')), told);
}

// Why it is visited when it is, or is not.
function reasons(why) {
  const facts = why ? pairs([['Policy', why.policy], ['Rank', why.rank ? `${count(why.rank)} of ${count(why.of)} on its site, ${count(why.rank_in_all)} of ${count(why.of_all)} in all` : null],
    ['Rate', why.rate !== undefined && why.rate !== null ? `${count(why.rate)} (${count(why.rate_low)} to ${count(why.rate_high)}) ${why.rate_unit || ''}` : null],
    ['Requests a tick', why.requests_a_tick && why.rank ? count(why.requests_a_tick) : null]]) : h('dl');
  if (!facts.children.length && !(why && why.because)) return h('p', { class: 'empty' }, 'It is not one that is looked at again.');
  return [why.because ? h('p', null, why.because) : null, facts.children.length ? facts : null,
    why.competes_with && why.competes_with.length ? h('details', null, h('summary', null, 'What it competes with'), table(['#Rank', 'Page', '#Score'], why.competes_with.map((c) => [count(c.rank), h('div', { class: 'url' }, pageLink(c.url)), c.score.toFixed(3)]))) : null];
}

const KEPT = 200, LISTED = 50;

export async function show(view, [url]) {
  const [page, explain, news] = await Promise.all([get('page', { url, limit: KEPT }), get('explain', { url }).catch(() => null),
    get('new', { page: url, kind: 'changed', since: '365d', limit: 50 }).catch(() => ({ items: [] }))]);
  const visits = page.visit_log || [], why = explain && explain.why, next = why && why.next_visit_expected;
  fill(view,
    h('p', { class: 'dim' }, siteLink(page.site), ' › page'),
    h('h1', null, page.title || page.url), h('p', { class: 'url' }, out(page.url)),
    h('p', null, page.flags.map((f) => [h('span', { class: 'tag' }, f), ' '])), labels(page.url),
    tiles([['Visits', count(page.visits)], ['Changes', count(page.changes)], ['Last visit', ...agoTile(page.last_visit)], ['Last change', ...agoTile(page.last_change)],
      ['Next visit', ...dueTile(next || page.next_visit)], ['First seen', ...agoTile(page.first_seen)]]),
    h('div', { class: 'cards' },
      card('History', '', visits.length ? [life(visits, next), h('ul', { class: 'legend' }, h('li', { class: 's0' }, h('span', null, 'visit')), h('li', { class: 's1' }, h('span', null, 'failed')),
        h('li', { class: 's4' }, h('span', null, 'changed')), h('li', { class: 's2' }, h('span', null, 'new links')), next ? h('li', { class: 's3' }, h('span', null, 'next visit expected')) : null)]
        : h('p', { class: 'empty' }, 'It was never visited.')),
      card('Why', 'w6', reasons(why)),
      card('How the crawl sees it', 'w6', explain ? pairs([['Verdict', explain.verdict + ': ' + explain.because], ['Looks like', explain.looks_like ? `${explain.looks_like.kind}, ${share(explain.looks_like.certainty)}: ${explain.looks_like.because}` : null],
        ['Reported', explain.told ? explain.told.because : null], ['Not fetched', explain.not_fetched ? explain.not_fetched.because : null],
        ['robots.txt', explain.robots ? (explain.robots.allows ? 'allows it' : 'forbids it') : null], ['Found on', page.found_on ? pageLink(page.found_on) : page.flags.includes('seed') ? 'it was added' : 'not known'], ['Pattern', explain.pattern ? h('code', null, explain.pattern.text) : null]]) : null),
      card('Changes', '', changes(news.items, page.site, page.flags.includes('document'))),
      versions(page.url, page.bodies),
      card('Visits', '', page.n_visits > LISTED ? h('p', { class: 'dim' }, `The last ${LISTED} of ${count(page.n_visits)}.`) : null, table(['When', 'For', '#Status', 'Changed', '#Links', '#New', '#Bytes', '#Score', 'To learn'], visits.slice(-LISTED).reverse().map((v) =>
        [ago(v.time), purpose(v.purpose), v.failure || v.status, v.changed ? 'yes' : '', count(v.links), count(v.new), bytes(v.bytes), v.score ? v.score.toFixed(3) : '', v.explored ? 'yes' : '']), 'It was never visited.'))));
}
