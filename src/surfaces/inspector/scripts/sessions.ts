/** Browser script: sessions and the receipts of their prompts. */
export const SESSIONS_JS = `
import { call } from './api.js';
import { ago, count, fill, h } from './dom.js';
import { feed, onEvent, onFeed } from './feed.js';
import { prompt } from './receipt.js';
import { attempt, button, empty, meta, moveInList, split } from './widgets.js';

const PAGE = 1000;
const FIRST_REACH = 5000;

export function sessionsPage() {
  let reach = FIRST_REACH;
  let chosen = '';
  let isRead = false;
  let isWhole = false;
  const receipts = new Map();
  const list = h('ol', { class: 'list' });
  const body = h('div', { class: 'finder-body' }, list);
  const more = h('div', { class: 'actions' });
  const { element, detail, open } = split({
    title: 'Sessions',
    about: 'What an agent was told, and why: a receipt for every prompt.',
    label: 'Session',
    isSlim: true,
    finder: [body, more],
  });

  function bySession() {
    const sessions = new Map();
    for (const event of [...receipts.values()].sort((a, b) => a.seq - b.seq)) {
      const id = event.session ?? '';
      sessions.set(id, [...(sessions.get(id) ?? []), event]);
    }
    return sessions;
  }

  function item([id, events]) {
    const last = events.at(-1);
    const tokens = events.reduce((sum, { receipt }) => sum + receipt.total.tokens, 0);
    return h(
      'li',
      null,
      h(
        'a',
        { class: 'item', 'data-item': true, href: '#sessions/' + encodeURIComponent(id), 'aria-current': id === chosen ? 'true' : undefined },
        h('span', { class: 'item-head' }, h('b', null, last.agent ?? 'no agent'), h('span', { class: 'small' }, ago(last.at))),
        meta(count(events.length, 'prompt'), '~' + count(tokens, 'token')),
        h('span', { class: 'small' }, h('code', null, id)),
      ),
    );
  }

  function draw() {
    const sessions = bySession();
    if (isRead && sessions.size === 0) fill(body, empty('No session yet', 'When an agent runs, from a program or from a file agents/<name>.md, each of its prompts leaves a receipt here: which memories entered it, why, and what was left out.'));
    else {
      fill(list, [...sessions].toReversed().map(item));
      fill(body, list);
    }
    fill(more, isRead && !isWhole && button('Look further back', () => { reach *= 8; read(); }));
    open(chosen !== '');
    const events = sessions.get(chosen);
    if (chosen === '') return fill(detail, sessions.size > 0 && empty('Choose a session', 'You will see where the room of each prompt went, and why every memory in it was chosen.'));
    fill(
      detail,
      h('div', { class: 'detail-head' }, button('← Back', () => { location.hash = '#sessions'; }, { class: 'back' }), h('code', { class: 'small' }, chosen)),
      events === undefined ? (isRead ? empty('No receipt here', 'This session left none, or it lies further back than was read.') : null) : events.toReversed().map(prompt),
    );
  }

  async function read() {
    isRead = true;
    const first = Math.max(0, feed.latest - reach);
    isWhole = first === 0;
    await attempt(async () => {
      for (let after = first; ; ) {
        const page = await call('GET /v1/events/read', { query: { types: 'session.receipt', after, limit: PAGE } });
        for (const event of page) receipts.set(event.seq, event);
        if (page.length < PAGE) return;
        after = page.at(-1).seq;
      }
    }, { place: body, again: read });
    draw();
  }

  const deaf = onEvent((event) => {
    if (event.type !== 'session.receipt') return;
    receipts.set(event.seq, event);
    draw();
  });
  // Where the newest are is known once the stream has begun.
  const unwatch = onFeed(() => {
    if (feed.latest !== undefined && !isRead) read();
  });
  return {
    element,
    show: ([id = '']) => { chosen = id; draw(); },
    key: (event, isTyping) => {
      if (event.key === 'Escape' && chosen !== '') {
        location.hash = '#sessions';
        return true;
      }
      return !isTyping && !detail.contains(event.target) && moveInList(list, event);
    },
    leave: () => { deaf(); unwatch(); },
  };
}
`;
