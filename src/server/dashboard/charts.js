// Small charts as SVG, in the colours of the lab's reports.
import { h, count, clock, day, span } from './dom.js';

// As wide as the letters need: what is drawn is scaled to its card.
const isNarrow = () => innerWidth < 620;
const wide = () => (isNarrow() ? 340 : 600);

function nice(top) {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, top)));
  for (const m of [1, 2, 5, 10]) if (m * step >= top) return m * step;
  return 10 * step;
}

// Bars over time: steps are {from, value}, each with an optional line.
export function bars(steps, { height = 190, label, line, color = 's2' }) {
  const W = wide(), left = 34, bottom = 20, inner = height - bottom - 8, top = nice(Math.max(1, ...steps.map((s) => s.value)));
  const width = (W - left) / steps.length, y = (v) => 8 + inner * (1 - v / top);
  const lineTop = line ? Math.max(1, ...steps.map((s) => s[line])) : 1;
  const points = line && steps.map((s, i) => `${i ? 'L' : 'M'}${(left + (i + 0.5) * width).toFixed(1)} ${(8 + inner * (1 - s[line] / lineTop)).toFixed(1)}`).join('');
  const every = Math.ceil(steps.length / (isNarrow() ? 4 : 6));
  return h('svg', { class: 'chart', viewBox: `0 0 ${W} ${height}`, role: 'img', 'aria-label': label },
    [0, 0.5, 1].map((t) => [
      h('line', { class: t ? 'grid' : 'base', x1: left, x2: W, y1: y(t * top), y2: y(t * top) }),
      h('text', { class: 'end', x: left - 6, y: y(t * top) + 4 }, count(t * top))]),
    steps.map((s, i) => h('rect', { class: color, x: left + i * width + width * 0.12, width: width * 0.76, rx: 1.5, y: y(s.value), height: Math.max(s.value ? 1.5 : 0, inner + 8 - y(s.value)) },
      h('title', null, `${day(s.from)} ${clock(s.from)}: ${count(s.value)}`))),
    points ? h('path', { class: 'line s0', d: points, opacity: 0.7 }) : null,
    steps.map((s, i) => (i % every ? null : h('text', { x: left + i * width, y: height - 4 }, i && clock(s.from) !== '00:00' ? clock(s.from) : day(s.from).slice(5)))));
}

export function histogram(buckets, { height = 190, label }) {
  const W = wide(), left = 34, bottom = 34, inner = height - bottom - 8, top = nice(Math.max(1, ...buckets.map((b) => b.n)));
  const width = (W - left) / buckets.length, y = (v) => 8 + inner * (1 - v / top);
  return h('svg', { class: 'chart', viewBox: `0 0 ${W} ${height}`, role: 'img', 'aria-label': label },
    [0, 0.5, 1].map((t) => [
      h('line', { class: t ? 'grid' : 'base', x1: left, x2: W, y1: y(t * top), y2: y(t * top) }),
      h('text', { class: 'end', x: left - 6, y: y(t * top) + 4 }, count(t * top))]),
    buckets.map((b, i) => [
      h('rect', { class: 's0', x: left + i * width + width * 0.1, width: width * 0.8, rx: 2, y: y(b.n), height: Math.max(b.n ? 1.5 : 0, inner + 8 - y(b.n)) },
        h('title', null, `${b.up_to_s ? 'up to ' + span(b.up_to_s) : 'more'}: ${count(b.n)}`)),
      i % (isNarrow() ? 4 : 2) && buckets.length > 8 ? null : h('text', { class: 'mid', x: left + (i + 0.5) * width, y: height - 18 }, b.up_to_s ? '≤ ' + span(b.up_to_s) : 'more')]),
    h('text', { class: 'mid', x: W / 2, y: height - 2 }, 'after publication'));
}

export function spark(values, label) {
  const top = Math.max(1, ...values), n = values.length, width = 110 / n;
  return h('svg', { class: 'spark', viewBox: '0 0 110 24', role: 'img', 'aria-label': label },
    values.map((v, i) => h('rect', { class: 's2', opacity: v ? 1 : 0.25, x: i * width, width: Math.max(1, width - 1), y: 23 - 22 * v / top, height: Math.max(1, 22 * v / top + 1) })));
}

// What a whole is made of: {name: n}.
export function shares(parts, label) {
  const entries = Object.entries(parts).filter(([, n]) => n > 0), sum = entries.reduce((a, [, n]) => a + n, 0);
  if (!sum) return h('p', { class: 'empty' }, 'Nothing yet.');
  const bar = h('div', { class: 'share', role: 'img', 'aria-label': label });
  entries.forEach(([name, n], i) => {
    const piece = h('i', { class: 's' + i, title: `${name}: ${count(n)}` });
    piece.style.width = 100 * n / sum + '%';
    bar.append(piece);
  });
  return [bar, h('ul', { class: 'legend' }, entries.map(([name, n], i) => h('li', { class: 's' + i }, h('span', null, `${name} ${count(n)} `), h('small', null, Math.round(100 * n / sum) + ' %'))))];
}

// Rows of 168 hours of the week: {name, href, hours: [{n, looks}]}.
export function heat(rows, label) {
  const top = Math.max(0.001, ...rows.flatMap((r) => r.hours.map((x) => (x.looks ? x.n / x.looks : 0))));
  const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  return h('div', { class: 'heat', role: 'group', 'aria-label': label },
    h('span'), h('svg', { class: 'chart days', viewBox: '0 0 672 16', preserveAspectRatio: 'none' }, days.map((d, i) => h('text', { x: i * 96 + 2, y: 12 }, d))),
    rows.map((r) => [h('a', { href: r.href, title: r.title }, r.name),
      h('svg', { viewBox: '0 0 672 18', preserveAspectRatio: 'none', role: 'img', 'aria-label': `${r.name}: ${count(r.hours.reduce((a, x) => a + x.n, 0))} new links` },
        r.hours.map((x, i) => h('rect', { class: x.looks ? 's2' : null, fill: x.looks ? null : 'var(--grid)', opacity: x.looks ? 0.14 + 0.86 * Math.min(1, x.n / x.looks / top) : 0.6,
          x: i * 4, width: i % 24 === 23 ? 3 : 4, y: 1, height: 16 },
          x.looks ? h('title', null, `${days[Math.floor(i / 24)]} ${i % 24}:00 UTC: ${count(x.n / x.looks)} new links a look, ${x.looks} looks`) : null)))]));
}

// The life of a page on one line.
export function life(visits, next) {
  const W = isNarrow() ? 340 : 1120, times = visits.map((v) => Date.parse(v.time)), end = next ? Date.parse(next) : Math.max(...times);
  const from = Math.min(...times), width = Math.max(1, end - from), x = (t) => 10 + (W - 20) * (t - from) / width;
  return h('svg', { class: 'chart', viewBox: `0 0 ${W} 84`, role: 'img', 'aria-label': `${visits.length} visits` },
    h('line', { class: 'base', x1: 10, x2: W - 10, y1: 46, y2: 46 }),
    visits.map((v) => [
      h('line', { class: v.failure || v.status >= 400 ? 's1' : 's0', stroke: 'currentColor', 'stroke-width': 1.6, x1: x(Date.parse(v.time)), x2: x(Date.parse(v.time)), y1: 40, y2: 52 },
        h('title', null, `${v.time}: ${v.purpose}, ${v.failure || v.status}${v.changed ? ', changed' : ''}, ${v.new} new links`)),
      v.changed ? h('circle', { class: 's4', cx: x(Date.parse(v.time)), cy: 34, r: 3 }) : null,
      v.new ? h('circle', { class: 's2', cx: x(Date.parse(v.time)), cy: 20, r: Math.min(9, 2 + 1.6 * Math.sqrt(v.new)), opacity: 0.75 }) : null]),
    next ? h('circle', { cx: x(end), cy: 46, r: 5, fill: 'none', stroke: 'var(--c3)', 'stroke-width': 2 }, h('title', null, 'next visit expected')) : null,
    h('text', { x: 10, y: 76 }, `${day(visits[0].time)} ${clock(visits[0].time)}`),
    h('text', { class: 'end', x: W - 10, y: 76 }, next ? `next ${day(next)} ${clock(next)}` : `${day(visits.at(-1).time)} ${clock(visits.at(-1).time)}`));
}

// Expected against found, a dot for each bin: {expected, found, n}.
export function calibration(bins, height = 250) {
  const W = wide(), top = nice(Math.max(1e-9, ...bins.flatMap((b) => [b.expected, b.found])) * 100) / 100, left = 44, size = height - 40;
  const px = (v) => left + (W - left - 20) * v / top, py = (v) => 8 + size * (1 - v / top), most = Math.max(...bins.map((b) => b.n));
  return h('svg', { class: 'chart', viewBox: `0 0 ${W} ${height}`, role: 'img', 'aria-label': 'expected against found' },
    [0, 0.5, 1].map((t) => [h('line', { class: t ? 'grid' : 'base', x1: left, x2: W - 20, y1: py(t * top), y2: py(t * top) }),
      h('text', { class: 'end', x: left - 6, y: py(t * top) + 4 }, count(t * top)), h('text', { class: 'mid', x: px(t * top), y: height - 16 }, count(t * top))]),
    h('path', { class: 'line base', d: `M${px(0)} ${py(0)}L${px(top)} ${py(top)}`, stroke: 'var(--rule)', 'stroke-dasharray': '5 4' }),
    bins.map((b) => h('circle', { class: 's3', opacity: 0.8, cx: px(b.expected), cy: py(b.found), r: 3 + 6 * Math.sqrt(b.n / most) }, h('title', null, `expected ${count(b.expected)}, found ${count(b.found)}, ${b.n} looks`))),
    h('text', { class: 'mid', x: W / 2, y: height - 2 }, 'expected'));
}
