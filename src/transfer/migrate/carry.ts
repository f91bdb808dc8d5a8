/** Copies data from one store into another; each page is atomic, and existing data is not written twice. */
import type { ItemCopy } from '../../ports/item-store.ts';
import type { LogMessage } from '../../ports/log-store.ts';
import type { MirrorOutcome } from '../../ports/record-copies.ts';
import type { Storage } from '../../ports/storage.ts';
import { requireCopies } from '../archive/write-archive.ts';
import { archiveAgain, archivedThreads, boundaries } from '../boundaries.ts';
import { itemPages, toDraft } from '../items.ts';
import { appendMessages, repeatEdits } from '../messages.ts';
import { eventPages, messagePages, quarantined, recordPages } from './kinds.ts';

export interface Carried {
  readonly records: Record<MirrorOutcome, number>;
  readonly messages: Record<MirrorOutcome, number>;
}

/** May throw, to stop after a page. */
type OnCarried = (what: 'records' | 'messages' | 'items' | 'events', count: number) => void;

export async function carry(source: Storage, target: Storage, onCarried: OnCarried): Promise<Carried> {
  const carried: Carried = {
    records: { added: 0, present: 0, replaced: 0 },
    messages: { added: 0, present: 0, replaced: 0 },
  };
  const copies = requireCopies(target);
  for await (const page of recordPages(source)) {
    for (const outcome of await copies.mirror(page)) carried.records[outcome]++;
    onCarried('records', page.length);
  }
  for await (const page of messagePages(source)) {
    for (const outcome of await mirrorMessages(target, page)) carried.messages[outcome]++;
    onCarried('messages', page.length);
  }
  await mirrorBoundaries(source, target);
  await target.quarantine.mirror(await quarantined(source));
  for await (const page of itemPages(source)) {
    await mirrorItems(target, page);
    onCarried('items', 0);
  }
  for await (const page of eventPages(source)) {
    await target.events.mirror(page);
    onCarried('events', page.length);
  }
  return carried;
}

async function mirrorMessages({ log }: Storage, page: readonly LogMessage[]): Promise<MirrorOutcome[]> {
  const present = await Promise.all(page.map(({ id }) => log.get(id)));
  const outcomes = page.map((message, i): MirrorOutcome => {
    const found = present[i];
    if (found == null) return 'added';
    return found.editedAt === message.editedAt && found.deletedAt === message.deletedAt
      ? 'present'
      : 'replaced';
  });
  const those = (wanted: MirrorOutcome) => page.filter((_, i) => outcomes[i] === wanted);
  const added = those('added');
  if (added.length > 0) await appendMessages(log, added);
  await repeatEdits(log, those('replaced'));
  return outcomes;
}

/** One that changed in the source since it was carried is carried again. */
async function mirrorItems({ items }: Storage, page: readonly ItemCopy[]): Promise<void> {
  const drafts = page.map(({ seq: _, ...copy }) => toDraft(copy));
  const outcomes = await items.addCopies(drafts);
  for (const [i, { agent, user, namespace, key }] of drafts.entries()) {
    if (outcomes[i] !== 'differs') continue;
    await items.write({ agent, user }, [{ op: 'remove', namespace, key }], 0);
    await items.addCopies([drafts[i]!]);
  }
}

async function mirrorBoundaries(source: Storage, target: Storage): Promise<void> {
  for await (const { agent, thread, after } of boundaries(source.log)) {
    const last = await target.log.get(after);
    if (last === null || last.seq === (await target.log.boundary(agent, thread))) continue;
    await target.log.append([], { boundary: { agent, thread, seq: last.seq } });
  }
  for await (const thread of archivedThreads(source.log)) await archiveAgain(target.log, thread);
}
