// The search page.
import { h, fill, count, out, pageLink, host, day, wrong } from './dom.js';
import { get, post } from './api.js';

// What was shown is told when it is known; that nobody hears it is no reason to wait.
const tell = (what) => post('feedback', what).catch(() => {});
// A link by way of the server, which counts it and leads on; that of something unsigned leads there directly.
const link = (kind, entry, words) => {
  const a = out(entry.url, words);
  if (entry.token && a.href) a.href = `go?${kind}=${encodeURIComponent(entry.token)}`;
  a.title = entry.url;
  return a;
};

export async function show(view, [words]) {
  const query = words || '', hits = h('ol', { class: 'hits' }), told = h('div', { 'aria-live': 'polite' }), more = h('div', { class: 'actions' });
  const input = h('input', { type: 'search', name: 'q', value: query, placeholder: 'Words, “a phrase”, site:news.example', 'aria-label': 'Search for', autocomplete: 'off' });
  fill(view, h('h1', null, 'Search'), h('form', { class: 'row', role: 'search', onsubmit: (event) => {
    event.preventDefault();
    location.hash = '#/search/' + encodeURIComponent(input.value.trim());
  } }, input, h('button', { class: 'main' }, 'Search')), told, hits, more);
  if (!query) {
    fill(told, h('p', { class: 'empty' }, 'Search the texts of the pages that were read.'));
    input.focus();
    return;
  }
  const load = async (after) => {
    const found = await get('search', { q: query, limit: 20, after });
    if (!after) fill(told, h('p', { class: 'dim' }, found.matches ? `${count(found.matches)} pages` : 'Nothing has these words.',
      found.did_you_mean ? [' Did you mean ', h('a', { href: '#/search/' + encodeURIComponent(found.did_you_mean) }, found.did_you_mean), '?'] : null));
    for (const ad of found.sponsored || []) hits.append(h('li', { class: 'sponsored' },
      h('p', null, h('small', { class: 'tag' }, 'Sponsored')),
      h('b', null, link('ad', ad, ad.title)), h('p', null, ad.text)));
    const seen = found.results.map((hit) => hit.token).filter(Boolean);
    if (seen.length) tell({ seen });
    for (const hit of found.results) hits.append(h('li', null, h('b', null, link('result', hit, hit.title || hit.url)),
      hit.promoted ? h('p', null, h('small', { class: 'tag' }, 'New here: few have seen this page yet')) : null,
      h('p', null, h('small', null, host(hit.site), ' · ', day(hit.date), ' · ', pageLink(hit.url, 'its life'), hit.others && hit.others.length ? ` · ${hit.others.length} more like it` : '')), h('p', null, (hit.snippet_parts || [hit.snippet]).map((part, i) => i % 2 ? h('mark', null, part) : part))));
    fill(more, found.next ? h('button', { onclick: () => load(found.next).catch((e) => fill(more, wrong(e.message))) }, 'More') : null);
  };
  await load();
}
