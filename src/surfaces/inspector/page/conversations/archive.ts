/** One archived transcript: read, compared with MEMORY.md or another archive, and restored. */
import type { ArchiveSummary } from '../api.ts';
import { call } from '../call.ts';
import { type Child, fill, h } from '../dom/elements.ts';
import { count, time } from '../dom/format.ts';
import { ask } from '../parts/ask.ts';
import { attempt } from '../parts/attempt.ts';
import { button, type Option, select } from '../parts/controls.ts';
import { toast } from '../parts/toasts.ts';

/** Lines that only one side has; the sign at the start tells them apart without colours. */
function diff(lines: readonly string[]): HTMLElement {
  if (lines.length === 0) return h('p', { class: 'small' }, 'No differences.');
  const kind = (line: string) => (line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : '');
  return h(
    'pre',
    { class: 'diff' },
    lines.map((line) => h('span', { class: kind(line) }, `${line}\n`)),
  );
}

/** What an archive is compared with: nothing, `MEMORY.md`, or the name of another one. */
export interface Comparison {
  readonly with: string;
  readonly keep: (other: string) => void;
}

/** As the address names it. */
const CURRENT = 'MEMORY.md';

interface ArchiveContext {
  readonly comparison: Comparison;
  readonly all: readonly ArchiveSummary[];
  /** Called when MEMORY.md, and with it the list of archives, has changed. */
  readonly changed: () => unknown;
}

export function archive(
  agent: string,
  summary: ArchiveSummary,
  { all, changed, comparison }: ArchiveContext,
): Child {
  const { name, messages, characters, firstAt, lastAt } = summary;
  let other = comparison.with === CURRENT ? '' : comparison.with;
  const place = h('div', null);

  async function read(): Promise<void> {
    comparison.keep('');
    const found = await attempt(() => call('POST /v1/archive/get', { agent, body: { name } }), {
      place,
      again: read,
    });
    if (found !== undefined) fill(place, h('pre', { class: 'content' }, found.text));
  }

  async function compare(): Promise<void> {
    comparison.keep(other === '' ? CURRENT : other);
    const body = { from: name, to: other === '' ? undefined : other };
    const lines = await attempt(() => call('POST /v1/archive/diff', { agent, body }), {
      place,
      again: compare,
    });
    if (lines === undefined) return;
    const legend = `− only in ${name}, + only in ${other === '' ? 'the current MEMORY.md' : other}`;
    fill(place, h('p', { class: 'small' }, legend), diff(lines));
  }

  const restoreArchive = (archived: string) =>
    attempt(() => call('POST /v1/archive/restore', { agent, body: { name: archived } }));

  async function restore(): Promise<void> {
    const question = `Restore this transcript as the MEMORY.md of ${agent}? The current one is archived first.`;
    if (!(await ask(question, 'Restore'))) return;
    const restored = await restoreArchive(name);
    if (restored === undefined) return;
    const { archive: replaced } = restored;
    const undo = async (previous: string) => {
      if ((await restoreArchive(previous)) !== undefined) toast('Restored the previous MEMORY.md.');
      changed();
    };
    const text = `Restored ${name} as MEMORY.md.`;
    if (replaced === null) toast(text);
    else toast(text, { action: { text: 'Undo', run: () => undo(replaced) } });
    changed();
  }

  const others = all.filter((each) => each.name !== name);
  const options: readonly Option[] = [
    ['', 'current MEMORY.md'],
    ...others.map((each) => [each.name] as const),
  ];
  const compareWith = select('Compare with', options, other, (value) => {
    other = value;
    return compare();
  });
  if (comparison.with === '') read();
  else compare();
  return [
    h('h2', null, name),
    h(
      'p',
      { class: 'small' },
      `${count(messages, 'message')}, ${count(characters, 'character')}`,
      firstAt !== null && [', ', time(firstAt), ' to ', time(lastAt)],
    ),
    h(
      'div',
      { class: 'actions' },
      button('Text', read),
      button('Compare', compare),
      compareWith,
      button('Restore', restore, { class: 'main' }),
    ),
    place,
  ];
}
