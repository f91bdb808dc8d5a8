/** Browser script: the receipt of one prompt: what entered it, why, what it cost, and what was left out. */
export const RECEIPT_JS = `
import { count, h, number, time } from './dom.js';
import { chip, factorBars, table } from './widgets.js';

function memoryLink(id) {
  return id === null ? '–' : h('a', { href: '#memory/' + encodeURIComponent(id) }, h('code', null, id.slice(-6)));
}

/** Where the room of a prompt went, as one bar. */
function share({ slots, total }) {
  const used = slots.filter(({ characters }) => characters > 0);
  const parts = used.map(({ slot, characters, tokens }, i) => {
    const part = h('span', { class: 'stack-part tone-' + (i % 6), title: slot + ': ' + count(characters, 'character') + ', about ' + count(tokens, 'token') });
    part.style.flexGrow = characters;
    return part;
  });
  return [
    h('div', { class: 'stack', role: 'img', 'aria-label': used.map(({ slot, tokens }) => slot + ' ' + tokens).join(', ') }, parts),
    h(
      'ul',
      { class: 'stack-key' },
      used.map(({ slot, characters, tokens, budget, entries }, i) =>
        h(
          'li',
          null,
          h('span', { class: 'stack-dot tone-' + (i % 6) }),
          h('b', null, slot),
          h('span', { class: 'small' }, '~' + count(tokens, 'token') + ', ' + count(entries, 'entry', 'entries') + (budget === null ? '' : ', ' + Math.round((characters / budget) * 100) + ' % full')),
        ),
      ),
    ),
    h('p', { class: 'small' }, 'Together ' + count(total.characters, 'character') + ', about ' + count(total.tokens, 'token') + ' in ' + count(total.messages, 'message') + '.'),
  ];
}

function memories(receipt) {
  if (receipt.memories.length === 0) return h('p', { class: 'small' }, 'No memory entered this prompt.');
  return h(
    'ol',
    { class: 'list entries' },
    receipt.memories.map((memory) =>
      h(
        'li',
        null,
        h('div', { class: 'detail-head' }, memoryLink(memory.id), chip(memory.category), chip(memory.kind, memory.kind === 'standing' ? 'warm' : ''), h('span', { class: 'small' }, memory.slot + ' · ' + count(memory.characters, 'character')), memory.score !== null && h('span', { class: 'score' }, number(memory.score))),
        h('p', { class: 'small' }, memory.explain),
        factorBars(memory),
      ),
    ),
  );
}

function dropped(receipt) {
  if (receipt.dropped.length === 0) return null;
  return [
    h('h3', null, 'Left out'),
    table(
      ['what', 'slot', 'reason', 'characters', 'relevance'],
      receipt.dropped.map(({ id, slot, reason, characters, relevance }) => [id?.startsWith('mem_') ? memoryLink(id) : (id ?? '–'), slot, chip(reason), count(characters), number(relevance)]),
    ),
  ];
}

export function prompt({ loop, at, receipt }) {
  return h(
    'article',
    { class: 'card prompt' },
    h('div', { class: 'detail-head' }, h('h2', null, 'Prompt ' + loop), h('span', { class: 'small' }, receipt.model ?? '', receipt.model ? ' · ' : '', time(at))),
    share(receipt),
    h('h3', null, 'Memories'),
    memories(receipt),
    receipt.documents.length > 0 && [h('h3', null, 'Documents'), h('ul', { class: 'plain' }, receipt.documents.map((name) => h('li', null, name)))],
    dropped(receipt),
  );
}
`;
