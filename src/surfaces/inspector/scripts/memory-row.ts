/** Browser script: a memory as a row of a list, and as a hit with the reasons why it was found. */
export const MEMORY_ROW_JS = `
import { ago, excerpt, h, marked, number } from './dom.js';
import { chip, factorBars, meta } from './widgets.js';

/** Ids of those that are about to be erased, as long as that can be taken back. */
export const leaving = new Set();

function about(memory) {
  return meta(
    leaving.has(memory.id) && chip('about to be erased', 'danger'),
    memory.pinned && chip('pinned', 'warm'),
    memory.state !== 'live' && chip(memory.state, 'danger'),
    chip(memory.category),
    memory.agent,
    memory.source.replaceAll('_', ' '),
    ago(memory.updatedAt),
  );
}

function linkOf(memory, isOpen, ...children) {
  return h(
    'a',
    { href: '#memory/' + encodeURIComponent(memory.id), class: leaving.has(memory.id) ? 'item is-leaving' : 'item', 'data-item': true, 'data-id': memory.id, 'aria-current': isOpen ? 'true' : undefined },
    children,
  );
}

/** A row of fixed height. */
export function row(memory, isOpen) {
  if (memory === undefined) return h('div', { class: 'row' }, h('span', { class: 'item is-coming' }, h('span', { class: 'line' }, ' '), h('span', { class: 'small meta' }, ' ')));
  const text = memory.state === 'forgotten' ? '(forgotten)' : excerpt(memory.content, 160);
  return h('div', { class: 'row' }, linkOf(memory, isOpen, h('span', { class: 'line', dir: 'auto' }, text), about(memory)));
}

export function hit(memory, isOpen, question) {
  return h(
    'li',
    null,
    linkOf(
      memory,
      isOpen,
      h('span', { class: 'hit-head' }, h('span', { class: 'line', dir: 'auto' }, marked(excerpt(memory.content), question)), h('span', { class: 'score', title: 'score' }, number(memory.score))),
      about(memory),
      h('span', { class: 'small why' }, memory.explain),
      factorBars(memory),
    ),
  );
}
`;
