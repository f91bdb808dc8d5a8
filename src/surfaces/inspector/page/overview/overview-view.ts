/** Memory in numbers: growth, hit rate and token use by day, and what the memories are about. */
import type { DayStats, MemoryStats } from '../api.ts';
import { call } from '../call.ts';
import { type Child, fill, h } from '../dom/elements.ts';
import { count, words } from '../dom/format.ts';
import { onEvent } from '../feed/feed.ts';
import { Filters } from '../filters.ts';
import { sourceName } from '../memory/sources.ts';
import { paced } from '../paced.ts';
import { attempt } from '../parts/attempt.ts';
import { bar } from '../parts/bars.ts';
import { choose, type Option, select } from '../parts/controls.ts';
import { empty } from '../parts/empty.ts';
import { heading } from '../parts/layout.ts';
import type { View } from '../view.ts';
import { chart } from './chart.ts';

const RANGES: readonly Option[] = [
  ['7', 'last 7 days'],
  ['30', 'last 30 days'],
  ['90', 'last 90 days'],
  ['365', 'last year'],
];
const SHOWN_GROUPS = 8;
const PAUSE_MS = 2_000;
const kept = new Filters('overview', { days: '30' });
const shownDays = () => RANGES.find(([days]) => days === kept.values.days)?.[0] ?? '30';

type Figure = Exclude<keyof DayStats, 'day'>;

const sum = (days: readonly DayStats[], name: Figure) => days.reduce((total, day) => total + day[name], 0);
const percent = (share: number) => `${Math.round(share * 100)} %`;

function tile(name: string, value: string, about: Child): HTMLElement {
  return h(
    'div',
    { class: 'card tile' },
    h('p', { class: 'small' }, name),
    h('p', { class: 'figure' }, value),
    h('p', { class: 'small' }, about),
  );
}

function tiles({ days, states, pinned, agents }: MemoryStats): HTMLElement {
  const recalls = sum(days, 'recalls');
  const prompts = sum(days, 'prompts');
  const tokens = sum(days, 'tokens');
  const memoryShare = sum(days, 'memoryTokens') / Math.max(1, tokens);
  return h(
    'div',
    { class: 'tiles' },
    tile('Live memories', count(states.live), `${count(pinned)} pinned, ${count(states.expired)} expired`),
    tile('Agents', count(Object.keys(agents).length), 'with live memories'),
    tile(
      'Hit rate',
      recalls === 0 ? '–' : percent(sum(days, 'hits') / recalls),
      recalls === 0 ? 'nothing recalled yet' : `of ${count(recalls, 'recall')}`,
    ),
    tile(
      'Tokens per prompt',
      prompts === 0 ? '–' : count(Math.round(tokens / prompts)),
      prompts === 0 ? 'no prompts yet' : `${percent(memoryShare)} of them memory`,
    ),
    tile('Refused writes', count(sum(days, 'blocked')), h('a', { href: '#guard' }, 'review')),
  );
}

function charts({ days: all }: MemoryStats): HTMLElement {
  const days = all.map(({ day }) => day);
  const of = (name: Figure) => all.map((day) => day[name]);
  const growth = chart({
    days,
    isWide: true,
    title: 'Growth',
    about: 'Live memories at the end of each day, and how many were added.',
    series: [
      { name: 'live', kind: 'area', values: of('live') },
      { name: 'added', kind: 'bar', values: of('added'), tone: 'warm' },
    ],
  });
  const rates = all.map(({ recalls, hits }) => (recalls === 0 ? null : hits / recalls));
  const hitRate = chart({
    days,
    title: 'Hit rate',
    about: 'Share of recalls that found at least one matching memory.',
    nothing: 'No recalls in this period',
    most: 1,
    text: percent,
    series: [{ name: 'hit rate', kind: 'line', values: rates }],
  });
  const others = all.map(({ tokens, memoryTokens }) => tokens - memoryTokens);
  const tokenUse = chart({
    days,
    title: 'Token use',
    about: 'Estimated tokens of all prompts, and how many of them are memory.',
    nothing: 'No prompts in this period',
    series: [
      { name: 'memory', kind: 'bar', values: of('memoryTokens') },
      { name: 'everything else', kind: 'bar', values: others, tone: 'pale' },
    ],
  });
  return h('div', { class: 'charts' }, growth, hitRate, tokenUse);
}

function groups(
  title: string,
  counts: Readonly<Record<string, number>>,
  nameOf: (name: string) => string = words,
): HTMLElement {
  const entries = Object.entries(counts);
  const most = Math.max(1, ...entries.map(([, many]) => many));
  const rest = entries.slice(SHOWN_GROUPS).reduce((total, [, many]) => total + many, 0);
  return h(
    'section',
    { class: 'card groups' },
    h('h2', null, title),
    entries
      .slice(0, SHOWN_GROUPS)
      .map(([name, many]) => bar(nameOf(name), many, { share: many / most, text: count(many), title: name })),
    rest > 0 &&
      h('p', { class: 'small' }, `${count(rest)} in ${count(entries.length - SHOWN_GROUPS, 'other')}`),
  );
}

export function overviewView(): View {
  const gone = new AbortController();
  kept.read();
  const range = select('Time', RANGES, shownDays(), (days) => {
    kept.set({ days });
    return load();
  });
  const body = h('div', null, h('p', { class: 'small', role: 'status' }, 'Loading…'));
  const element = h(
    'div',
    { class: 'sheet' },
    heading('Overview', 'Memory in numbers. Days are in UTC.', range),
    body,
  );

  async function load(): Promise<void> {
    const read = () =>
      call('POST /v1/memory/stats', { body: { days: Number(shownDays()) }, signal: gone.signal });
    const stats = await attempt(read, { place: body, again: load });
    if (stats === undefined) return;
    const { live, expired, forgotten } = stats.states;
    if (live + expired + forgotten === 0) {
      const about = 'Growth, hit rate and token use are shown here once memories are stored.';
      return fill(
        body,
        empty('No data yet', about, 'keepsake memory add "The deploy key rotates every March."'),
      );
    }
    const byGroup = h(
      'div',
      { class: 'charts three' },
      groups('By agent', stats.agents),
      groups('By source', stats.sources, sourceName),
      groups('By category', stats.categories),
    );
    fill(body, tiles(stats), charts(stats), byGroup);
  }

  const reload = paced(load, PAUSE_MS);
  const unsubscribe = onEvent(reload);
  load();
  return {
    element,
    show: () => {
      if (!kept.read()) return;
      choose(range, shownDays());
      load();
    },
    leave: () => {
      unsubscribe();
      reload.stop();
      gone.abort();
    },
  };
}
