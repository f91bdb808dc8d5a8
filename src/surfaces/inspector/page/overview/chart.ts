/** A small chart over days, drawn as SVG; the values of a day appear under the pointer. */
import { type Child, fill, h, svg } from '../dom/elements.ts';
import { BOTTOM, HEIGHT, INNER_HEIGHT, LEFT, roundUp, shortDate, shortNumber, TOP } from './scale.ts';

interface Series {
  readonly name: string;
  /** Bars of several series are stacked. */
  readonly kind: 'area' | 'line' | 'bar';
  /** One for each day; null for none. */
  readonly values: readonly (number | null)[];
  readonly tone?: '' | 'warm' | 'pale';
}

interface ChartOptions {
  readonly title: string;
  readonly about: string;
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly text?: (value: number) => string;
  /** The highest value of the scale; otherwise it is chosen. */
  readonly most?: number;
  readonly isWide?: boolean;
  /** Shown instead of a drawing without any value. */
  readonly nothing?: string;
}

type Text = (value: number) => string;

/** The highest point of the drawing: of a line, or of bars on top of each other. */
function highest(days: readonly string[], series: readonly Series[]): number {
  const valuesAt = (i: number, isBar: boolean) =>
    series.filter(({ kind }) => (kind === 'bar') === isBar).map(({ values }) => values[i] ?? 0);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return Math.max(...days.flatMap((_, i) => [sum(valuesAt(i, true)), ...valuesAt(i, false)]));
}

function hasNoValue({ kind, values }: Series): boolean {
  return values.every((value) => value === null || (kind === 'bar' && value === 0));
}

function axis(width: number, most: number, text: Text, parts: readonly number[] = [0, 0.5, 1]): Child {
  return parts.map((part) => {
    const y = HEIGHT - BOTTOM - part * INNER_HEIGHT;
    const value = most * part;
    const isShown = Number.isInteger(value) || most < 2;
    const place = { x: LEFT - 8, y: y + 4, class: 'tick', 'text-anchor': 'end' };
    return [
      svg('line', { x1: LEFT, x2: width, y1: y, y2: y, class: 'grid' }),
      isShown && svg('text', place, text(value)),
    ];
  });
}

export function chart({ title, about, days, series, ...options }: ChartOptions): HTMLElement {
  const { text = shortNumber, isWide = false, nothing = 'No data in this period' } = options;
  const most = options.most ?? roundUp(highest(days, series));
  const drawing = svg('svg', { height: HEIGHT, role: 'img', 'aria-label': `${title}. ${about}` });
  const legend = h('p', { class: 'legend small' });
  const mark = svg('line', { class: 'mark', y1: TOP, y2: HEIGHT - BOTTOM, visibility: 'hidden' });
  let width = 0;

  const step = () => (width - LEFT) / days.length;
  const x = (i: number) => LEFT + step() * (i + 0.5);
  const y = (value: number) => HEIGHT - BOTTOM - (Math.min(value, most) / most) * INNER_HEIGHT;

  /** `base`: how high the bars of each day are already. */
  function bars({ values, tone = '' }: Series, base: number[]): Child {
    const half = Math.min(step() * 0.36, 14);
    return values.map((value, i) => {
      if (!value) return null;
      const below = base[i] ?? 0;
      base[i] = below + value;
      const top = y(below + value);
      const size = { x: x(i) - half, width: half * 2, y: top, height: Math.max(1, y(below) - top) };
      return svg('rect', { ...size, rx: Math.min(2, half / 2), class: `bars ${tone}` });
    });
  }

  function line({ kind, values, tone = '' }: Series): Child {
    const points = values.flatMap((value, i) => (value === null ? [] : [{ x: x(i), y: y(value) }]));
    const [first] = points;
    const last = points.at(-1);
    if (first === undefined || last === undefined) return null;
    const path = points
      .map((point, i) => `${i === 0 ? 'M' : 'L'}${point.x.toFixed(1)} ${point.y.toFixed(1)}`)
      .join('');
    const foot = (point: { x: number }) => `L${point.x.toFixed(1)} ${y(0)}`;
    return [
      kind === 'area' && svg('path', { class: `area ${tone}`, d: `${path}${foot(last)}${foot(first)}Z` }),
      svg('path', { class: `stroke ${tone}`, d: path }),
      points.length < 40 &&
        points.map((point) => svg('circle', { class: `dot ${tone}`, cx: point.x, cy: point.y, r: 2.4 })),
    ];
  }

  function dates(): Child {
    const middle = Math.floor((days.length - 1) / 2);
    const shown = [
      { i: 0, at: LEFT, anchor: 'start' },
      { i: middle, at: x(middle), anchor: 'middle' },
      { i: days.length - 1, at: width, anchor: 'end' },
    ];
    return shown.map(({ i, at, anchor }) =>
      svg('text', { x: at, y: HEIGHT - 4, class: 'tick', 'text-anchor': anchor }, shortDate(days[i] ?? '')),
    );
  }

  function paint(): void {
    drawing.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
    if (series.every(hasNoValue)) {
      const center = { x: (width + LEFT) / 2, y: (HEIGHT - BOTTOM + TOP) / 2 + 4, 'text-anchor': 'middle' };
      // Without the line in the middle, which would strike the words through.
      const frame = axis(width, most, () => '', [0, 1]);
      fill(drawing, frame, svg('text', { ...center, class: 'tick nothing' }, nothing), dates());
      return;
    }
    const base = days.map(() => 0);
    // Lines over bars, so that no bar hides a point.
    const inOrder = [...series].sort((a, b) => Number(b.kind === 'bar') - Number(a.kind === 'bar'));
    const drawn = inOrder.map((each) => (each.kind === 'bar' ? bars(each, base) : line(each)));
    fill(drawing, axis(width, most, text), drawn, mark, dates());
  }

  const valueText = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : text(value);

  /** Without a day, only the names. */
  function explain(i?: number): void {
    fill(
      legend,
      i !== undefined && h('b', null, `${shortDate(days[i] ?? '')}  `),
      series.map(({ name, values, tone = '' }) =>
        h('span', { class: `key ${tone}` }, i === undefined ? name : `${name} ${valueText(values[i])}`),
      ),
    );
    mark.setAttribute('visibility', i === undefined ? 'hidden' : 'visible');
    if (i === undefined) return;
    mark.setAttribute('x1', String(x(i)));
    mark.setAttribute('x2', String(x(i)));
  }

  drawing.addEventListener('pointermove', ({ clientX }) => {
    const at = clientX - drawing.getBoundingClientRect().left;
    explain(Math.max(0, Math.min(days.length - 1, Math.floor((at - LEFT) / step()))));
  });
  drawing.addEventListener('pointerleave', () => explain());
  // Drawn for the width that there is, so that its text is as large as other text.
  new ResizeObserver(([entry]) => {
    const room = entry?.contentRect.width ?? 0;
    if (room === width || room === 0) return;
    width = room;
    paint();
  }).observe(drawing);
  explain();
  return h(
    'figure',
    { class: isWide ? 'card chart is-wide' : 'card chart' },
    h('figcaption', null, h('h2', null, title), h('p', { class: 'small' }, about)),
    drawing,
    legend,
  );
}
