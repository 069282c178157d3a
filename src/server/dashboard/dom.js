// Elements from names: h('p', {class: 'dim'}, 'text', child). What comes from the web is only ever a text node,
// so no title can become markup.
const SVG = 'http://www.w3.org/2000/svg';
const drawn = new Set(['svg', 'path', 'rect', 'line', 'circle', 'text', 'g', 'title']);

export function h(name, props, ...children) {
  const el = drawn.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) el.addEventListener(key.slice(2), value);
    else el.setAttribute(key, value === true ? '' : value);
  }
  add(el, children);
  return el;
}

export function add(el, children) {
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false)
      el.append(child instanceof Node ? child : document.createTextNode(String(child)));
  return el;
}

export function fill(el, ...children) {
  el.replaceChildren();
  return add(el, children);
}

// Only addresses of the web become links.
export function out(url, words) {
  return /^https?:\/\//i.test(url || '')
    ? h('a', { href: url, rel: 'noreferrer noopener', target: '_blank' }, words || url) : h('span', null, words || url || '');
}

export const pageLink = (url, words) => h('a', { href: '#/page/' + encodeURIComponent(url) }, words || url);
export const siteLink = (site, words) => h('a', { href: '#/site/' + encodeURIComponent(site) }, words || host(site));
export const host = (site) => String(site || '').replace(/^https?:\/\//, '');

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
export const count = (n) => (n === null || n === undefined ? '–' : number.format(n));
const rough = (n) => number.format(n >= 10 ? Math.round(n) : n);
// What a request was made for, as the log of visits names it.
const purposes = { first: 'first visit', source: 'new links', document: 'its copy' };
export const purpose = (name) => purposes[name] || name;
export const share = (x) => (x === null || x === undefined || Number.isNaN(x) ? '–' : Math.round(100 * x) + ' %');

export function span(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return '–';
  const units = [['d', 86400], ['h', 3600], ['min', 60]];
  for (const [name, size] of units)
    if (seconds >= size) return rough(seconds / size) + ' ' + name;
  return rough(seconds) + ' s';
}

export function bytes(n) {
  for (const [name, size] of [['GB', 1e9], ['MB', 1e6], ['kB', 1e3]])
    if (n >= size) return number.format(n / size) + ' ' + name;
  return count(n) + ' B';
}

// By the crawl's clock, which may run fast: as its state told last, and what has happened since.
let told = { time: Date.now(), real: Date.now(), speed: 1 };
export function setNow(status) { told = { time: Date.parse(status.now), real: Date.now(), speed: status.is_running && status.crawl?.speed || 1 }; }
export const now = () => told.time + (Date.now() - told.real) * told.speed;
export function setNowNotBefore(iso) { if (Date.parse(iso) > now()) told = { ...told, time: Date.parse(iso), real: Date.now() }; }
export function ago(iso) {
  if (!iso) return 'never';
  const seconds = (now() - Date.parse(iso)) / 1000;
  return seconds >= 0 ? span(Math.max(1, Math.round(seconds))) + ' ago' : 'in ' + span(Math.round(-seconds));
}
// The same for a tile: a number, and what it is.
export const agoTile = (iso) => (iso ? [ago(iso).replace(/^in | ago$/g, ''), ago(iso).startsWith('in ') ? 'from now' : 'ago'] : ['never']);
export const dueTile = (iso) => (!iso ? ['–'] : Date.parse(iso) <= now() ? ['due', 'for ' + span((now() - Date.parse(iso)) / 1000)] : agoTile(iso));
export function when(iso) {
  return iso ? h('time', { datetime: iso, title: iso }, ago(iso)) : '–';
}
const date = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
export const shortDay = (iso) => date.format(new Date(iso));
export const clock = (iso) => String(iso || '').slice(11, 16);
export const day = (iso) => String(iso || '').slice(0, 10);

export function tiles(list) {
  return h('dl', { class: 'tiles' }, list.map(([name, value, unit, bad]) =>
    h('div', bad ? { class: 'bad' } : null, h('dt', null, name), h('dd', null, value, unit ? [' ', h('small', null, unit)] : null))));
}

export function table(heads, rows, empty) {
  if (!rows.length) return h('p', { class: 'empty' }, empty || 'Nothing yet.');
  const isNumber = (head) => head.startsWith('#');
  return h('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': heads[0].replace('#', '') },
    h('table', null,
      h('thead', null, h('tr', null, heads.map((head) => h('th', { scope: 'col', class: isNumber(head) ? 'num' : null }, head.replace('#', ''))))),
      h('tbody', null, rows.map((cells) => h('tr', null, cells.map((cell, i) => h('td', { class: isNumber(heads[i]) ? 'num' : null }, cell)))))));
}

export function pairs(list) {
  return h('dl', { class: 'pairs' }, list.filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => [h('dt', null, name), h('dd', null, value)]));
}

export const card = (title, width, ...children) => h('section', { class: 'card ' + width }, title ? h('h2', null, title) : null, children);
export const said = (text) => h('p', { class: 'said', role: 'status' }, text);
export const wrong = (text) => h('p', { class: 'wrong', role: 'alert' }, text);
