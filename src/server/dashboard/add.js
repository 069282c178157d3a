// Add a site: first see what would be watched. Below, what was changed, to be undone.
import { h, fill, card, pairs, table, count, span, ago, out, host, said, wrong } from './dom.js';
import { get, post } from './api.js';
import { tellOf } from './changes.js';

const names = { addSite: 'Add', remove: 'Remove', pause: 'Pause', resume: 'Resume', label: 'Label', setSite: 'Set rules', retryWebhooks: 'Retry webhooks', undo: 'Undo', scheduleAdd: 'Add for other crawlers',
  scheduleBlock: 'Block for other crawlers', addAd: 'Advertisement', setAdsState: 'State of advertisements', runExperiment: 'Run experiment', stopExperiment: 'Stop experiment' };

const says = { allowed: 'allows it', forbidden: 'forbids it', none: 'there is none: everything is allowed', unknown: 'cannot be had, and until it can nothing is asked' };
const kinds = { page: 'page', feed: 'feed', sitemap: 'sitemap', text: 'text', list: 'list' };

function trouble(p) {
  if (p.trouble) return wrong([p.trouble, p.advice ? [' – ', p.advice] : null]);
  return p.fetched ? null : wrong('It could not be fetched: ' + (p.why || p.end) + '.');
}

function preview(p) {
  if (p.is_watched) return [h('h2', null, host(p.site)), said('This site is watched already; adding the address makes it one of its pages.'), p.trouble ? trouble(p) : null];
  const facts = pairs([['robots.txt', p.robots && [says[p.robots] || p.robots, p.crawl_delay_s ? `; it asks for ${span(p.crawl_delay_s)} between two requests` : null]],
    ['Leads to', p.final_url && p.final_url !== p.url ? out(p.final_url) : null],
    ...p.fetched ? [['It is', p.kind === 'page' ? 'a page' : p.kind === 'nothing' ? 'nothing that can be read' : 'a ' + p.kind], ['Status', p.status], ['Language', p.language],
      ['Links', `${count(p.own_links)} to its own site, ${count(p.links)} in all`]] : []]);
  return [h('h2', null, p.title || p.final_url || p.url), trouble(p), facts,
    p.sources && p.sources.length ? [h('h3', null, 'What would be looked at for new pages, to begin with'),
      table(['Address', 'Is', 'Because'], p.sources.map((s) => [h('div', { class: 'url' }, out(s.url)), h('span', { class: 'tag' }, kinds[s.kind] || s.kind), s.because])),
      h('p', { class: 'dim' }, 'The crawl tries these, keeps those that lead to new pages, and finds others.')] : null,
    p.examples && p.examples.length ? h('details', null, h('summary', null, 'Links it shows'), h('ul', null, p.examples.slice(0, 12).map((l) => h('li', null, out(l.url, l.words || l.url))))) : null];
}

// What was asked for, without the marks of JSON; a long one is cut where it is kept.
function asked(body) {
  try {
    return Object.entries(JSON.parse(body)).filter(([, value]) => value !== false)
      .map(([name, value]) => [h('span', { class: 'dim' }, name.replace(/_/g, ' ') + ' '), String(Array.isArray(value) ? value.join(', ') : value).slice(0, 160), ' ']);
  } catch { return h('code', null, body.slice(0, 160)); }
}

async function audit(place) {
  const found = await get('audit');
  fill(place, table(['#No.', 'When', 'What', 'Asked for', ''], found.items.reverse().slice(0, 50).map((a) => [a.number, ago(a.time), names[a.call] || a.call, h('div', { class: 'url' }, asked(a.body)),
    a.undone_by ? h('span', { class: 'dim' }, 'taken back by ' + a.undone_by) : a.undo ? h('button', { 'aria-label': 'Undo change ' + a.number, onclick: async (event) => {
      event.target.disabled = true;
      try { await post('undo', { number: a.number }); await audit(place); } catch (error) { place.prepend(wrong(error.message)); }
    } }, 'Undo') : null]), 'Nothing was changed from here yet.'));
}

export async function show(view) {
  const shown = h('div', { 'aria-live': 'polite' }), log = h('div'), url = h('input', { type: 'text', name: 'url', required: true, placeholder: 'news.example or https://news.example/', 'aria-label': 'Address', autocomplete: 'off', inputmode: 'url' });
  const select = (name, label, chosen, choices) => h('label', null, label, h('select', { name }, choices.map(([value, words]) => h('option', { value, selected: value === chosen && chosen === 'feed' }, words))));
  const field = (name, label, hint) => h('label', null, label, h('input', { name, placeholder: hint }));
  const confirmAdd = (address) => async (event) => {
    event.preventDefault();
    const form = Object.fromEntries(new FormData(event.target)), body = { url: address, type: form.type };
    if (form.tags.trim()) body.tags = form.tags.split(',').map((x) => x.trim()).filter(Boolean);
    if (form.budget.trim()) body.budget = Number(form.budget);
    if (form.at_least.trim()) body.at_least = form.at_least.trim();
    try {
      const done = await post('sites', body);
      tellOf(shown, done, done.url + ' is to be watched.', () => audit(log));
      url.value = '';
      await audit(log);
    } catch (error) { shown.querySelector('.told').replaceChildren(wrong(error.message)); }
  };
  const ask = async (event) => {
    event.preventDefault();
    const address = url.value.trim();
    if (!address) return fill(shown, wrong('Type an address first.'));
    fill(shown, h('p', { class: 'wait', role: 'status' }, 'Looking at it, politely …'));
    try {
      const p = await post('preview', { url: address });
      fill(shown, card(null, '', preview(p), h('form', { class: 'stack', onsubmit: confirmAdd(address) }, h('div', { class: 'fields' },
        select('type', 'Watch it as', p.kind, [['site', 'a site: explore it'], ['feed', 'a feed, alone'], ['document', 'a document to keep fresh'], ['source', 'a source of links'], ['page', 'a page, once']]),
        field('tags', 'Tags', 'press,law'), field('budget', 'Requests an hour', 'as crawl.site-budget'), field('at_least', 'Look at least every', '1h')),
      h('button', { class: 'main' }, 'Watch it'), h('div', { class: 'told' }))));
    } catch (error) { fill(shown, wrong(error.message)); }
  };
  fill(view, h('h1', null, 'Add'), h('p', { class: 'dim' }, 'Type an address, and see what would be watched before you say yes.'), h('form', { class: 'row', onsubmit: ask }, url, h('button', { class: 'main' }, 'Preview')), shown,
    h('div', { class: 'stack' }, card('Changes made here', '', log)));
  url.focus();
  await audit(log);
}
