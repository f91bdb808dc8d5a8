/** The receipt of one prompt: what it contained, why, what it cost, and what was left out. */
import type { Receipt } from '../api.ts';
import { address } from '../dom/address.ts';
import { type Child, h } from '../dom/elements.ts';
import { count, number, time } from '../dom/format.ts';
import { factorBars } from '../parts/bars.ts';
import { chip, table } from '../parts/facts.ts';

const TONES = 6;

function memoryLink(id: string): HTMLElement {
  return h('a', { href: address('memory', id) }, h('code', null, id.slice(-6)));
}

type SlotReceipt = Receipt['slots'][number];

function slotNote({ tokens, entries, characters, budget }: SlotReceipt): string {
  const used = `~${count(tokens, 'token')}, ${count(entries, 'entry', 'entries')}`;
  return budget === null ? used : `${used}, ${Math.round((characters / budget) * 100)} % full`;
}

/** How the space of a prompt was used, as one bar. */
function usage({ slots, total }: Receipt): Child {
  const used = slots.filter(({ characters }) => characters > 0);
  const parts = used.map(({ slot, characters, tokens }, i) => {
    const title = `${slot}: ${count(characters, 'character')}, about ${count(tokens, 'token')}`;
    const part = h('span', { class: `stack-part tone-${i % TONES}`, title });
    part.style.flexGrow = String(characters);
    return part;
  });
  const label = used.map(({ slot, tokens }) => `${slot} ${tokens}`).join(', ');
  const sum = `Total: ${count(total.characters, 'character')}, about ${count(total.tokens, 'token')} in ${count(total.messages, 'message')}.`;
  return [
    h('div', { class: 'stack', role: 'img', 'aria-label': label }, parts),
    h(
      'ul',
      { class: 'stack-key' },
      used.map((slot, i) =>
        h(
          'li',
          null,
          h('span', { class: `stack-dot tone-${i % TONES}` }),
          h('b', null, slot.slot),
          h('span', { class: 'small' }, slotNote(slot)),
        ),
      ),
    ),
    h('p', { class: 'small' }, sum),
  ];
}

function memoryEntry(memory: Receipt['memories'][number]): HTMLElement {
  const { id, category, kind, slot, characters, score, explain } = memory;
  return h(
    'li',
    null,
    h(
      'div',
      { class: 'detail-head' },
      memoryLink(id),
      chip(category),
      chip(kind, kind === 'standing' ? 'warm' : ''),
      h('span', { class: 'small' }, `${slot} · ${count(characters, 'character')}`),
      score !== null && h('span', { class: 'score' }, number(score)),
    ),
    h('p', { class: 'small' }, explain),
    factorBars(memory),
  );
}

function memories({ memories: all }: Receipt): HTMLElement {
  if (all.length === 0) return h('p', { class: 'small' }, 'This prompt contained no memories.');
  return h('ol', { class: 'list entries' }, all.map(memoryEntry));
}

function dropped({ dropped: all }: Receipt): Child {
  if (all.length === 0) return null;
  const rows = all.map(({ id, slot, reason, characters, relevance }) => [
    id?.startsWith('mem_') ? memoryLink(id) : (id ?? '–'),
    slot,
    chip(reason),
    count(characters),
    number(relevance),
  ]);
  return [h('h3', null, 'Left out'), table(['what', 'slot', 'reason', 'characters', 'relevance'], rows)];
}

function documents({ documents: all }: Receipt): Child {
  if (all.length === 0) return null;
  const items = all.map((name) => h('li', null, name));
  return [h('h3', null, 'Documents'), h('ul', { class: 'plain' }, items)];
}

/** `loop`: number of the prompt within its session. */
export function promptReceipt(loop: number, at: number, receipt: Receipt): HTMLElement {
  const { model } = receipt;
  return h(
    'article',
    { class: 'card prompt' },
    h(
      'div',
      { class: 'detail-head' },
      h('h2', null, `Prompt ${loop}`),
      h('span', { class: 'small' }, model !== null && `${model} · `, time(at)),
    ),
    usage(receipt),
    h('h3', null, 'Memories'),
    memories(receipt),
    documents(receipt),
    dropped(receipt),
  );
}
