/** A JSON value as a tree that can be folded. */
import type { JsonValue } from '../api.ts';
import { h } from '../dom/elements.ts';
import { count } from '../dom/format.ts';

export function jsonTree(value: JsonValue, name: string): HTMLElement {
  const label = h('span', { class: 'json-key' }, name, ': ');
  if (value === null || typeof value !== 'object') {
    const kind = value === null ? 'null' : typeof value;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return h('div', { class: 'json' }, label, h('span', { class: `json-${kind}` }, text));
  }
  const entries = Object.entries(value);
  const size = Array.isArray(value)
    ? count(entries.length, 'entry', 'entries')
    : count(entries.length, 'key');
  return h(
    'details',
    { class: 'json', open: true },
    h('summary', null, label, h('span', { class: 'small' }, size)),
    entries.map(([key, each]) => jsonTree(each, key)),
  );
}
