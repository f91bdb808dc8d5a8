/** When the disk fails: nothing is wiped, nothing is half done, and what was said before is still there. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Conversation } from '../../../src/conversation/index.ts';
import { nodeFiles } from '../../../src/documents/index.ts';
import type { Files } from '../../../src/ports/files.ts';
import { openWorld, type World } from '../../faults/support/conversation-world.ts';
import { errorOf, said, testConversation } from '../fixture.ts';

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

describe('the archive cannot be written', () => {
  it('and nothing is wiped: neither the file nor the history, and the next add works', async () => {
    const { memory, home, text, blocks } = await testConversation();
    await memory.add('User', 'one');
    const before = text();
    writeFileSync(join(home, 'archive'), 'a file where the folder should be');
    const error = await errorOf(memory.compact({ summary: SUMMARY }));
    expect(error.hint).toBeTypeOf('string');
    expect(text()).toBe(before);
    expect(await said(memory)).toEqual(['User: one']);
    expect((await errorOf(memory.clear())).hint).toBeTypeOf('string');
    expect(await said(memory)).toEqual(['User: one']);
    await memory.add('User', 'two');
    expect(blocks()).toEqual(['User: one', 'User: two']);
  });

  it('the history is not let go before the archive exists', async () => {
    const seen: string[][] = [];
    let memory: Conversation | undefined;
    const watching = new Proxy(nodeFiles, {
      get:
        (target, name: keyof Files) =>
        (path: string, ...rest: never[]) => {
          // Looked at before every operation: as long as there is no archive, the whole history must be there.
          if (memory !== undefined && world.onDisk !== undefined) seen.push([name, path]);
          return (target[name] as (...all: unknown[]) => unknown)(path, ...rest);
        },
    });
    const { agent, memory: opened } = await prepared(() => watching);
    memory = opened;
    const compacting = opened.compact({ summary: SUMMARY });
    expect((await world.onDisk(agent)).active).toEqual(['User: one']);
    await compacting;
    const archived = seen.findIndex(([name, path]) => name === 'link' && path!.includes('/archive/'));
    const replaced = seen.findIndex(([name, path]) => name === 'rename' && !path!.includes('/archive/'));
    expect(archived).toBeGreaterThan(0);
    expect(replaced).toBeGreaterThan(archived);
  });

  it('an archive that does not read back as it was written replaces nothing', async () => {
    let lying = false;
    const forgetful = new Proxy(nodeFiles, {
      get: (target, name: keyof Files) => {
        if (name !== 'link') return target[name];
        return async (from: string, to: string) => {
          await target.link(from, to);
          // The disk keeps something else than it was given.
          if (lying && to.includes('/archive/history_')) writeFileSync(to, 'not what was written');
        };
      },
    });
    const { agent, memory } = await prepared(() => forgetful);
    lying = true;
    const error = await errorOf(memory.compact({ summary: SUMMARY }));
    expect(error.message).toContain('does not read back');
    expect((await world.onDisk(agent)).active).toEqual(['User: one']);
    expect(await said(memory)).toEqual(['User: one']);
  });
});

it('a crashed compaction whose file was removed by hand does not cost the archive', async () => {
  const crashing = (): Files => {
    let archived = false;
    return new Proxy(nodeFiles, {
      get:
        (target, name: keyof Files) =>
        async (path: string, ...rest: never[]) => {
          if (archived && path.endsWith('MEMORY.md')) throw new Error('dead');
          const result = await (target[name] as (...all: unknown[]) => Promise<unknown>)(path, ...rest);
          if (name === 'link' && String(rest[0]).includes('/archive/history_')) archived = true;
          return result;
        },
    });
  };
  const { agent, memory } = await prepared(crashing);
  await memory.compact({ summary: SUMMARY }).catch(() => {});
  rmSync(join(world.folder(agent), 'MEMORY.md'));
  const again = world.open(agent);
  await again.add('User', 'two');
  await again.close();
  expect((await world.onDisk(agent)).archives).toEqual([['User: one']]);
  expect((await world.onDisk(agent)).active).toEqual(['User: two']);
});

it('a workspace in which the agents folder is a file: a clear error', async () => {
  const { folder, open } = await testConversation({ persistentMemory: false });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'agents'), 'in the way');
  const error = await errorOf(open().agent({ name: 'alice' }).shortMemory);
  expect(error.code).toBe('INVALID_INPUT');
});
