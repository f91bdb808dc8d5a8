/** Sessions, and the receipts of their prompts. */
import type { KeepsakeEvent, Receipt } from '../api.ts';
import { call } from '../call.ts';
import { address, goTo } from '../dom/address.ts';
import { fill, h, isInside } from '../dom/elements.ts';
import { ago, count } from '../dom/format.ts';
import { feed, onEvent, onFeed } from '../feed/feed.ts';
import { attempt } from '../parts/attempt.ts';
import { backButton, button } from '../parts/controls.ts';
import { empty } from '../parts/empty.ts';
import { meta } from '../parts/facts.ts';
import { split } from '../parts/layout.ts';
import { moveInList } from '../parts/move-in-list.ts';
import type { View } from '../view.ts';
import { promptReceipt } from './receipt.ts';

const PAGE = 1_000;
/** How many events are looked through at first, and how many times as many each time more are asked for. */
const FIRST_REACH = 5_000;
const FURTHER = 8;

type ReceiptEvent = Extract<KeepsakeEvent, { type: 'session.receipt' }>;

const receiptOf = (event: ReceiptEvent) => event.receipt as unknown as Receipt;
const isReceipt = (event: KeepsakeEvent): event is ReceiptEvent => event.type === 'session.receipt';

export function sessionsView(): View {
  let reach = FIRST_REACH;
  let selected = '';
  let isRead = false;
  let isWhole = false;
  const receipts = new Map<number, ReceiptEvent>();
  const list = h('ol', { class: 'list' });
  const body = h('div', { class: 'finder-body' }, list);
  const more = h('div', { class: 'actions' });
  const { element, detail, setOpen } = split({
    title: 'Sessions',
    about: 'A receipt for every prompt: what it contained, and why.',
    label: 'Session',
    isSlim: true,
    finder: [body, more],
  });

  /** Oldest first, and so are the events of each. */
  function bySession(): Map<string, ReceiptEvent[]> {
    const inOrder = [...receipts.values()].sort((a, b) => a.seq - b.seq);
    return Map.groupBy(inOrder, ({ session = '' }) => session);
  }

  function item([id, events]: readonly [string, readonly ReceiptEvent[]]): HTMLElement {
    const last = events.at(-1);
    const tokens = events.reduce((sum, event) => sum + receiptOf(event).total.tokens, 0);
    const attributes = {
      class: 'item',
      'data-item': true,
      href: address('sessions', id),
      'aria-current': id === selected ? 'true' : undefined,
    };
    return h(
      'li',
      null,
      h(
        'a',
        attributes,
        h(
          'span',
          { class: 'item-head' },
          h('b', null, last?.agent ?? 'no agent'),
          h('span', { class: 'small' }, ago(last?.at)),
        ),
        meta(count(events.length, 'prompt'), `~${count(tokens, 'token')}`),
        h('span', { class: 'small' }, h('code', null, id)),
      ),
    );
  }

  function drawList(sessions: ReadonlyMap<string, readonly ReceiptEvent[]>): void {
    if (isRead && sessions.size === 0) {
      const about =
        'Each prompt of an agent, started from a program or from agents/<name>.md, leaves a receipt here: which memories it contained, why, and what was left out.';
      fill(body, empty('No sessions yet', about));
    } else {
      fill(list, [...sessions].toReversed().map(item));
      fill(body, list);
    }
    fill(more, isRead && !isWhole && button('Load older sessions', readFurther));
  }

  function drawReceipts(events: readonly ReceiptEvent[] | undefined): void {
    const nothing = empty('No receipts', 'This session left none, or they are older than what was loaded.');
    const shown = events?.toReversed().map((event) => promptReceipt(event.loop, event.at, receiptOf(event)));
    fill(
      detail,
      h(
        'div',
        { class: 'detail-head' },
        backButton(() => goTo('sessions')),
        h('code', { class: 'small' }, selected),
      ),
      shown ?? (isRead && nothing),
    );
  }

  function draw(): void {
    const sessions = bySession();
    drawList(sessions);
    setOpen(selected !== '');
    if (selected === '') {
      const hint = 'Shows how each prompt used its space, and why each memory was chosen.';
      fill(detail, sessions.size > 0 && empty('Select a session', hint));
    } else drawReceipts(sessions.get(selected));
  }

  async function read(): Promise<void> {
    isRead = true;
    const first = Math.max(0, (feed.latest ?? 0) - reach);
    isWhole = first === 0;
    const readPages = async () => {
      for (let after = first; ; ) {
        const query = { types: 'session.receipt', after, limit: PAGE } as const;
        const page = await call('GET /v1/events/read', { query });
        for (const event of page.filter(isReceipt)) receipts.set(event.seq, event);
        const last = page.at(-1);
        if (page.length < PAGE || last === undefined) return;
        after = last.seq;
      }
    };
    await attempt(readPages, { place: body, again: read });
    draw();
  }

  function readFurther(): Promise<void> {
    reach *= FURTHER;
    return read();
  }

  const unsubscribe = onEvent((event) => {
    if (!isReceipt(event)) return;
    receipts.set(event.seq, event);
    draw();
  });
  // Where the newest are is known once the stream has begun.
  const unwatch = onFeed(() => {
    if (feed.latest !== undefined && !isRead) read();
  });
  return {
    element,
    show: ([id = '']) => {
      selected = id;
      draw();
    },
    key: (event, isTyping) => {
      if (event.key === 'Escape' && selected !== '') {
        goTo('sessions');
        return true;
      }
      return !isTyping && !isInside(detail, event) && moveInList(list, event);
    },
    leave: () => {
      unsubscribe();
      unwatch();
    },
  };
}
