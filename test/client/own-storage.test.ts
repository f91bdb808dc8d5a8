/** E-03 E-38 a storage of one's own takes the place of the configured one, and nothing above it changes. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import type { RecordStore } from '../../src/ports/record-store.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

it('E-03 E-38 is opened when it is needed, asked for everything, and closed with the client', async () => {
  const { folder, open } = testWorkspace();
  const done: string[] = [];
  const storage = async () => {
    done.push('open');
    const main = await openSqlite({ file: join(folder, 'elsewhere.db') });
    const records = new Proxy(main.records, {
      get: (target, verb: keyof RecordStore) => {
        const value = target[verb];
        if (typeof value !== 'function') return value;
        return (...input: never[]) => {
          done.push(verb);
          return (value as (...given: never[]) => unknown).apply(target, input);
        };
      },
    });
    const close = () => {
      done.push('close');
      return main.close();
    };
    return { ...main, records, close };
  };
  const client = open({ storage });
  expect(done).toEqual([]);
  const { memory } = client.agent({ name: 'alice' });
  await memory.add({ content: 'The harbour closes at six.' });
  expect((await memory.search('harbour'))[0]?.content).toBe('The harbour closes at six.');
  await client.close();
  expect([done[0], done.at(-1)]).toEqual(['open', 'close']);
  expect(done).toEqual(expect.arrayContaining(['add', 'scopeOf']));
  // What is configured was not touched.
  expect(await open().agent({ name: 'alice' }).memory.list()).toEqual([]);
});
