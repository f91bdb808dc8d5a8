/** The versions of a memory, newest first, with what each of them changed. */
import type { Memory, RecordVersion } from '../api.ts';
import { call } from '../call.ts';
import { address } from '../dom/address.ts';
import { type Child, fill, h } from '../dom/elements.ts';
import { ago, time } from '../dom/format.ts';
import { attempt } from '../parts/attempt.ts';
import { button } from '../parts/controls.ts';
import { compareVersions } from './compare-versions.ts';

/** What a version changed besides the text. */
function changes(entry: RecordVersion, before: RecordVersion | undefined): readonly Child[] {
  if (before === undefined) return [];
  const differs = (name: keyof RecordVersion) => JSON.stringify(entry[name]) !== JSON.stringify(before[name]);
  const found: readonly Child[] = [
    differs('category') && `category ${before.category} → ${entry.category}`,
    differs('tags') && `tags: ${entry.tags.join(', ') || 'none'}`,
    differs('pinned') && (entry.pinned ? 'pinned' : 'unpinned'),
    differs('expiresAt') &&
      (entry.expiresAt === null ? 'no longer expires' : ['expires ', time(entry.expiresAt)]),
    differs('scope') && (entry.scope === 'swarm' ? 'shared with the swarm' : 'private again'),
    differs('metadata') && 'metadata changed',
  ];
  return found.filter((change) => change !== false);
}

type Restore = (version: number) => unknown;

/** A text is shown once, at the version that introduced it. */
function version(
  entry: RecordVersion,
  before: RecordVersion | undefined,
  memory: Memory,
  restore: Restore,
): HTMLElement {
  const isOlder = entry.id === memory.id && entry.version < memory.version;
  return h(
    'li',
    null,
    h(
      'p',
      { class: 'small' },
      h('b', null, `Version ${entry.version}`),
      ` ${entry.change} by ${entry.changedBy}, `,
      ago(entry.changedAt),
      entry.id !== memory.id && [', as ', h('a', { href: address('memory', entry.id) }, entry.id)],
      isOlder &&
        memory.state !== 'forgotten' &&
        button('Restore this version', () => restore(entry.version), { class: 'quiet' }),
    ),
    h(
      'div',
      { class: 'changed' },
      changes(entry, before).map((change) => h('span', { class: 'small' }, change)),
    ),
    entry.content !== before?.content && h('pre', null, entry.content),
  );
}

/** `compare`: the place where two versions are compared. */
export async function fillHistory(
  place: HTMLElement,
  compare: HTMLElement,
  memory: Memory,
  restore: Restore,
): Promise<void> {
  fill(compare);
  if (memory.state === 'forgotten') {
    return fill(place, h('li', { class: 'small' }, 'All versions were erased with the memory.'));
  }
  const read = () => call('GET /v1/memory/:id/history', { params: { id: memory.id } });
  const again = () => fillHistory(place, compare, memory, restore);
  const versions = await attempt(read, { place, again });
  if (versions === undefined) return;
  fill(compare, compareVersions(versions));
  fill(place, versions.map((entry, i) => version(entry, versions[i - 1], memory, restore)).toReversed());
}
