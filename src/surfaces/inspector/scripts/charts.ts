/** Browser script: small charts over days, drawn as SVG; the figures of a day appear under the pointer. */
export const CHARTS_JS = `
import { count, draw, fill, h } from './dom.js';

const HEIGHT = 170;
const LEFT = 44;
const BOTTOM = 20;
const TOP = 8;

const DATE = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const date = (day) => DATE.format(Date.parse(day));

/** A round number that is not less: 7 → 10, 34 → 40, 180 → 200. */
export function roundUp(value) {
  if (value <= 0) return 1;
  const size = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 10].map((step) => step * size).find((step) => step >= value);
}

const short = (value) => (value >= 1e6 ? +(value / 1e6).toFixed(1) + 'M' : value >= 1e4 ? +(value / 1e3).toFixed(1) + 'k' : count(value));

function axis(width, most, text, parts = [0, 0.5, 1]) {
  return parts.map((part) => {
    const y = HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP);
    const value = most * part;
    return [
      draw('line', { x1: LEFT, x2: width, y1: y, y2: y, class: 'grid' }),
      (Number.isInteger(value) || most < 2) && draw('text', { x: LEFT - 8, y: y + 4, class: 'tick', 'text-anchor': 'end' }, text(value)),
    ];
  });
}

/**
 * series: [{ name, kind: 'area' | 'line' | 'bar', values, tone }], one value for each day, null for none.
 * Bars of several series stand on top of each other.
 */
export function chart({ title, about, days, series, text = short, most, wide, nothing = 'Nothing in these days' }) {
  const stacked = days.map((_, i) => series.filter(({ kind }) => kind === 'bar').reduce((sum, { values }) => sum + (values[i] ?? 0), 0));
  const top = most ?? roundUp(Math.max(...stacked, ...series.flatMap(({ kind, values }) => (kind === 'bar' ? [] : values.map((value) => value ?? 0)))));
  const isEmpty = series.every(({ kind, values }) => values.every((value) => value === null || (kind === 'bar' && value === 0)));
  const svg = draw('svg', { height: HEIGHT, role: 'img', 'aria-label': title + '. ' + about });
  const legend = h('p', { class: 'legend small' });
  const mark = draw('line', { class: 'mark', y1: TOP, y2: HEIGHT - BOTTOM, visibility: 'hidden' });
  let width = 0;

  const step = () => (width - LEFT) / days.length;
  const x = (i) => LEFT + step() * (i + 0.5);
  const y = (value) => HEIGHT - BOTTOM - (Math.min(value, top) / top) * (HEIGHT - BOTTOM - TOP);

  function bars({ values, tone = '' }, base) {
    return values.map((value, i) => {
      if (!value) return null;
      const from = y(base[i]);
      base[i] += value;
      const half = Math.min(step() * 0.36, 14);
      return draw('rect', { x: x(i) - half, width: half * 2, y: y(base[i]), height: Math.max(1, from - y(base[i])), rx: Math.min(2, half / 2), class: 'bars ' + tone });
    });
  }

  function line({ kind, values, tone = '' }) {
    const points = values.map((value, i) => (value === null ? null : [x(i), y(value)])).filter((point) => point !== null);
    if (points.length === 0) return null;
    const path = points.map(([px, py], i) => (i === 0 ? 'M' : 'L') + px.toFixed(1) + ' ' + py.toFixed(1)).join('');
    const foot = (point) => point[0].toFixed(1) + ' ' + y(0);
    return [
      kind === 'area' && draw('path', { class: 'area ' + tone, d: path + 'L' + foot(points.at(-1)) + 'L' + foot(points[0]) + 'Z' }),
      draw('path', { class: 'stroke ' + tone, d: path }),
      points.length < 40 && points.map(([px, py]) => draw('circle', { class: 'dot ' + tone, cx: px, cy: py, r: 2.4 })),
    ];
  }

  function dates() {
    const middle = Math.floor((days.length - 1) / 2);
    const ends = [[0, LEFT, 'start'], [middle, x(middle), 'middle'], [days.length - 1, width, 'end']];
    return ends.map(([i, at, anchor]) => draw('text', { x: at, y: HEIGHT - 4, class: 'tick', 'text-anchor': anchor }, date(days[i])));
  }

  function paint() {
    const base = days.map(() => 0);
    svg.setAttribute('viewBox', '0 0 ' + width + ' ' + HEIGHT);
    if (isEmpty) {
      const words = draw('text', { x: (width + LEFT) / 2, y: (HEIGHT - BOTTOM + TOP) / 2 + 4, class: 'tick nothing', 'text-anchor': 'middle' }, nothing);
      // Without the line in the middle, which would strike the words out.
      return fill(svg, axis(width, top, () => '', [0, 1]), words, dates());
    }
    // Lines over bars, so that no bar hides a point.
    const inOrder = [...series].sort((a, b) => Number(b.kind === 'bar') - Number(a.kind === 'bar'));
    fill(svg, axis(width, top, text), inOrder.map((each) => (each.kind === 'bar' ? bars(each, base) : line(each))), mark, dates());
  }

  function say(i) {
    fill(
      legend,
      i === undefined ? '' : h('b', null, date(days[i]) + '  '),
      series.map(({ name, values, tone = '' }) => h('span', { class: 'key ' + tone }, name + (i === undefined ? '' : ' ' + (values[i] === null ? '–' : text(values[i]))))),
    );
    mark.setAttribute('visibility', i === undefined ? 'hidden' : 'visible');
    if (i === undefined) return;
    mark.setAttribute('x1', x(i));
    mark.setAttribute('x2', x(i));
  }

  svg.addEventListener('pointermove', ({ clientX }) => {
    const at = clientX - svg.getBoundingClientRect().left;
    say(Math.max(0, Math.min(days.length - 1, Math.floor((at - LEFT) / step()))));
  });
  svg.addEventListener('pointerleave', () => say());
  // Drawn for the width that there is, so that its text is as large as other text.
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === width || contentRect.width === 0) return;
    width = contentRect.width;
    paint();
  }).observe(svg);
  say();
  return h('figure', { class: wide ? 'card chart is-wide' : 'card chart' }, h('figcaption', null, h('h2', null, title), h('p', { class: 'small' }, about)), svg, legend);
}
`;
