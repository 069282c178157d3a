// Small charts as SVG, in the colours of the lab's reports.
import { h, count, clock, day, shortDay, span } from './dom.js';

// As wide as the letters need: what is drawn is scaled to its card.
const isNarrow = () => innerWidth < 620;
const wide = () => (isNarrow() ? 340 : 600);

// The next number of which half can be told in few digits.
function nice(top) {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, top)));
  for (const m of [1, 1.2, 1.6, 2, 3, 4, 6, 8]) if (m * step >= top && (m * step) % 2 === 0) return m * step;
  return 10 * step;
}

// Bars over time: steps are {from, value}, each with an optional line.
export function bars(steps, { height = 190, label, line, isSameScale, color = 's2' }) {
  const W = wide(), left = 34, bottom = 20, inner = height - bottom - 8, top = nice(Math.max(1, ...steps.map((s) => (isSameScale ? Math.max(s.value, s[line]) : s.value))));
  const width = (W - left) / steps.length, y = (v) => 8 + inner * (1 - v / top);
  const lineTop = isSameScale ? top : line ? Math.max(1, ...steps.map((s) => s[line])) : 1;
  const points = line && steps.map((s, i) => `${i ? 'L' : 'M'}${(left + (i + 0.5) * width).toFixed(1)} ${(8 + inner * (1 - s[line] / lineTop)).toFixed(1)}`).join('');
  const every = Math.ceil(steps.length / (isNarrow() ? 4 : 6));
  return h('svg', { class: 'chart', viewBox: `0 0 ${W} ${height}`, role: 'img', 'aria-label': label },
    [0, 0.5, 1].map((t) => [
      h('line', { class: t ? 'grid' : 'base', x1: left, x2: W, y1: y(t * top), y2: y(t * top) }),
      h('text', { class: 'end', x: left - 6, y: y(t * top) + 4 }, count(t * top))]),
    steps.map((s, i) => h('rect', { class: color, x: left + i * width + width * 0.12, width: width * 0.76, rx: 1.5, y: y(s.value), height: Math.max(s.value ? 1.5 : 0, inner + 8 - y(s.value)) },
      h('title', null, `${day(s.from)} ${clock(s.from)}: ${count(s.value)}`))),
    points ? h('path', { class: 'line s0', d: points, opacity: 0.7 }) : null,
    steps.map((s, i) => (i % every || i + every / 2 > steps.length ? null : h('text', { x: left + i * width, y: height - 4 },
      i && day(s.from) === day(steps[i - every].from) ? clock(s.from) : shortDay(s.from) + (isNarrow() ? '' : ' ' + clock(s.from))))));
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
      (buckets.length - 1 - i) % (isNarrow() ? 4 : 2) ? null : h('text', { class: 'mid', x: left + (i + 0.5) * width, y: height - 18 }, b.up_to_s ? '≤ ' + span(b.up_to_s) : 'more')]),
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

// Rows of 168 hours of the week: {name, title, href, hours: [{expected, looks, found}]}. The stronger the more is expected;
// a dot where looks have found something.
export function heat(rows, label) {
  const top = Math.max(1e-9, ...rows.flatMap((r) => r.hours.map((x) => x.expected)));
  const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  return h('div', { class: 'heat', role: 'group', 'aria-label': label },
    h('span'), h('div', { class: 'days', 'aria-hidden': 'true' }, days.map((d) => h('span', null, d))),
    rows.map((r) => {
      const best = r.hours.reduce((a, x, i) => (x.expected > r.hours[a].expected ? i : a), 0);
      return [h('a', { href: r.href, title: r.title }, r.name),
        h('svg', { viewBox: '0 0 672 18', preserveAspectRatio: 'none', role: 'img', 'aria-label': `${r.name}: most expected on ${days[Math.floor(best / 24)]} at ${best % 24}:00` },
          r.hours.map((x, i) => h('rect', { class: 's2', opacity: (0.06 + 0.9 * Math.sqrt(x.expected / top)).toFixed(3), x: i * 4 + (i % 24 === 0 ? 1 : 0), width: i % 24 === 0 ? 3 : 4, y: 0, height: 18 },
            h('title', null, `${days[Math.floor(i / 24)]} ${i % 24}:00: ${few(x.expected)} new links an hour expected` + (x.looks ? `; ${count(x.found)} found by ${count(x.looks)} ${x.looks === 1 ? 'look' : 'looks'}` : '')))),
          r.hours.map((x, i) => (x.found ? h('rect', { class: 'seen', x: i * 4 + 1, width: 2.4, y: 12, height: 4 }) : null)))];
    }));
}

// A number that may be far below 1.
const few = (x) => (x >= 1 ? count(x) : x > 0 ? Number(x.toPrecision(2)).toString() : '0');

// What adds up to 1 over time, one band each: points are {time, parts: {name: share}}.
export function bands(points, { height = 190, label }) {
  const W = wide(), left = 40, bottom = 20, inner = height - bottom - 8, names = [...new Set(points.flatMap((p) => Object.keys(p.parts)))];
  const from = Date.parse(points[0].time), to = Math.max(from + 1, Date.parse(points.at(-1).time)), x = (p) => left + (W - left) * (Date.parse(p.time) - from) / (to - from), y = (v) => 8 + inner * (1 - v);
  const floor = points.map(() => 0), shapes = names.map((name, n) => {
    const below = points.map((p, i) => `${x(p).toFixed(1)} ${y(floor[i]).toFixed(1)}`).reverse();
    points.forEach((p, i) => { floor[i] += p.parts[name] || 0; });
    const above = points.map((p, i) => `${x(p).toFixed(1)} ${y(Math.min(1, floor[i])).toFixed(1)}`);
    return h('path', { class: 's' + n % 6, d: `M${above.join('L')}L${below.join('L')}Z`, opacity: 0.85 }, h('title', null, name));
  });
  return [h('svg', { class: 'chart', viewBox: `0 0 ${W} ${height}`, role: 'img', 'aria-label': label }, shapes,
    [0, 0.5, 1].map((t) => [h('line', { class: t ? 'grid' : 'base', x1: left, x2: W, y1: y(t), y2: y(t) }), h('text', { class: 'end', x: left - 6, y: y(t) + 4 }, 100 * t + ' %')]),
    h('text', { x: left, y: height - 4 }, `${shortDay(points[0].time)} ${clock(points[0].time)}`),
    h('text', { class: 'end', x: W, y: height - 4 }, `${shortDay(points.at(-1).time)} ${clock(points.at(-1).time)}`)),
  h('ul', { class: 'legend' }, names.map((name, n) => h('li', { class: 's' + n % 6 }, h('span', null, name + ' '), h('small', null, Math.round(100 * (points.at(-1).parts[name] || 0)) + ' % now'))))];
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
    h('text', { x: 10, y: 76 }, `${shortDay(visits[0].time)} ${clock(visits[0].time)}`),
    h('text', { class: 'end', x: W - 10, y: 76 }, next ? `next ${shortDay(next)} ${clock(next)}` : `${shortDay(visits.at(-1).time)} ${clock(visits.at(-1).time)}`));
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
    h('text', { class: 'mid', x: W / 2, y: height - 2 }, 'expected'), h('text', { x: left + 6, y: 14 }, 'found'));
}
