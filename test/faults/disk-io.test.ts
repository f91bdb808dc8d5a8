/** The n-th read, write or sync of the database fails, once and from then on: no false acknowledgement, no damage. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import { chooseSeed } from './support/chance.ts';
import { runChild, startChild } from './support/children.ts';
import {
  type Call,
  FailingCalls,
  type Fault,
  nameOf,
  sweep,
  WRITING_CALLS,
} from './support/failing-calls.ts';
import { damageOf } from './support/intact.ts';
import { addTemplate, SEQUENCE, stepsIn } from './support/steps.ts';
import type { FailedSequence } from './support/tasks/failing-sequences.ts';
import type { SequenceMessage } from './support/tasks/sequence.ts';
import { thinnedWrites } from './support/thinned-writes.ts';
import {
  copyDatabase,
  databaseOf,
  inFolder,
  makeFolder,
  removeFolder,
  withDatabase,
} from './support/workspace.ts';

const STEPS = SEQUENCE.flat().map(({ name }) => name);
/** What a broken disk may be called; anything else would be an error that we do not understand. */
function expectedCodes({ action, call }: Fault): readonly string[] {
  if (action === 'SIGKILL') return [];
  if (action === 'ENOSPC') return ['STORAGE_FULL', 'STORAGE_FAILED'];
  // SQLite itself calls a page that cannot be read a corrupt one.
  return call === 'pread64' ? ['STORAGE_FAILED', 'CORRUPT'] : ['STORAGE_FAILED'];
}

const seed = chooseSeed();
const template = makeFolder();
/** What the reads answer when nothing fails. */
const answers = new Map<string, string | undefined>();
let calls: FailingCalls['calls'];

beforeAll(async () => {
  const storage = await openSqlite({ file: databaseOf(template) });
  await addTemplate(storage);
  await storage.close();
  calls = await inTestFolder(async (file, failing) => {
    failing.arm(file);
    const messages = await runChild<'sequence', SequenceMessage>(
      'sequence',
      { file, write: true },
      { environment: failing.environment },
    );
    for (const message of messages) {
      if (message.type === 'done') answers.set(message.name, message.answer);
    }
    expect(withDatabase(file, stepsIn)).toEqual(new Set(STEPS));
    return failing.calls;
  });
});
afterAll(() => removeFolder(template));

function inTestFolder<T>(work: (file: string, failing: FailingCalls) => Promise<T>): Promise<T> {
  return inFolder((folder) => {
    const file = databaseOf(folder);
    copyDatabase(databaseOf(template), file);
    return work(file, new FailingCalls(join(folder, 'orders')));
  });
}

function everyCall(names: readonly Call[], fault: Omit<Fault, 'call' | 'nth'>): Fault[] {
  return calls.filter(({ call }) => names.includes(call)).map((at) => ({ ...fault, ...at }));
}

interface Tally {
  faults: number;
  injected: number;
  acknowledged: number;
  refused: number;
  violations: string[];
}

function judge({ fault, injected, messages, happened, damage }: FailedSequence, tally: Tally): void {
  const blame = (what: string) => tally.violations.push(`${nameOf(fault)}: ${what}`);
  if (injected > 0) tally.injected++;
  for (const problem of damage) blame(problem);
  for (const message of messages) {
    if (message.type === 'failed') {
      tally.refused++;
      if (!expectedCodes(fault).includes(message.code))
        blame(`${message.name} says ${message.code}: ${message.message}`);
    } else if (message.answer !== answers.get(message.name)) {
      blame(`"${message.name}" answers something else`);
    } else if (STEPS.includes(message.name)) {
      tally.acknowledged++;
      if (!happened.includes(message.name)) blame(`"${message.name}" was acknowledged and is not there`);
    }
  }
}

const emptyTally = (faults: number): Tally => ({
  faults,
  injected: 0,
  acknowledged: 0,
  refused: 0,
  violations: [],
});

/** One process after the other meets all faults of a half; one that dies is blamed for it, and the next goes on behind it. */
async function proveAll(faults: readonly Fault[]): Promise<Tally> {
  const tally = emptyTally(faults.length);
  const halves = [0, 1].map((half) => faults.filter((_, i) => i % 2 === half));
  await sweep(halves, (half) =>
    inTestFolder(async (_, failing) => {
      for (let done = 0; done < half.length; ) {
        const child = startChild<'failing-sequences', FailedSequence>(
          'failing-sequences',
          { template: databaseOf(template), faults: half.slice(done) },
          { environment: failing.environment },
        );
        const { code, signal, errors } = await child.exit;
        for (const failed of child.messages) judge(failed, tally);
        done += child.messages.length;
        if (done === half.length && code === 0) break;
        const guilty = half[done] === undefined ? 'the end' : nameOf(half[done]!);
        tally.violations.push(`${guilty}: the process died (${signal ?? code}): ${errors}`);
        done++;
      }
    }),
  );
  return tally;
}

async function proveKills(faults: readonly Fault[]): Promise<Tally> {
  const tally = emptyTally(faults.length);
  await sweep(faults, (fault) =>
    inTestFolder(async (file, failing) => {
      failing.arm(file, fault);
      const child = startChild<'sequence', SequenceMessage>(
        'sequence',
        { file, write: true },
        { environment: failing.environment },
      );
      const { signal } = await child.exit;
      const found = withDatabase(file, (database) => ({
        happened: [...stepsIn(database)],
        damage: [...damageOf(database)],
      }));
      const injected = signal === 'SIGKILL' ? failing.injected : 0;
      judge({ fault, injected, messages: child.messages, ...found }, tally);
    }),
  );
  return tally;
}

function expectProof(name: string, { violations, ...counts }: Tally): void {
  console.log(`disk-io, ${name}: ${JSON.stringify(counts)}`);
  expect(violations).toEqual([]);
  expect(counts.faults).toBeGreaterThan(0);
  expect(counts.injected).toBe(counts.faults);
  expect(counts.acknowledged).toBeGreaterThan(0);
}

it('holds when one write or sync fails', async () => {
  const failing = thinnedWrites(everyCall(WRITING_CALLS, { action: 'EIO' }), 3, seed);
  expectProof(`one EIO, seed ${seed}`, await proveAll(failing));
});

it('holds when the disk is full from one write on', async () => {
  const full = everyCall(['pwrite64', 'ftruncate'], { action: 'ENOSPC', persistent: true });
  const tally = await proveAll(thinnedWrites(full, 3, seed));
  expectProof(`no space from there on, seed ${seed}`, tally);
  expect(tally.refused).toBeGreaterThan(0);
});

it('holds when no sync works any more', async () => {
  const tally = await proveAll(everyCall(['fsync', 'fdatasync'], { action: 'EIO', persistent: true }));
  expectProof('no sync from there on', tally);
  expect(tally.refused).toBeGreaterThan(0);
});

it('holds when one read fails', async () => {
  expectProof('one unreadable page', await proveAll(everyCall(['pread64'], { action: 'EIO' })));
});

it('holds when the process is killed at one write or sync', async () => {
  // crash-opening.test.ts takes every call of its process, and crash.test.ts any moment.
  const kills = everyCall(WRITING_CALLS, { action: 'SIGKILL' });
  expectProof(`killed, seed ${seed}`, await proveKills(thinnedWrites(kills, 6, seed)));
});
