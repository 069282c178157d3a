// Add a site: first see what would be watched. Below, what was changed, to be undone.
import { h, fill, card, pairs, table, count, ago, out, host, said, wrong } from './dom.js';
import { get, post } from './api.js';

const names = { addSite: 'Add', remove: 'Remove', pause: 'Pause', resume: 'Resume', label: 'Label', setSite: 'Set rules', retryWebhooks: 'Retry webhooks', undo: 'Undo' };

function preview(p) {
  if (p.is_watched) return said(host(p.site) + ' is watched already; adding the address makes it one of its pages.');
  if (!p.fetched) return wrong('It could not be fetched: ' + (p.why || p.end) + '.');
  return [h('h2', null, p.title || p.final_url), pairs([
    ['It is', p.kind === 'page' ? 'a page' : 'a ' + p.kind], ['Status', p.status], ['Leads to', p.final_url !== p.url ? out(p.final_url) : null], ['Language', p.language],
    ['robots.txt', 'allows it'], ['Feeds', p.feeds && p.feeds.length ? p.feeds.map((f) => h('div', null, out(f))) : 'none announced'], ['Links', `${count(p.own_links)} to its own site, ${count(p.links)} in all`]]),
  p.examples && p.examples.length ? h('details', { open: true }, h('summary', null, 'Links it shows'), h('ul', null, p.examples.slice(0, 12).map((l) => h('li', null, out(l.url, l.words || l.url))))) : null];
}

async function audit(place) {
  const found = await get('audit');
  fill(place, table(['#No.', 'When', 'What', 'Asked for', ''], found.items.reverse().slice(0, 50).map((a) => [a.number, ago(a.time), names[a.call] || a.call, h('code', null, a.body.slice(0, 160)),
    a.undo ? h('button', { 'aria-label': 'Undo change ' + a.number, onclick: async (event) => {
      event.target.disabled = true;
      try { await post('undo', { number: a.number }); await audit(place); } catch (error) { place.prepend(wrong(error.message)); }
    } }, 'Undo') : null]), 'Nothing was changed from here yet.'));
}

export async function show(view) {
  const shown = h('div', { 'aria-live': 'polite' }), log = h('div'), url = h('input', { type: 'text', name: 'url', required: true, placeholder: 'news.example or https://news.example/', 'aria-label': 'Address', autocomplete: 'off', inputmode: 'url' });
  const select = (name, label, choices) => h('label', null, label, h('select', { name }, choices.map(([value, words]) => h('option', { value }, words))));
  const field = (name, label, hint) => h('label', null, label, h('input', { name, placeholder: hint }));
  const confirmAdd = async (event) => {
    event.preventDefault();
    const form = Object.fromEntries(new FormData(event.target)), body = { url: url.value.trim(), type: form.type };
    if (form.tags.trim()) body.tags = form.tags.split(',').map((x) => x.trim()).filter(Boolean);
    if (form.budget.trim()) body.budget = Number(form.budget);
    if (form.at_least.trim()) body.at_least = form.at_least.trim();
    try {
      const done = await post('sites', body);
      fill(shown, said(done.url + ' was given to the crawl.' + (done.running ? ' It takes it up within seconds.' : ' It waits for the next one to start.')));
      url.value = '';
      await audit(log);
    } catch (error) { shown.querySelector('.told').replaceChildren(wrong(error.message)); }
  };
  const ask = async (event) => {
    event.preventDefault();
    fill(shown, h('p', { class: 'wait', role: 'status' }, 'Looking at it, politely …'));
    try {
      const p = await post('preview', { url: url.value.trim() });
      fill(shown, card(null, '', preview(p), h('form', { class: 'stack', onsubmit: confirmAdd }, h('div', { class: 'fields' },
        select('type', 'Watch it as', [['site', 'a site: explore it'], ['feed', 'a feed, alone'], ['document', 'a document to keep fresh'], ['source', 'a source of links'], ['page', 'a page, once']]),
        field('tags', 'Tags', 'press,law'), field('budget', 'Requests an hour', 'as crawl.site-budget'), field('at_least', 'Look at least every', '1h')),
      h('button', { class: 'main' }, 'Watch it'), h('div', { class: 'told' }))));
    } catch (error) { fill(shown, wrong(error.message)); }
  };
  fill(view, h('h1', null, 'Add'), h('p', { class: 'dim' }, 'Type an address, and see what would be watched before you say yes.'), h('form', { class: 'row', onsubmit: ask }, url, h('button', { class: 'main' }, 'Preview')), shown,
    h('div', { class: 'stack' }, card('Changes made here', '', log)));
  url.focus();
  await audit(log);
}
