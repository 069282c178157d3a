// How the crawl chooses: the policies at work, the share of exploration, whether expectations come true, arms.
import { h, fill, tiles, table, card, count, share, span, setNow } from './dom.js';
import { get } from './api.js';
import { bands, calibration, bars } from './charts.js';

const TASKS = [['discovery', 'Which lists to look at'], ['refresh', 'Which documents to read again'], ['ranking', 'Which results come first'], ['advertising', 'Which advertisements are shown']];

// Points of one task, of rows that are one arm each.
function points(arms, task) {
  const byTime = new Map();
  for (const a of arms.filter((x) => x.task === task)) {
    if (!byTime.has(a.time)) byTime.set(a.time, { time: a.time, parts: {} });
    byTime.get(a.time).parts[a.arm] = a.chance;
  }
  return [...byTime.values()];
}

function armsCard(learning) {
  const parts = [['discovery', learning.discovery_policy], ['refresh', learning.refresh_policy]].map(([task, policy]) => {
    const line = points(learning.arms, task);
    return line.length > 1 ? [h('h3', null, policy), bands(line, { label: 'Chances of the arms of ' + policy })] : null;
  });
  if (parts.some(Boolean)) return [h('p', { class: 'dim' }, 'The chance with which each way to choose is drawn, noted hour by hour.'), parts];
  const names = [learning.discovery_policy, learning.refresh_policy].filter(Boolean).join(' and ');
  return h('p', { class: 'empty' }, names ? `${names} choose by one index and have no arms. Policies such as kab5, od-bandit and bandit do.` : 'No policy has run yet.');
}

// Scores of policies differ in unit (links, or worth per request): in links, so that both sums agree.
function inLinks(tenths) {
  const sum = (key) => tenths.reduce((all, b) => all + b[key] * b.looks, 0), looks = tenths.reduce((all, b) => all + b.looks, 0);
  const scale = sum('expected') > 0 ? sum('found') / sum('expected') : 0;
  return { scale, bins: tenths.map((b) => ({ ...b, expected: b.expected * scale, n: b.looks })), best: tenths.length ? tenths.at(-1).found : null, mean: looks ? sum('found') / looks : 0 };
}

const parameters = (p) => (p.parameters.length ? table(['Parameter', '#Default', '#From', '#To', 'What it is'],
  p.parameters.map((x) => [h('code', null, x.name), count(x.default), count(x.least), count(x.most), x.help])) : h('p', { class: 'dim' }, 'It has no parameters.'));

function policyCard(p, isAtWork) {
  return h('details', { class: 'policy' }, h('summary', null, h('b', null, p.name), isAtWork ? [' ', h('span', { class: 'pill good' }, 'at work')] : null, p.lab_only ? [' ', h('span', { class: 'tag' }, 'for the lab only')] : null, ' ', h('span', { class: 'dim' }, p.summary)),
    p.paper ? h('p', { class: 'dim' }, p.paper) : null, parameters(p));
}

// What fewer or more looks would bring, out of the log: worked out when it is asked for, since that takes seconds.
function budgetCard() {
  const goal = h('input', { type: 'number', min: 1, max: 99, value: 90, 'aria-label': 'Share of new pages, in per cent' });
  const within = h('input', { value: '1h', size: 5, 'aria-label': 'The time in which they are to be found' }), shown = h('div', { 'aria-live': 'polite' });
  const range = (low, high) => share(low) + ' to ' + share(high);
  const result = (b) => {
    const at = h('div'), slider = h('input', { type: 'range', min: 0, max: b.rows.length - 1, value: 1, step: 1, 'aria-label': 'Looks at lists, against those that were made' });
    const move = () => {
      const r = b.rows[slider.value];
      slider.setAttribute('aria-valuetext', r.budget);
      fill(at, tiles([['Looks a day', count(Math.round(r.looks_a_day)), r.budget + ' of what was made'], ['New pages found', share(r.found), range(r.found_low, r.found_high)],
        ['Within ' + within.value, share(r.within), range(r.within_low, r.within_high)], ['Nine of ten within', span(r.delay_p90_s)]]));
    };
    slider.addEventListener('input', move);
    move();
    const words = b.is_possible ? `${count(Math.round(b.looks_needed))} looks a day are likely to be enough; plan with ${count(Math.round(b.looks_promised))}.` : 'No budget within politeness is enough.';
    return [slider, at, h('p', null, `${goal.value} % within ${within.value}: `, words), h('ul', { class: 'dim' }, b.cannot_tell.map((text) => h('li', null, text)))];
  };
  const ask = async (event) => {
    event.preventDefault();
    fill(shown, h('p', { class: 'dim' }, 'Working it out from the log …'));
    try {
      fill(shown, result(await get('budget', { goal: goal.value + '%', within: within.value })));
    } catch (error) {
      fill(shown, h('p', { class: 'empty' }, error.message));
    }
  };
  return [h('p', { class: 'dim' }, 'What half, twice and four times the looks at lists would find, and how many it takes to find so much in time.'),
    h('form', { class: 'row later', onsubmit: ask }, goal, ' % of new pages within ', within, h('button', { class: 'main' }, 'Work it out')), shown];
}

export async function show(view) {
  const [status, learning, policies, settings] = await Promise.all([get('status'), get('learning'), get('policies'), get('settings')]);
  setNow(status);
  const atWork = [learning.discovery_policy, learning.refresh_policy].filter(Boolean);
  const first = learning.steps.findIndex((s) => s.looks + s.visits), steps = learning.steps.slice(Math.max(0, Math.min(first, 44))), hasLooks = learning.looks > 1, all = steps.map((s) => ({ ...s, value: s.looks_to_learn + s.visits_to_learn, made: s.looks + s.visits }));
  const { bins, scale, best, mean } = inLinks(learning.bins);
  fill(view, h('h1', null, 'Policies'), h('p', { class: 'dim' }, 'How the crawl decides what to fetch, and whether it was right, over the last seven days.'),
    tiles([['Finds new pages', learning.discovery_policy || '–'], ['Keeps documents fresh', learning.refresh_policy || '–'], ['Looks and visits', count(learning.looks + learning.visits)],
      ['Made to learn', share(learning.looks + learning.visits ? (learning.looks_to_learn + learning.visits_to_learn) / (learning.looks + learning.visits) : null)],
      ['New links found', count(learning.found), learning.looks ? count(learning.found / learning.looks) + ' a look' : null],
      ['Best tenth by score', best === null ? '–' : count(best) + ' a look', best !== null && mean > 0 ? count(best / mean) + ' times the mean' : null]]),
    h('div', { class: 'cards' },
      card('Expected against found', 'w6', h('p', { class: 'dim' }, 'New links a look: what scores promised and what was found, a dot for each tenth of the looks. Scores are a worth, so they are scaled until both agree in total. On the line, promises are kept; above it more was found.'),
        bins.length > 1 ? calibration(bins) : h('p', { class: 'empty' }, 'There were too few looks yet.')),
      card('Expected and found over time', 'w6', h('p', { class: 'dim' }, 'New links that looks at sources found, and what their scores promised, scaled as on the left. Where the line runs below the bars, more came than was promised.'),
        hasLooks ? [bars(steps.map((s) => ({ ...s, value: s.found, expected: s.expected * scale })), { label: 'New links found, and expected', line: 'expected', isSameScale: true }),
          h('ul', { class: 'legend' }, h('li', { class: 's2' }, h('span', null, 'found')), h('li', { class: 's0' }, h('span', null, 'expected')))] : h('p', { class: 'empty' }, 'There were too few looks yet.')),
      card('Exploration', 'w6', hasLooks || learning.visits ? [bars(all, { label: 'Looks made to learn', line: 'made', isSameScale: true, color: 's3' }),
        h('ul', { class: 'legend' }, h('li', { class: 's3' }, h('span', null, 'made to learn')), h('li', { class: 's0' }, h('span', null, 'all looks and visits')))] : h('p', { class: 'empty' }, 'There were too few looks yet.')),
      card('Arms and their weights', 'w6', armsCard(learning)),
      card('More looks, or fewer', '', budgetCard()),
      card('All policies', '', h('p', { class: 'dim' }, 'Any that is not for the lab only can be set to work with ', h('code', null, 'policy.discovery'), ' and ', h('code', null, 'policy.refresh'), ', and compared in the ', h('a', { href: '#/lab' }, 'lab'), '.'),
        TASKS.map(([task, words]) => {
          const rows = policies.items.filter((p) => p.tasks[0] === task);
          return h('details', { open: rows.some((p) => atWork.includes(p.name)) }, h('summary', { class: 'group' }, words, ' ', h('small', null, count(rows.length))), rows.map((p) => policyCard(p, atWork.includes(p.name))));
        })),
      card('Settings of the policies', '', h('p', { class: 'dim' }, 'As this server was started; a crawl that was started with other flags has its own.'), table(['Setting', 'Value', 'From'], Object.entries(settings.settings).filter(([key]) => /^(policy|crawl\.(budget|tick|site-budget|first|document|least|worth|fresh))/.test(key)).map(([key, s]) => [h('code', null, key), s.text || '–', s.from.name || s.from.layer]), 'This server was started without settings.'))));
}
