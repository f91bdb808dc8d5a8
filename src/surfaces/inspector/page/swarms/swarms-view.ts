/** The runs of swarms, and the one that is open. */
import type { RunRecord } from '../api.ts';
import { call } from '../call.ts';
import { address, goTo } from '../dom/address.ts';
import { fill, h, isInside, markCurrent } from '../dom/elements.ts';
import { ago } from '../dom/format.ts';
import { onEvent } from '../feed/feed.ts';
import { paced } from '../paced.ts';
import { attempt } from '../parts/attempt.ts';
import { button } from '../parts/controls.ts';
import { empty } from '../parts/empty.ts';
import { meta } from '../parts/facts.ts';
import { split } from '../parts/layout.ts';
import { moveInList } from '../parts/move-in-list.ts';
import type { View } from '../view.ts';
import { type RunDetail, runDetail, statusChip } from './run.ts';

const FIRST = 100;
const FURTHER = 4;
const MOST_RUNS = 1_000;
const PAUSE_MS = 150;
const EXAMPLE = `const swarm = client.swarm({ name, agents, lead });
await swarm.run("Compare three databases.");`;

export function swarmsView(): View {
  let limit = FIRST;
  let selected = '';
  let open: RunDetail | undefined;
  const list = h('ol', { class: 'list' });
  const body = h('div', { class: 'finder-body' }, list);
  const more = h('div', { class: 'actions' });
  const { element, detail, setOpen } = split({
    title: 'Swarms',
    about: 'Agents that work on one task, and the memory they share while it runs.',
    label: 'Run',
    isSlim: true,
    finder: [body, more],
  });

  function item(run: RunRecord): HTMLElement {
    const attributes = {
      class: 'item',
      'data-item': true,
      'data-id': run.id,
      href: address('swarms', run.id),
      'aria-current': run.id === selected ? 'true' : undefined,
    };
    const about = meta(statusChip(run), run.swarm, ago(run.startedAt));
    return h('li', null, h('a', attributes, h('span', { class: 'line' }, run.task), about));
  }

  async function load(): Promise<void> {
    const read = () => call('POST /v1/swarm/list', { body: { limit } });
    const runs = await attempt(read, { place: body, again: load });
    if (runs === undefined) return;
    fill(list, runs.map(item));
    fill(more, runs.length === limit && limit < MOST_RUNS && button('Load older runs', loadFurther));
    const about = 'When several agents work on one task, their shared state and messages appear here live.';
    fill(body, runs.length === 0 ? empty('No runs yet', about, EXAMPLE) : list);
    const hint = 'Shows its working memory and messages as they change.';
    if (selected === '') fill(detail, runs.length > 0 && empty('Select a run', hint));
  }

  function loadFurther(): Promise<void> {
    limit = Math.min(MOST_RUNS, limit * FURTHER);
    return load();
  }

  function draw(): void {
    setOpen(selected !== '');
    markCurrent(list.querySelectorAll('a'), ({ dataset }) => dataset.id === selected);
    open = selected === '' ? undefined : runDetail(selected);
    fill(detail, open?.element);
  }

  let isListStale = false;
  const renew = paced(async () => {
    if (isListStale) await load();
    isListStale = false;
    await open?.refresh();
  }, PAUSE_MS);
  const unsubscribe = onEvent((event) => {
    if (!event.type.startsWith('swarm.')) return;
    isListStale ||= event.type.startsWith('swarm.run.');
    if (isListStale || ('run' in event && event.run === selected)) renew();
  });
  load();
  return {
    element,
    show: ([id = '']) => {
      selected = id;
      draw();
      if (id === '') load();
    },
    key: (event, isTyping) => {
      if (event.key === 'Escape' && selected !== '') {
        goTo('swarms');
        return true;
      }
      return !isTyping && !isInside(detail, event) && moveInList(list, event);
    },
    leave: () => {
      unsubscribe();
      renew.stop();
    },
  };
}
