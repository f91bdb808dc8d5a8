/** A conversation whose disk reports an error at every single operation, and a person who saves at every one of them. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Conversation } from '../../src/conversation/index.ts';
import { nodeFiles } from '../../src/documents/index.ts';
import type { Files } from '../../src/ports/files.ts';
import { FaultyFiles } from '../../src/testing/faulty-files.ts';
import { openWorld, type World } from './support/conversation-world.ts';

let world: World;
let agents = 0;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** An agent with one message, opened again on the given file system. */
async function prepared(
  filesFor: (agent: string) => Files,
): Promise<{ agent: string; memory: Conversation }> {
  const agent = `agent-${++agents}`;
  const before = world.open(agent);
  await before.add('User', 'one');
  await before.close();
  const memory = await world.open(agent, {}, { files: filesFor(agent) }).ready();
  return { agent, memory };
}

const SUMMARY = 'The user said one thing.';

describe('an error at every operation', () => {
  const changes: Record<string, (memory: Conversation) => Promise<unknown>> = {
    add: (memory) => memory.add('assistant', 'two'),
    'add, long': (memory) => memory.add('assistant', 'two '.repeat(3_000)),
    compact: (memory) => memory.compact({ summary: SUMMARY }),
    clear: (memory) => memory.clear(),
    delete: async (memory) => memory.delete((await memory.turns())[0]!.id),
    update: async (memory) => memory.update((await memory.turns())[0]!.id, 'changed'),
  };

  it.each(
    Object.entries(changes).flatMap(([name, change]) =>
      (['error', 'late-error'] as const).map((kind) => ({ name, kind, change })),
    ),
  )('$name, $kind: done or not done, and told which', async ({ name, change, kind }) => {
    const opened = new FaultyFiles(nodeFiles);
    const calm = await prepared(() => opened);
    const first = opened.operations.length + 1;
    const old = await world.onDisk(calm.agent);
    await change(calm.memory);
    const last = opened.operations.length;
    await calm.memory.close();
    const done = await world.onDisk(calm.agent);
    for (let at = first; at <= last; at++) {
      const files = new FaultyFiles(nodeFiles, { at, fault: { kind, errno: 'EIO' } });
      const { agent, memory } = await prepared(() => files);
      const where = `operation ${at - first + 1}: ${opened.operations[at - 1]}`;
      const error = await change(memory).then(
        () => undefined,
        (thrown: unknown) => thrown as { code: string; hint?: string },
      );
      if (error !== undefined)
        expect([error.code, typeof error.hint], where).toEqual(['STORAGE_FAILED', 'string']);
      await memory.close();
      const again = world.open(agent);
      await again.close();
      const state = await world.onDisk(agent);
      // A message whose adding failed may be given again, so it must not be there; the others may be done all the same.
      const afterError = name.startsWith('add') ? [old] : [old, done];
      expect(error === undefined ? [done] : afterError, where).toContainEqual(state);
      expect(await world.journal(agent)).toBeNull();
    }
  });
});

describe('a person saves in the very moment of a change', () => {
  const WAYS = {
    'in place': (file: string, text: string) => writeFileSync(file, text),
    'by a rename': (file: string, text: string) => {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    },
  };

  /** He adds a block of his own to what he sees, right before the n-th operation. */
  async function duringEach(
    change: (conversation: Conversation) => Promise<unknown>,
    save: (file: string, text: string) => void,
    check: (active: readonly string[], archives: readonly (readonly string[])[]) => void,
  ): Promise<void> {
    for (let at = 1; ; at++) {
      let files: FaultyFiles | undefined;
      const { agent, memory } = await prepared((name) => {
        const file = join(world.folder(name), 'MEMORY.md');
        const act = async () =>
          save(file, `${readFileSync(file, 'utf8')}### User - 2026-03-01T12:00:00\nby hand\n\n---\n\n`);
        files = new FaultyFiles(nodeFiles, { at, fault: { kind: 'meanwhile', act } });
        return files;
      });
      await change(memory);
      await memory.close();
      if (files!.failed.length === 0) {
        expect(at).toBeGreaterThan(10);
        return;
      }
      const { active, archives } = await world.onDisk(agent);
      check(active, archives);
    }
  }

  it.each(Object.entries(WAYS))('%s, while a message is added: both are there, once', (_way, save) =>
    duringEach(
      (memory) => memory.add('assistant', 'two'),
      save,
      (active) => {
        expect(active.toSorted()).toEqual(['Agent: two', 'User: by hand', 'User: one']);
      },
    ),
  );

  it('in place, during a compaction: his text is in the file or in the archive, once', () =>
    duringEach(
      (memory) => memory.compact({ summary: SUMMARY }),
      WAYS['in place'],
      (active, archives) => {
        expect(archives).toHaveLength(1);
        const all = [...active, ...archives.flat()];
        expect(all.filter((line) => line === 'User: by hand')).toHaveLength(1);
        expect(all.filter((line) => line === 'User: one')).toHaveLength(1);
        expect(active[0]).toContain(SUMMARY);
      },
    ));
});
