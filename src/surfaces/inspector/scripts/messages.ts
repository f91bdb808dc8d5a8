/** Browser script: messages of conversations and swarms, one below the other, as text. */
export const MESSAGES_JS = `
import { clock, day, h, marked } from './dom.js';

const LONG = 2000;

function part(each) {
  if (typeof each === 'string') return each;
  if (each.type === 'text') return each.text;
  return JSON.stringify(each, null, 2);
}

function textOf(content) {
  return typeof content === 'string' ? content : Array.isArray(content) ? content.map(part).join('\\n') : JSON.stringify(content, null, 2);
}

function kindOf(role) {
  return { user: 'user', system: 'system', tool: 'tool' }[role.toLowerCase()] ?? 'agent';
}

export function message({ role, content, at, id, metadata = {} }, { to, question = '' } = {}) {
  const text = textOf(content);
  const kind = metadata.summary === true ? 'summary' : kindOf(role);
  const body = h('div', { class: 'said' }, marked(text, question));
  return h(
    'li',
    { class: 'message', 'data-kind': kind, 'data-message': id },
    h('p', { class: 'small' }, h('b', null, kind === 'summary' ? 'Summary' : role), to && [' to ', h('b', null, to)], ' ', clock(at)),
    text.length > LONG ? h('details', null, h('summary', null, text.slice(0, 300) + '…'), body) : body,
  );
}

/** With a line wherever a new day begins, and wherever a compaction ended. */
export function messages(list, { compactedUpTo = 0, question, to } = {}) {
  const out = [];
  let last;
  let wasCompacted = list.length > 0 && (list[0].seq ?? Infinity) <= compactedUpTo;
  for (const each of list) {
    const isCompacted = (each.seq ?? Infinity) <= compactedUpTo;
    if (wasCompacted && !isCompacted) out.push(h('li', { class: 'divider strong' }, 'Up to here a summary stands for it in MEMORY.md; the log keeps all'));
    wasCompacted = isCompacted;
    if (day(each.at) !== last) {
      last = day(each.at);
      out.push(h('li', { class: 'divider' }, last));
    }
    out.push(message(each, { question, to: to?.(each) }));
  }
  return out;
}
`;
