/** Two processes open a new database: one stops before each of its system calls in turn, and the other goes past it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import { startChild } from './support/children.ts';
import type { Call } from './support/failing-calls.ts';
import { damageOf } from './support/intact.ts';
import type { SequenceMessage } from './support/tasks/sequence.ts';
import { requireTracer, withDelay } from './support/tracer.ts';
import { databaseOf, inFolder, withDatabase } from './support/workspace.ts';

beforeAll(requireTracer);

const DELAY_MS = 150;

interface Meeting {
  /** False once the slow process ended before its n-th call. */
  readonly met: boolean;
  readonly problems: readonly string[];
}

/** The slow process stops before its n-th call; meanwhile this process opens and closes the same file. */
function meetAt(call: Call, nth: number, prepare: (file: string) => void): Promise<Meeting> {
  return inFolder(async (folder) => {
    const file = databaseOf(folder);
    prepare(file);
    const log = join(folder, 'calls');
    const child = startChild<'sequence', SequenceMessage>(
      'sequence',
      { file, write: false },
      { under: withDelay({ call, nth, milliseconds: DELAY_MS }, file, log) },
    );
    let ended = false;
    const exit = child.exit.finally(() => {
      ended = true;
    });
    const made = (): number =>
      existsSync(log) ? [...readFileSync(log, 'utf8').matchAll(/^\d+ +\w+\(/gm)].length : 0;
    while (!ended && made() < nth) await sleep(2);
    if (made() < nth) return { met: false, problems: [] };
    const problems: string[] = [];
    try {
      const storage = await openSqlite({ file });
      await storage.close();
    } catch (error) {
      problems.push(`the fast one: ${error}`);
    }
    await exit;
    for (const message of child.messages) {
      if (message.type === 'failed') problems.push(`the slow one: ${message.code} ${message.message}`);
    }
    if (!child.messages.some(({ name }) => name === 'close')) problems.push('the slow one did not finish');
    problems.push(...withDatabase(file, damageOf));
    return { met: true, problems: problems.map((problem) => `${call} ${nth}: ${problem}`) };
  });
}

/** The slow processes mostly sleep, so several meetings can take place at once. */
const AT_ONCE = 4;

async function meetAtEvery(call: Call, prepare: (file: string) => void): Promise<void> {
  const meetings: Meeting[] = [];
  for (let first = 1; meetings.every(({ met }) => met); first += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, i) => first + i);
    meetings.push(...(await Promise.all(numbers.map((nth) => meetAt(call, nth, prepare)))));
  }
  const met = meetings.filter((meeting) => meeting.met).length;
  console.log(`processes-opening: ${met} meetings at ${call}`);
  expect(meetings.flatMap(({ problems }) => problems)).toEqual([]);
  expect(met).toBeGreaterThan(0);
}

it('opens a file that another process creates between two of its reads', () =>
  meetAtEvery('pread64', (file) => {
    mkdirSync(dirname(file));
    writeFileSync(file, '');
  }));

it.each(['fsync', 'ftruncate', 'unlink'] as const)('opens a file whose creator stopped before a %s', (call) =>
  meetAtEvery(call, () => {}),
);
