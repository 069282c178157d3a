// The experiments there are: start one, see how far it is, read its report.
import { h, fill, card, table, wrong } from './dom.js';
import { get, post } from './api.js';

const EVERY = 2000;

function state(e) {
  if (e.state === 'running') {
    const words = e.jobs ? `${e.jobs_done} of ${e.jobs} jobs` : 'begins';
    return [h('span', { class: 'pill good' }, 'running'), ' ', h('progress', e.jobs ? { max: e.jobs, value: e.jobs_done, 'aria-label': e.name } : { 'aria-label': e.name }), ' ', words];
  }
  return e.report ? [h('a', { href: e.report, target: '_blank', rel: 'noopener' }, 'Report'), ' ', h('small', { class: 'dim day' }, e.reported_at.slice(0, 10)), e.state === 'stopped' ? [' ', h('span', { class: 'pill bad' }, 'stopped')] : null]
    : e.state === 'stopped' ? [h('span', { class: 'pill bad' }, 'stopped'), ' ', h('small', { class: 'dim' }, e.why)] : h('small', null, 'not run yet');
}

export async function show(view, _, signal) {
  const list = h('div'), told = h('div', { 'aria-live': 'polite' });
  let timer;
  const act = (call, e) => async (event) => {
    event.target.disabled = true;
    fill(told);
    try { await post('experiments/' + call, { experiment: e.name }); } catch (error) { fill(told, wrong(error.message)); }
    await draw().catch((error) => fill(told, wrong(error.message)));
  };
  const draw = async () => {
    clearTimeout(timer);
    const { items } = await get('experiments'), busy = items.find((e) => e.state === 'running');
    items.sort((a, b) => (b.name === 'quick') - (a.name === 'quick')); // the one to begin with
    fill(list, table(['Experiment', 'State', ''], items.map((e) => [h('div', { class: 'url' }, h('b', null, e.name), h('div', { class: 'dim' }, e.title)), state(e),
      e === busy ? h('button', { 'aria-label': 'Stop ' + e.name, onclick: act('stop', e) }, 'Stop')
        : h('button', { 'aria-label': 'Run ' + e.name, disabled: Boolean(busy), onclick: act('run', e) }, e.state === 'stopped' ? 'Go on' : 'Run')]),
    'No experiments came with this program.'));
    if (busy && !signal.aborted) timer = setTimeout(() => draw().catch(() => 0), EVERY);
  };
  signal.addEventListener('abort', () => clearTimeout(timer));
  fill(view, h('h1', null, 'Lab'), h('p', { class: 'dim' }, 'Experiments run policies on recorded and synthetic sites, with seeds, and write a report. One runs at a time, on one core and behind the crawl; they take seconds (',
    h('b', null, 'quick'), ') to hours. ', h('code', null, 'forage lab run NAME'), ' does the same in a terminal, on all cores.'), told, h('div', { class: 'stack' }, card('Experiments', '', list)));
  await draw();
}
