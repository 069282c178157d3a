// The frame: which view the address names, loading and failing, the state of the crawl.
import { h, fill, wrong, setNow } from './dom.js';
import { get, post, Refused } from './api.js';
import { show as now } from './now.js';
import { show as site } from './site.js';
import { show as page } from './page.js';
import { show as policies } from './policies.js';
import { show as search } from './search.js';
import { show as lab } from './lab.js';
import { show as add } from './add.js';

const views = { '': now, site, page, policies, search, lab, add };
const names = { '': 'Now', site: 'Site', page: 'Page', policies: 'Policies', search: 'Search', lab: 'Lab', add: 'Add' };
const place = document.getElementById('view');
let leaving = new AbortController();

function login() {
  const told = h('div'), token = h('input', { type: 'password', name: 'token', autocomplete: 'current-password', 'aria-label': 'Token', placeholder: 'Token' });
  fill(place, h('h1', null, 'Who is there?'), h('p', { class: 'dim' }, 'This server asks for its token, which ', h('code', null, 'forage serve --new-token'), ' has shown.'),
    h('form', { class: 'row', onsubmit: async (event) => {
      event.preventDefault();
      try { await post('/login', { token: token.value.trim() }); state().finally(route); }
      catch (error) { fill(told, wrong(error instanceof Refused ? 'This is not the token.' : error.message)); }
    } }, token, h('button', { class: 'main' }, 'Come in')), told);
  token.focus();
}

async function route() {
  const [name, ...rest] = location.hash.replace(/^#\/?/, '').split('/'), show = views[name];
  leaving.abort();
  const mine = leaving = new AbortController();
  for (const link of document.querySelectorAll('nav a')) {
    const own = link.getAttribute('href').replace(/^#\/?/, '');
    if (own === name || (own === '' && (name === 'site' || name === 'page'))) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = (names[name] || 'Not found') + ' · Forage';
  const slow = setTimeout(() => !mine.signal.aborted && fill(place, h('p', { class: 'wait', role: 'status' }, 'Loading …')), 150);
  const stage = h('div');
  try {
    if (!show) throw new Error('There is no such view.');
    await show(stage, rest.map(decodeURIComponent), mine.signal);
    if (mine.signal.aborted) return;
    fill(place, stage);
    stage.querySelector('input[type=search], form.row:not(.later) input')?.focus();
  } catch (error) {
    if (mine.signal.aborted) return;
    if (error instanceof Refused) login();
    else fill(place, h('h1', null, names[name] || 'Not found'), wrong(error.message), h('div', { class: 'actions' }, h('button', { onclick: route }, 'Try again'), h('a', { href: '#/' }, 'Now')));
  } finally {
    clearTimeout(slow);
    document.body.dataset.view = name || 'now';
  }
}

async function state() {
  const pill = document.getElementById('state');
  try {
    const status = await get('status');
    setNow(status);
    pill.className = 'pill ' + (status.totals.alarms ? 'bad' : status.is_running ? 'good' : '');
    fill(pill, status.totals.alarms ? status.totals.alarms + (status.totals.alarms === 1 ? ' alarm' : ' alarms') : status.is_running ? 'crawling' : 'no crawl runs');
    fill(document.getElementById('workspace'), status.workspace);
    pill.hidden = false;
  } catch (error) {
    pill.className = 'pill bad';
    fill(pill, error instanceof Refused ? 'locked' : 'no answer');
    pill.hidden = false;
  }
}

addEventListener('hashchange', () => { route(); place.focus(); });
state().finally(route); // times are told by the crawl's clock, which the state brings
setInterval(state, 10000);
addEventListener('unanswered', state);
// Keys: / searches, n is Now, a adds.
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const to = { '/': '#/search', n: '#/', a: '#/add', p: '#/policies' }[event.key];
  if (to) { event.preventDefault(); location.hash = to; }
});
