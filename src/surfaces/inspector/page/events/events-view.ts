/** What happens in the workspace, newest first, as it happens. */
import type { KeepsakeEvent } from '../api.ts';
import { fill, h } from '../dom/elements.ts';
import { clock, count, day } from '../dom/format.ts';
import { feed, hasEarlier, onEvent, onFeed, readEarlier } from '../feed/feed.ts';
import { Filters } from '../filters.ts';
import { attempt } from '../parts/attempt.ts';
import { button, segments } from '../parts/controls.ts';
import { empty } from '../parts/empty.ts';
import { meta } from '../parts/facts.ts';
import { heading } from '../parts/layout.ts';
import { moveInList } from '../parts/move-in-list.ts';
import type { View } from '../view.ts';
import { GROUPS, type Group, groupOf, sentence, target } from './describe.ts';

const SHOWN = 300;
const kept = new Filters('events', { kind: 'all', text: '' });

/** Without an agent, the owner of the workspace did it. */
const actor = ({ agent = 'owner' }: KeepsakeEvent) => agent;

function entry(event: KeepsakeEvent, isNew: boolean): HTMLElement {
  const link = target(event);
  return h(
    'li',
    {
      class: isNew ? 'event is-new' : 'event',
      'data-group': event.type === 'memory.blocked' ? 'danger' : groupOf(event),
      'data-seq': event.seq,
    },
    clock(event.at),
    h(
      'div',
      null,
      h('p', null, h('b', null, actor(event)), ' ', sentence(event)),
      meta(
        event.user !== undefined && `user ${event.user}`,
        h('code', null, event.type),
        `via ${event.via}`,
        `#${event.seq}`,
      ),
    ),
    link !== undefined && h('a', { href: link.href, class: 'quiet-link', 'data-item': true }, link.text),
  );
}

function daySection([name, events]: readonly [string, readonly KeepsakeEvent[]]): HTMLElement {
  const entries = events.map((event) => entry(event, false));
  return h('section', null, h('h2', null, name), h('ol', { 'aria-label': `${name}, newest first` }, entries));
}

function matches(event: KeepsakeEvent): boolean {
  const { kind, text: typed } = kept.values;
  if (kind !== 'all' && groupOf(event) !== kind) return false;
  const word = typed.trim().toLowerCase();
  return [actor(event), event.user ?? '', event.type, sentence(event)].some((text) =>
    text.toLowerCase().includes(word),
  );
}

function nothing(): HTMLElement {
  const { length } = feed.events;
  if (length > 0) {
    return empty('No matching events', `None of the last ${count(length, 'event')} match the filters above.`);
  }
  return empty(
    'No events yet',
    'Every write, recall, refusal and session appears here as it happens. Try it from another terminal:',
    'keepsake memory add "Hello from another process."',
  );
}

export function eventsView(): View {
  kept.read();
  let drawn = 0;
  let most = SHOWN;
  /** The server has removed everything that is older than the oldest event here. */
  let isAll = false;
  const text: HTMLInputElement = h('input', {
    type: 'search',
    placeholder: 'agent, user, type or word',
    'aria-label': 'Filter events',
    value: kept.values.text,
    on: { input: () => filter({ text: text.value }) },
  });
  const tabs = h('div', { class: 'segments', role: 'group', 'aria-label': 'Kind' });
  const list = h('div', { class: 'timeline' });
  const past = h('div', { class: 'actions center' });
  const element = h(
    'div',
    { class: 'sheet' },
    heading('Events', 'Writes, recalls, refusals and sessions of all processes, as they happen.'),
    h('div', { class: 'toolbar' }, tabs, text),
    list,
    past,
  );

  function filter(change: Partial<typeof kept.values>): void {
    kept.set(change);
    draw();
  }

  async function showEarlier(): Promise<void> {
    most += SHOWN;
    const read = await attempt(readEarlier);
    isAll = read === 0;
    if (isAll) draw();
  }

  function draw(): void {
    fill(
      tabs,
      segments(GROUPS, kept.values.kind as Group, (kind) => filter({ kind })),
    );
    const shown = feed.events.filter(matches).slice(-most).toReversed();
    drawn = shown.length;
    fill(past, !isAll && hasEarlier() && button('Show earlier events', showEarlier));
    fill(list, drawn === 0 ? nothing() : [...Map.groupBy(shown, ({ at }) => day(at))].map(daySection));
  }

  const unsubscribe = onEvent((event) => {
    if (!matches(event)) return;
    const first = list.querySelector('ol');
    const isToday = list.querySelector('h2')?.textContent === day(event.at);
    if (drawn === 0 || drawn >= most || first === null || !isToday) draw();
    else {
      first.prepend(entry(event, true));
      drawn++;
    }
  });
  const unwatch = onFeed(draw);
  return {
    element,
    show: () => {
      if (!kept.read()) return;
      text.value = kept.values.text;
      draw();
    },
    key: (event, isTyping) => !isTyping && moveInList(list, event),
    leave: () => {
      unsubscribe();
      unwatch();
    },
  };
}
