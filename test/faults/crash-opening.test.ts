/** A kill -9 before the system calls that opening, writing and closing make: the next start finds everything in order. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import { chooseSeed } from './support/chance.ts';
import { runChild, startChild } from './support/children.ts';
import { FailingCalls, type Fault, nameOf, sweep, WRITING_CALLS } from './support/failing-calls.ts';
import { damageOf } from './support/intact.ts';
import { addTemplate } from './support/steps.ts';
import type { SequenceMessage } from './support/tasks/sequence.ts';
import { thinnedWrites } from './support/thinned-writes.ts';
import { databaseOf, inFolder, withDatabase } from './support/workspace.ts';

it('survives a kill at a call while a new database is opened and closed', async () => {
  const seed = chooseSeed();
  const calls = await inFolder(async (folder) => {
    const file = databaseOf(folder);
    const failing = new FailingCalls(join(folder, 'orders'));
    failing.arm(file);
    await runChild('sequence', { file, write: false }, { environment: failing.environment });
    return failing.calls
      .filter(({ call }) => WRITING_CALLS.includes(call))
      .map((at): Fault => ({ ...at, action: 'SIGKILL' }));
  });
  // One process for each kill: of the writes every sixth, and all of them in a campaign.
  const cases = thinnedWrites(calls, 6, seed);
  const violations: string[] = [];
  let opened = 0;
  await sweep(cases, (fault) =>
    inFolder(async (folder) => {
      const file = databaseOf(folder);
      const failing = new FailingCalls(join(folder, 'orders'));
      failing.arm(file, fault);
      const child = startChild<'sequence', SequenceMessage>(
        'sequence',
        { file, write: false },
        { environment: failing.environment },
      );
      const { signal } = await child.exit;
      if (signal !== 'SIGKILL') violations.push(`${nameOf(fault)}: it was not killed`);
      if (child.messages.some(({ name }) => name === 'open')) opened++;
      for (const problem of await problemsOfNextStart(file)) violations.push(`${nameOf(fault)}: ${problem}`);
    }),
  );
  console.log(`crash-opening: seed ${seed}, ${cases.length} kills, ${opened} of them while closing`);
  expect(violations).toEqual([]);
  expect(opened).toBeGreaterThan(0);
  expect(cases.length - opened).toBeGreaterThan(0);
});

/** The next start must be able to open, write and close, and leave one sound file. */
async function problemsOfNextStart(file: string): Promise<string[]> {
  try {
    const storage = await openSqlite({ file });
    await addTemplate(storage);
    await storage.close();
  } catch (error) {
    return [`the next start fails: ${error}`];
  }
  const files = readdirSync(dirname(file)).filter(
    (name) => name !== 'keepsake.db' && name !== 'keepsake.db.seen',
  );
  const left = files.length === 0 ? [] : [`${files.join()} was left behind`];
  return [...left, ...withDatabase(file, damageOf)];
}
