// The search page.
import { h, fill, count, out, pageLink, host, day, wrong } from './dom.js';
import { get, post, Refused } from './api.js';

// What was shown is told when it is known; that nobody hears it is no reason to wait.
const tell = (what) => post('feedback', what).catch(() => {});
// A link by way of the server, which counts it and leads on; that of something unsigned leads there directly.
const link = (kind, entry, words) => {
  const a = out(entry.url, words);
  if (entry.token && a.href) a.href = `go?${kind}=${encodeURIComponent(entry.token)}`;
  a.title = entry.url;
  return a;
};

// site:, tag: and lang: among the words are filters of the API.
function asked(words) {
  const args = {};
  const q = words.replace(/(^|\s)(site|tag|lang):(\S+)/g, (all, gap, name, value) => { args[name] = value; return gap; }).trim();
  return { q, ...args };
}

// The snippet, with what was found in it marked.
function marked(hit) {
  const words = (hit.words || []).map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (!words.length) return hit.snippet;
  const parts = hit.snippet.split(new RegExp(`(?<![\\p{L}\\p{N}])(${words.sort((a, b) => b.length - a.length).join('|')})(?![\\p{L}\\p{N}])`, 'u'));
  return parts.map((part, i) => (i % 2 ? h('mark', null, part) : part));
}

const pages = (n) => `${count(n)} ${n === 1 ? 'page' : 'pages'}`;
function howMany({ matches, with_all: all }) {
  if (!matches) return 'Nothing has these words.';
  return all === matches ? pages(all) : all ? `${pages(all)} with all of the words, ${count(matches - all)} more with some of them` : `${pages(matches)} with some of the words, none with all of them`;
}

// A search is saved as the address of a feed, which has what is found from now on.
function follow({ q, site, tag }) {
  const base = site ? 'sites/' + encodeURIComponent(site) : tag ? 'tags/' + encodeURIComponent(tag) : 'all';
  const link = (form, name) => h('a', { href: `/feeds/${base}.${form}?query=${encodeURIComponent(q)}` }, name);
  return h('p', { class: 'follow' }, 'Follow what is found for this from now on: ', link('rss', 'RSS'), ' ', link('atom', 'Atom'), ' ', link('json', 'JSON'));
}

export async function show(view, [words]) {
  const query = words || '', question = asked(query), hits = h('ol', { class: 'hits' }), told = h('div', { 'aria-live': 'polite' }), more = h('div', { class: 'actions' });
  const input = h('input', { type: 'search', name: 'q', value: query, placeholder: 'Words, "a phrase", -without, site:news.example', 'aria-label': 'Search for', autocomplete: 'off' });
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
    const found = await get('search', { ...question, limit: 20, after });
    if (!after) fill(told, h('p', { class: 'dim' }, howMany(found), found.did_you_mean ? [' Did you mean ', h('a', { href: '#/search/' + encodeURIComponent(found.did_you_mean) }, found.did_you_mean), '?'] : null), follow(question));
    for (const ad of found.sponsored || []) hits.append(h('li', { class: 'sponsored' },
      h('p', null, h('small', { class: 'tag' }, 'Sponsored')),
      h('b', null, link('ad', ad, ad.title)), h('p', null, ad.text)));
    const seen = found.results.map((hit) => hit.token).filter(Boolean);
    if (seen.length) tell({ seen });
    for (const hit of found.results) hits.append(h('li', null, h('b', null, link('result', hit, hit.title || hit.url)),
      hit.promoted ? h('p', null, h('small', { class: 'tag' }, 'New here: few have seen this page yet')) : null,
      h('p', null, h('small', null, host(hit.site), ' · ', day(hit.date), ' · ', pageLink(hit.url, 'history'), hit.others && hit.others.length ? ` · ${hit.others.length} more like it` : '')), h('p', null, marked(hit))));
    fill(more, found.next ? h('button', { onclick: () => load(found.next).catch((e) => fill(more, wrong(e.message))) }, 'More') : null);
  };
  await load().catch((error) => { if (error instanceof Refused) throw error; fill(told, wrong(error.message)); });
}
