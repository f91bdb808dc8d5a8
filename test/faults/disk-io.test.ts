/** The n-th read, write or sync of the database fails, for every n, once and from then on: no false acknowledgement, no damage. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import { chooseSeed } from './support/chance.ts';
import { runChild, startChild } from './support/children.ts';
import { damageOf } from './support/intact.ts';
import { addTemplate, SEQUENCE, stepsIn } from './support/steps.ts';
import type { SequenceMessage } from './support/tasks/sequence.ts';
import {
  type Call,
  callsIn,
  type Fault,
  nameOf,
  requireTracer,
  sweep,
  traced,
  WRITING_CALLS,
  wasInjected,
  withFault,
} from './support/tracer.ts';
import { databaseOf, inFolder, makeFolder, removeFolder, withDatabase } from './support/workspace.ts';

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
let calls: ReturnType<typeof callsIn>;

beforeAll(async () => {
  requireTracer();
  const storage = await openSqlite({ file: databaseOf(template) });
  await addTemplate(storage);
  await storage.close();
  calls = await inTestFolder(async (file, log) => {
    const messages = await runChild<'sequence', SequenceMessage>(
      'sequence',
      { file, write: true },
      { under: traced(file, [...WRITING_CALLS, 'pread64'], log) },
    );
    for (const message of messages) {
      if (message.type === 'done') answers.set(message.name, message.answer);
    }
    expect(withDatabase(file, stepsIn)).toEqual(new Set(STEPS));
    return callsIn(log);
  });
});
afterAll(() => removeFolder(template));

/** No connection of this process has the template open, so copying it does no harm. */
function inTestFolder<T>(work: (file: string, log: string) => Promise<T>): Promise<T> {
  return inFolder((folder) => {
    const file = databaseOf(folder);
    mkdirSync(dirname(file));
    copyFileSync(databaseOf(template), file);
    return work(file, join(folder, 'calls'));
  });
}

function everyCall(names: readonly Call[], fault: Omit<Fault, 'call' | 'nth'>): Fault[] {
  return calls.filter(({ call }) => names.includes(call)).map((at) => ({ ...fault, ...at }));
}

/**
 * Where one write fails, all are tried. The other sweeps take one write in `step`, another one in each run, and all of
 * them with KEEPSAKE_FAULTS=all: neighbouring writes of one transaction hardly differ, and the sweep is the longest test.
 */
function thinned(faults: readonly Fault[], step: number): readonly Fault[] {
  if (process.env.KEEPSAKE_FAULTS === 'all') return faults;
  return faults.filter(({ call, nth }) => call !== 'pwrite64' || nth % step === seed % step);
}

interface Tally {
  faults: number;
  injected: number;
  acknowledged: number;
  refused: number;
  violations: string[];
}

async function proveAll(faults: readonly Fault[]): Promise<Tally> {
  const tally: Tally = { faults: faults.length, injected: 0, acknowledged: 0, refused: 0, violations: [] };
  await sweep(faults, (fault) => inTestFolder((file, log) => prove(fault, file, log, tally)));
  return tally;
}

async function prove(fault: Fault, file: string, log: string, tally: Tally): Promise<void> {
  const child = startChild<'sequence', SequenceMessage>(
    'sequence',
    { file, write: true },
    { under: withFault(fault, file, log) },
  );
  const { code, signal, errors } = await child.exit;
  const blame = (what: string) => tally.violations.push(`${nameOf(fault)}: ${what}`);
  if (fault.action === 'SIGKILL' ? signal === 'SIGKILL' : wasInjected(log)) tally.injected++;
  if (fault.action !== 'SIGKILL' && code !== 0) blame(`the process died (${signal ?? code}): ${errors}`);
  const { happened, damage } = withDatabase(file, (database) => ({
    happened: stepsIn(database),
    damage: damageOf(database),
  }));
  for (const problem of damage) blame(problem);
  for (const message of child.messages) {
    if (message.type === 'failed') {
      tally.refused++;
      if (!expectedCodes(fault).includes(message.code))
        blame(`${message.name} says ${message.code}: ${message.message}`);
    } else if (message.answer !== answers.get(message.name)) {
      blame(`"${message.name}" answers something else`);
    } else if (STEPS.includes(message.name)) {
      tally.acknowledged++;
      if (!happened.has(message.name)) blame(`"${message.name}" was acknowledged and is not there`);
    }
  }
}

function expectProof(name: string, { violations, ...counts }: Tally): void {
  console.log(`disk-io, ${name}: ${JSON.stringify(counts)}`);
  expect(violations).toEqual([]);
  expect(counts.faults).toBeGreaterThan(0);
  expect(counts.injected).toBe(counts.faults);
  expect(counts.acknowledged).toBeGreaterThan(0);
}

it('holds when one write or sync fails', async () => {
  expectProof('one EIO', await proveAll(everyCall(WRITING_CALLS, { action: 'EIO' })));
});

it('holds when the disk is full from one write on', async () => {
  const full = everyCall(['pwrite64', 'ftruncate'], { action: 'ENOSPC', persistent: true });
  const tally = await proveAll(thinned(full, 4));
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
  expectProof(`killed, seed ${seed}`, await proveAll(thinned(kills, 6)));
});
