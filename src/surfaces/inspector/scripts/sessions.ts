/** Browser script: the receipts of sessions: what entered each prompt, why, what it cost, and what was left out. */
export const SESSIONS_JS = `
import { call } from './api.js';
import { fill, h, number, time } from './dom.js';
import { feed, onEvent, onFeed } from './feed.js';
import { attempt, bar, button, factorBars, table } from './widgets.js';

const PAGE = 1000;

function memoryLink(id) {
  return id === null ? '–' : h('a', { href: '#memory/' + encodeURIComponent(id) }, id);
}

function slots({ slots: all, total }) {
  const most = Math.max(1, ...all.map(({ characters }) => characters));
  return table(
    ['slot', 'share', 'tokens', 'budget (characters)', 'entries'],
    [
      ...all.map(({ slot, characters, tokens, budget, entries }) => [
        slot,
        bar('', characters, { share: characters / most, text: characters + ' chars' }),
        '~' + tokens,
        budget ?? '–',
        entries,
      ]),
      ['total', total.characters + ' chars', '~' + total.tokens, '', total.messages + ' messages'],
    ],
  );
}

function memories(receipt) {
  if (receipt.memories.length === 0) return h('p', { class: 'small' }, 'No memory entered this prompt.');
  return table(
    ['memory', 'slot', 'category', 'score', 'why'],
    receipt.memories.map((memory) => [
      memoryLink(memory.id),
      memory.slot,
      memory.category + ', ' + memory.source,
      number(memory.score),
      h('div', null, memory.explain, factorBars(memory)),
    ]),
  );
}

function dropped(receipt) {
  if (receipt.dropped.length === 0) return null;
  return [
    h('h3', null, 'Left out'),
    table(
      ['what', 'slot', 'reason', 'characters', 'relevance'],
      receipt.dropped.map(({ id, slot, reason, characters, relevance }) => [id?.startsWith('mem_') ? memoryLink(id) : id, slot, reason, characters, number(relevance)]),
    ),
  ];
}

function prompt({ loop, at, receipt }) {
  return h(
    'article',
    { class: 'card' },
    h('h2', null, 'Prompt ' + loop + ' ', h('span', { class: 'small' }, receipt.model ?? '', ' ', time(at))),
    slots(receipt),
    h('h3', null, 'Memories'),
    memories(receipt),
    receipt.documents.length > 0 && [h('h3', null, 'Documents'), h('ul', null, receipt.documents.map((name) => h('li', null, name)))],
    dropped(receipt),
  );
}

export function sessionsPage() {
  let reach = 5000;
  let chosen = '';
  let isRead = false;
  let receipts = new Map();
  const list = h('ol', { class: 'list' });
  const status = h('p', { class: 'small', role: 'status' });
  const more = h('div', { class: 'actions' });
  const detail = h('section', { class: 'detail', 'aria-label': 'Session' });
  const element = h('div', { class: 'split' }, h('section', { class: 'finder' }, status, list, more), detail);

  function bySession() {
    const sessions = new Map();
    for (const event of [...receipts.values()].sort((a, b) => a.seq - b.seq)) {
      const id = event.session ?? '';
      sessions.set(id, [...(sessions.get(id) ?? []), event]);
    }
    return sessions;
  }

  function draw() {
    const sessions = bySession();
    fill(status, sessions.size === 0 ? 'No session has a receipt yet. Run an agent, for example with "keepsake run".' : 'Sessions, newest first');
    fill(
      list,
      [...sessions].toReversed().map(([id, events]) => {
        const last = events.at(-1);
        return h(
          'li',
          null,
          h(
            'a',
            { class: 'memory', href: '#sessions/' + encodeURIComponent(id), 'aria-current': id === chosen ? 'true' : undefined },
            h('span', { class: 'line' }, (last.agent ?? 'no agent') + ', ' + events.length + (events.length === 1 ? ' prompt' : ' prompts')),
            h('span', { class: 'small' }, id + ' · ', time(last.at)),
          ),
        );
      }),
    );
    const start = feed.latest - reach;
    fill(more, start > 0 && button('Look further back', () => { reach *= 8; read(); }));
    element.classList.toggle('is-open', chosen !== '');
    const events = sessions.get(chosen);
    fill(
      detail,
      chosen !== '' && button('← Back', () => { location.hash = '#sessions'; }, { class: 'back' }),
      chosen !== '' && events === undefined && h('p', null, 'There is no receipt of this session here.'),
      (events ?? []).toReversed().map(prompt),
    );
  }

  async function read() {
    isRead = true;
    await attempt(async () => {
      for (let after = Math.max(0, feed.latest - reach); ; ) {
        const page = await call('GET /v1/events/read', { query: { types: 'session.receipt', after, limit: PAGE } });
        for (const event of page) receipts.set(event.seq, event);
        if (page.length < PAGE) return;
        after = page.at(-1).seq;
      }
    });
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
    show: (id) => { chosen = id; draw(); },
    key: (event) => event.key === 'Escape' && chosen !== '' && ((location.hash = '#sessions'), true),
    leave: () => { deaf(); unwatch(); },
  };
}
`;
