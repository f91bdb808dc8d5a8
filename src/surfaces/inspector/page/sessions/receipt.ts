/** What the model saw in one call, in the order it saw it: each memory with its text and why it was chosen, and what was left out. */
import type { ModelCall, Receipt } from '../api.ts';
import { address } from '../dom/address.ts';
import { type Child, h } from '../dom/elements.ts';
import { count, number, time } from '../dom/format.ts';
import { factorBars, otherFactors } from '../parts/bars.ts';
import { chip } from '../parts/facts.ts';

const TONES = 6;

/** The parts of a prompt as people call them. */
const PART_NAMES: Readonly<Record<string, string>> = {
  clock: 'Date and time',
  memory: 'Memories',
  sections: "Agent's notes",
  soul: 'Character',
  instructions: 'Instructions',
  rules: 'Rules',
  customRules: 'Your own rules',
  persistentMemory: 'Summary of earlier talks',
  history: 'Earlier messages',
  pastKnowledge: 'Earlier results',
  documents: 'Documents',
  task: 'Task',
  progress: 'Tool calls so far',
};
const REASONS: Readonly<Record<string, string>> = {
  budget: 'no room left',
  duplicate: 'already in the prompt',
  threshold: 'not relevant enough',
  'raw session': 'this session uses no memory',
};

const partName = (slot: string): string => (Object.hasOwn(PART_NAMES, slot) ? PART_NAMES[slot]! : slot);
const reasonText = (reason: string): string => (Object.hasOwn(REASONS, reason) ? REASONS[reason]! : reason);

function memoryLink(id: string): HTMLElement {
  return h('a', { href: address('memory', id) }, 'open');
}

type SlotReceipt = Receipt['slots'][number];

function slotNote({ tokens, characters, budget }: SlotReceipt): string {
  const used = `~${count(tokens, 'token')}`;
  return budget === null ? used : `${used}, ${Math.round((characters / budget) * 100)} % of its limit`;
}

/** How the space of a prompt was used, as one bar. */
function usage(used: readonly SlotReceipt[], { total }: Receipt): Child {
  const parts = used.map(({ slot, characters, tokens }, i) => {
    const title = `${partName(slot)}: ${count(characters, 'character')}, about ${count(tokens, 'token')}`;
    const part = h('span', { class: `stack-part tone-${i % TONES}`, title });
    part.style.flexGrow = String(characters);
    return part;
  });
  const label = used.map(({ slot, tokens }) => `${partName(slot)} ${tokens}`).join(', ');
  const sum = `About ${count(total.tokens, 'token')} in ${count(total.messages, 'message')}, in the order the model saw them:`;
  return [
    h('div', { class: 'stack', role: 'img', 'aria-label': label }, parts),
    h('p', { class: 'small' }, sum),
  ];
}

/** A text that was erased since, or that this receipt does not name, is not shown. */
function textOf(id: string | null, texts: ModelCall['texts']): Child {
  const text = id !== null && Object.hasOwn(texts, id) ? texts[id] : undefined;
  if (text !== undefined) return h('p', { class: 'memory-text', dir: 'auto' }, text);
  return id?.startsWith('mem_') ? h('p', { class: 'small' }, '(erased since)') : null;
}

function memoryEntry(memory: Receipt['memories'][number], texts: ModelCall['texts']): HTMLElement {
  const { id, category, kind, score, explain } = memory;
  return h(
    'li',
    null,
    textOf(id, texts),
    h(
      'div',
      { class: 'detail-head' },
      chip(category),
      chip(
        kind === 'standing' ? 'always included' : 'found for this task',
        kind === 'standing' ? 'warm' : '',
      ),
      score !== null && h('span', { class: 'score', title: 'score' }, number(score)),
      memoryLink(id),
    ),
    h('p', { class: 'small' }, explain),
    factorBars(memory),
    otherFactors(memory),
  );
}

function part(slot: SlotReceipt, i: number, { receipt, texts }: ModelCall): HTMLElement {
  const inside = receipt.memories.filter((memory) => memory.slot === slot.slot);
  return h(
    'li',
    { class: 'prompt-part' },
    h(
      'div',
      { class: 'part-head' },
      h('span', { class: `stack-dot tone-${i % TONES}` }),
      h('b', null, partName(slot.slot)),
      h('span', { class: 'small' }, slotNote(slot)),
    ),
    inside.length > 0 &&
      h(
        'ol',
        { class: 'list entries' },
        inside.map((memory) => memoryEntry(memory, texts)),
      ),
    slot.slot === 'documents' &&
      h(
        'ul',
        { class: 'plain' },
        receipt.documents.map((name) => h('li', null, name)),
      ),
  );
}

function leftOut({ receipt, texts }: ModelCall): Child {
  const { dropped } = receipt;
  if (dropped.length === 0) return h('p', { class: 'small' }, 'No candidate was left out.');
  const items = dropped.map(({ id, slot, reason, characters, relevance }) =>
    h(
      'li',
      null,
      textOf(id, texts),
      id !== null && !id.startsWith('mem_') && h('p', null, id),
      h(
        'p',
        { class: 'small' },
        chip(reasonText(reason)),
        ` ${partName(slot)}, ${count(characters, 'character')}`,
        relevance !== null && `, relevance ${number(relevance)}`,
        id?.startsWith('mem_') && [' ', memoryLink(id)],
      ),
    ),
  );
  return [h('h3', null, 'Left out'), h('ol', { class: 'list entries' }, items)];
}

export function promptReceipt(call: ModelCall): HTMLElement {
  const { at, loop, receipt } = call;
  const used = receipt.slots.filter(({ characters }) => characters > 0);
  const known = new Set(used.map(({ slot }) => slot));
  const elsewhere = receipt.memories.filter(({ slot }) => !known.has(slot));
  return h(
    'section',
    { class: 'prompt-call' },
    h(
      'div',
      { class: 'detail-head' },
      h('h3', null, loop === 1 ? 'What the model saw' : `What the model saw in call ${loop}`),
      h('span', { class: 'small' }, receipt.model !== null && `${receipt.model} · `, time(at)),
    ),
    usage(used, receipt),
    h(
      'ol',
      { class: 'plain' },
      used.map((slot, i) => part(slot, i, call)),
    ),
    elsewhere.length > 0 &&
      h(
        'ol',
        { class: 'list entries' },
        elsewhere.map((memory) => memoryEntry(memory, call.texts)),
      ),
    receipt.memories.length === 0 && h('p', { class: 'small' }, 'This prompt contained no memories.'),
    leftOut(call),
  );
}
