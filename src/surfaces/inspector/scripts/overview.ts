/** Browser script: memory in numbers: growth, hit rate and token use over days, and what it is made of. */
export const OVERVIEW_JS = `
import { call } from './api.js';
import { chart } from './charts.js';
import { count, fill, h } from './dom.js';
import { onEvent } from './feed.js';
import { paced } from './paced.js';
import { attempt, bar, empty, heading, select } from './widgets.js';

const RANGES = [['7', 'last 7 days'], ['30', 'last 30 days'], ['90', 'last 90 days'], ['365', 'last year']];
const SHOWN = 8;
const PAUSE_MS = 2000;
const kept = { days: '30' };

const sum = (days, name) => days.reduce((total, day) => total + day[name], 0);
const percent = (value) => (value === null ? '–' : Math.round(value * 100) + ' %');

function tile(name, value, about) {
  return h('div', { class: 'card tile' }, h('p', { class: 'small' }, name), h('p', { class: 'figure' }, value), h('p', { class: 'small' }, about));
}

function tiles({ days, states, pinned, agents }) {
  const recalls = sum(days, 'recalls');
  const prompts = sum(days, 'prompts');
  const tokens = sum(days, 'tokens');
  return h(
    'div',
    { class: 'tiles' },
    tile('Live memories', count(states.live), count(pinned) + ' pinned, ' + count(states.expired) + ' expired'),
    tile('Agents', count(Object.keys(agents).length), 'with live memories'),
    tile('Hit rate', recalls === 0 ? '–' : percent(sum(days, 'hits') / recalls), recalls === 0 ? 'nothing recalled yet' : 'of ' + count(recalls, 'recall')),
    tile('Tokens a prompt', prompts === 0 ? '–' : count(Math.round(tokens / prompts)), prompts === 0 ? 'no prompt yet' : percent(sum(days, 'memoryTokens') / Math.max(1, tokens)) + ' of them memory'),
    tile('Refused writes', count(sum(days, 'blocked')), h('a', { href: '#guard' }, 'review')),
  );
}

function charts({ days }) {
  const names = days.map(({ day }) => day);
  const of = (name) => days.map((day) => day[name]);
  return h(
    'div',
    { class: 'charts' },
    chart({ wide: true, title: 'Growth', about: 'Live memories at the end of each day, and how many were added.', days: names, series: [{ name: 'live', kind: 'area', values: of('live') }, { name: 'added', kind: 'bar', values: of('added'), tone: 'warm' }] }),
    chart({ title: 'Hit rate', about: 'How often a prompt found at least one fitting memory.', days: names, most: 1, text: percent, nothing: 'No prompt asked memory in these days', series: [{ name: 'hit rate', kind: 'line', values: days.map(({ recalls, hits }) => (recalls === 0 ? null : hits / recalls)) }] }),
    chart({ title: 'Token use', about: 'Estimated tokens of all prompts, and the part that is memory.', days: names, nothing: 'No prompt was sent in these days', series: [{ name: 'memory', kind: 'bar', values: of('memoryTokens') }, { name: 'everything else', kind: 'bar', values: days.map(({ tokens, memoryTokens }) => tokens - memoryTokens), tone: 'pale' }] }),
  );
}

function groups(title, counts) {
  const entries = Object.entries(counts);
  const most = Math.max(1, ...entries.map(([, many]) => many));
  const rest = entries.slice(SHOWN).reduce((total, [, many]) => total + many, 0);
  return h(
    'section',
    { class: 'card groups' },
    h('h2', null, title),
    entries.slice(0, SHOWN).map(([name, many]) => bar(name.replaceAll('_', ' '), many, { share: many / most, text: count(many), title: name })),
    rest > 0 && h('p', { class: 'small' }, count(rest) + ' in ' + count(entries.length - SHOWN, 'other')),
  );
}

export function overviewPage() {
  const gone = new AbortController();
  const range = select('Time', RANGES, kept.days, (days) => { kept.days = days; load(); });
  const body = h('div', null, h('p', { class: 'small', role: 'status' }, 'Counting…'));
  const element = h('div', { class: 'sheet' }, heading('Overview', 'Memory in numbers; days are UTC.', range), body);

  async function load() {
    const read = () => call('POST /v1/memory/stats', { body: { days: Number(kept.days) }, signal: gone.signal });
    const stats = await attempt(read, { place: body, again: load });
    if (stats === undefined) return;
    const isEmpty = stats.states.live + stats.states.expired + stats.states.forgotten === 0;
    if (isEmpty) return fill(body, empty('Nothing to count yet', 'Growth, hit rate and token use are drawn here as soon as something is remembered.', 'keepsake memory add "The deploy key rotates every March."'));
    fill(body, tiles(stats), charts(stats), h('div', { class: 'charts three' }, groups('By agent', stats.agents), groups('By source', stats.sources), groups('By category', stats.categories)));
  }

  const reload = paced(load, PAUSE_MS);
  const deaf = onEvent(reload);
  load();
  return { element, leave: () => { deaf(); reload.stop(); gone.abort(); } };
}
`;
