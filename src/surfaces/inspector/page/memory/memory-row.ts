/** A memory as a row of the list, and as a search result with the reasons why it was found. */
import type { Hit, Memory } from '../api.ts';
import { address } from '../dom/address.ts';
import { type Child, h } from '../dom/elements.ts';
import { ago, excerpt, number } from '../dom/format.ts';
import { marked } from '../dom/marked.ts';
import { factorBars } from '../parts/bars.ts';
import { chip, meta } from '../parts/facts.ts';
import { sourceName } from './sources.ts';

/** Ids of memories that are about to be erased, as long as that can be undone. */
export const leaving = new Set<string>();

function about(memory: Memory): HTMLElement {
  return meta(
    leaving.has(memory.id) && chip('about to be erased', 'danger'),
    memory.pinned && chip('pinned', 'warm'),
    memory.state !== 'live' && chip(memory.state, 'danger'),
    chip(memory.category),
    memory.agent !== '' && memory.agent,
    memory.user !== null && h('span', { class: 'of-user' }, `user ${memory.user}`),
    sourceName(memory.source),
    ago(memory.updatedAt),
  );
}

/** Shown while several are being selected. */
function checkbox({ id, content }: Memory, isChosen: boolean): HTMLInputElement {
  const input = h('input', {
    ...{ type: 'checkbox', class: 'choose', 'data-choose': id },
    'aria-label': `Select: ${excerpt(content, 60)}`,
  });
  input.checked = isChosen;
  return input;
}

function linkTo({ id }: Memory, isOpen: boolean, ...children: readonly Child[]): HTMLElement {
  return h(
    'a',
    {
      href: address('memory', id),
      class: leaving.has(id) ? 'item is-leaving' : 'item',
      'data-item': true,
      'data-id': id,
      'aria-current': isOpen ? 'true' : undefined,
    },
    children,
  );
}

/** A row of fixed height; one that is still being read is a grey shape. */
export function memoryRow(memory: Memory | undefined, isOpen: boolean, isChosen: boolean): HTMLElement {
  if (memory === undefined) {
    const lines = [h('span', { class: 'line' }, ' '), h('span', { class: 'small meta' }, ' ')];
    return h('div', { class: 'row' }, h('span', { class: 'item is-coming' }, lines));
  }
  const text = memory.state === 'forgotten' ? '(forgotten)' : excerpt(memory.content, 160);
  return h(
    'div',
    { class: 'row' },
    checkbox(memory, isChosen),
    linkTo(memory, isOpen, h('span', { class: 'line', dir: 'auto' }, text), about(memory)),
  );
}

export function memoryHit(
  memory: Hit,
  question: string,
  { isOpen, isChosen }: { readonly isOpen: boolean; readonly isChosen: boolean },
): HTMLElement {
  return h(
    'li',
    null,
    checkbox(memory, isChosen),
    linkTo(
      memory,
      isOpen,
      h(
        'span',
        { class: 'hit-head' },
        h('span', { class: 'line', dir: 'auto' }, marked(excerpt(memory.content), question)),
        h('span', { class: 'score', title: 'score' }, number(memory.score)),
      ),
      about(memory),
      h('span', { class: 'small why' }, memory.explain),
      factorBars(memory),
    ),
  );
}
