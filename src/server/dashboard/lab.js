// The experiments there are.
import { h, fill, card, table } from './dom.js';
import { get } from './api.js';

export async function show(view) {
  const found = await get('experiments');
  fill(view, h('h1', null, 'Lab'), h('p', { class: 'dim' }, 'Experiments run policies on recorded and synthetic sites, with seeds, and write a report. They take processors for minutes to hours, so they are started from a terminal:'),
    card('Experiments', '', table(['Experiment', 'What it is about', 'Start it with'], found.items.map((e) => [h('b', null, e.name), e.title, h('code', null, 'forage lab run ' + e.name)]), 'No experiments came with this program.')));
}
