/** Facts in a small space: chips, lines of facts, pairs of name and value, tables. */
import { type Child, h } from '../dom/elements.ts';

export type Tone = '' | 'good' | 'warm' | 'danger';

export function chip(text: string, tone: Tone = ''): HTMLElement {
  return h('span', { class: `chip ${tone}` }, text);
}

/** Facts beside each other, with a dot between those that are only text. */
export function meta(...facts: readonly Child[]): HTMLElement {
  const shown = facts.filter((fact) => fact !== null && fact !== undefined && fact !== false);
  return h(
    'span',
    { class: 'small meta' },
    shown.map((fact) => (fact instanceof HTMLElement ? fact : h('span', null, fact))),
  );
}

/** Names and values; empty ones are left out. */
export function pairs(entries: readonly (readonly [name: string, value: Child])[]): HTMLElement {
  const isEmpty = (value: Child) => value === null || value === undefined || value === false || value === '';
  return h(
    'dl',
    null,
    entries
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]) => [h('dt', null, name), h('dd', null, value)]),
  );
}

export function table(head: readonly string[], rows: readonly (readonly Child[])[]): HTMLElement {
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': head.join(', ') },
    h(
      'table',
      null,
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          head.map((name) => h('th', { scope: 'col' }, name)),
        ),
      ),
      h(
        'tbody',
        null,
        rows.map((row) =>
          h(
            'tr',
            null,
            row.map((cell) => h('td', null, cell)),
          ),
        ),
      ),
    ),
  );
}
