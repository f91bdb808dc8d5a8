/** Erases memories after a moment in which that can be undone. */
import type { Memory } from '../api.ts';
import { call } from '../call.ts';
import { count } from '../dom/format.ts';
import { afterGrace } from '../parts/after-grace.ts';
import { attempt } from '../parts/attempt.ts';
import { toast } from '../parts/toasts.ts';
import { leaving } from './memory-row.ts';

interface ForgettingOptions {
  /** Tells the list that a memory was changed, or erased if there is none. */
  readonly changed: (id: string, memory?: Memory) => void;
  readonly undone: () => void;
}

export function forgetLater(memories: readonly Memory[], { changed, undone }: ForgettingOptions): void {
  const mark = (memory: Memory, isLeaving: boolean) => {
    if (isLeaving) leaving.add(memory.id);
    else leaving.delete(memory.id);
    changed(memory.id, memory);
  };
  const eraseOne = async (memory: Memory, isLeaving: boolean) => {
    const given = { params: { id: memory.id }, keepalive: isLeaving };
    const erased = await attempt(() => call('DELETE /v1/memory/:id', given));
    if (erased === undefined) mark(memory, false);
    else {
      leaving.delete(memory.id);
      changed(memory.id);
    }
    return erased;
  };
  const erase = async (isLeaving: boolean) => {
    // A page that is being left has no time to wait for one after the other.
    const all = isLeaving ? await Promise.all(memories.map((memory) => eraseOne(memory, true))) : [];
    if (!isLeaving) for (const memory of memories) all.push(await eraseOne(memory, false));
    const done = all.filter((each) => each !== undefined);
    if (done.length === 0) return;
    const characters = done.reduce((sum, each) => sum + each.characters, 0);
    const versions = done.reduce((sum, each) => sum + each.versions, 0);
    const what = memories.length === 1 ? '' : ` ${count(done.length, 'memory', 'memories')},`;
    toast(
      `Forgotten:${what} erased ${count(characters, 'character')} in ${count(versions, 'version')} from disk.`,
    );
  };
  const keep = () => {
    for (const memory of memories) mark(memory, false);
    toast('Kept. Nothing was erased.');
    undone();
  };
  const text =
    memories.length === 1
      ? 'This memory and all its versions are about to be erased permanently.'
      : `${count(memories.length)} memories and all their versions are about to be erased permanently.`;
  afterGrace(text, erase, keep);
  for (const memory of memories) mark(memory, true);
}
