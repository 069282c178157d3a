// How the crawl chooses: the policies at work, the share of exploration, whether expectations come true.
import { h, fill, tiles, table, card, count, share, setNow } from './dom.js';
import { get, all } from './api.js';
import { calibration, bars } from './charts.js';

// Ten bins of equal numbers of looks.
function binned(visits) {
  const looks = visits.filter((v) => v.purpose === 'source' && v.score > 0 && !v.failure).sort((a, b) => a.score - b.score), size = Math.ceil(looks.length / 10);
  const bins = [];
  for (let i = 0; i < looks.length; i += size) {
    const part = looks.slice(i, i + size), mean = (f) => part.reduce((a, v) => a + f(v), 0) / part.length;
    bins.push({ expected: mean((v) => v.score), found: mean((v) => v.new), n: part.length });
  }
  return bins;
}

export async function show(view) {
  const status = await get('status');
  setNow(status.now);
  const since = new Date(Date.parse(status.now) - 7 * 864e5).toISOString();
  const [policies, visits, settings] = await Promise.all([get('policies'), all('visits', { since }, 4000), get('settings')]);
  const chosen = visits.filter((v) => v.purpose === 'source' || v.purpose === 'document'), explored = chosen.filter((v) => v.explored);
  const bins = binned(visits), atWork = [status.crawl.discovery_policy, status.crawl.refresh_policy];
  const days = new Map();
  for (const v of chosen) {
    const key = v.time.slice(0, 13) + ':00:00Z', d = days.get(key) || { from: key, value: 0, fetches: 0 };
    d.fetches += 1;
    d.value += v.explored ? 1 : 0;
    days.set(key, d);
  }
  const steps = [...days.values()].slice(-48);
  fill(view, h('h1', null, 'Policies'),
    tiles([['Finds new pages', atWork[0] || '–'], ['Keeps documents fresh', atWork[1] || '–'], ['Looks, 7 days', count(chosen.length)],
      ['Made to learn', share(chosen.length ? explored.length / chosen.length : null)]]),
    h('div', { class: 'cards' },
      card('Expected against found', 'w6', h('p', { class: 'dim' }, 'New links a look: what the score of a look promised, and what it found, a dot for each tenth of the looks. On the line, promises are kept; scores of some policies are ranks and no promises.'),
        bins.length > 1 ? calibration(bins) : h('p', { class: 'empty' }, 'There were too few looks yet.')),
      card('Looks made to learn', 'w6', steps.length > 1 ? [bars(steps, { label: 'Looks made to learn, an hour', line: 'fetches', color: 's3' }),
        h('ul', { class: 'legend' }, h('li', { class: 's3' }, h('span', null, 'to learn')), h('li', { class: 's0' }, h('span', null, 'all looks (own scale)')))] : h('p', { class: 'empty' }, 'There were too few looks yet.')),
      card('All policies', '', policies.items.map((p) => h('details', { open: atWork.includes(p.name) }, h('summary', null, h('b', null, p.name), ' ', p.tasks.map((t) => [h('span', { class: 'tag' }, t), ' ']), atWork.includes(p.name) ? h('span', { class: 'pill good' }, 'at work') : null, ' ', p.summary),
        p.paper ? h('p', { class: 'dim' }, p.paper) : null, p.parameters.length ? table(['Parameter', '#Default', '#From', '#To', 'What it is'], p.parameters.map((x) => [x.name, count(x.default), count(x.least), count(x.most), x.help])) : null))),
      card('Settings of the policies', '', table(['Setting', 'Value', 'From'], Object.entries(settings.settings).filter(([key]) => /^(policy|crawl\.(budget|tick|site-budget|first|document|least))/.test(key)).map(([key, s]) => [h('code', null, key), s.text || '–', s.from.name || s.from.layer])))));
}
