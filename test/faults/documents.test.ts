/** Every I/O operation of every write fails, in every way: never a false success, never a torn file, never stuck. */
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ABSENT, ANY, DocumentFile, nodeFiles, sweepTemporaryFiles } from '../../src/documents/index.ts';
import { sqliteFileLock } from '../../src/drivers/sqlite/file-lock.ts';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import type { Files } from '../../src/ports/files.ts';
import { Crash, type Fault, FaultyFiles } from '../../src/testing/faulty-files.ts';
import { campaign } from '../fixtures/campaign.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-faults-')));
const lock = sqliteFileLock({ timeoutMs: 5_000 });
let cases = 0;
let folders = 0;
const descriptors = () => readdirSync('/proc/self/fd').length;

afterAll(async () => {
  await lock.close();
  rmSync(base, { recursive: true, force: true });
});

const OLD = `${'An old line.\n'.repeat(20)}`;
const NEW = `${'A new line, and longer.\n'.repeat(15)}`;
/** Crosses pages, so that the append is protected by its note. */
const LONG = `${'A long line that is appended.\n'.repeat(campaign(170, 600))}`;

interface Write {
  readonly name: string;
  /** Content before, or undefined for no file and no folder. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly owner?: number;
  readonly run: (document: DocumentFile, hash: string) => Promise<unknown>;
}

const WRITES: readonly Write[] = [
  { name: 'replace', before: OLD, after: NEW, run: (document, ifHash) => document.replace(NEW, { ifHash }) },
  {
    name: 'replace, whatever is there',
    before: OLD,
    after: NEW,
    run: (d) => d.replace(NEW, { ifHash: ANY }),
  },
  {
    name: 'replace, another’s file',
    before: OLD,
    after: NEW,
    owner: 65_534,
    run: (d, ifHash) => d.replace(NEW, { ifHash }),
  },
  {
    name: 'replace, creating',
    before: undefined,
    after: NEW,
    run: (d) => d.replace(NEW, { ifHash: ABSENT }),
  },
  { name: 'update', before: OLD, after: `${OLD}${NEW}`, run: (d) => d.update((text) => text + NEW) },
  { name: 'update, creating', before: undefined, after: NEW, run: (d) => d.update((text) => text + NEW) },
  { name: 'append', before: OLD, after: `${OLD}${NEW}`, run: (d) => d.append(NEW) },
  {
    name: 'append, with a size',
    before: OLD,
    after: `${OLD}${NEW}`,
    run: (d) => d.append(NEW, { ifSize: OLD.length }),
  },
  { name: 'append, long', before: OLD, after: `${OLD}${LONG}`, run: (d) => d.append(LONG) },
  { name: 'append, creating', before: undefined, after: NEW, run: (d) => d.append(NEW) },
  { name: 'cut', before: OLD, after: OLD.slice(0, 13), run: (d) => d.exclusive((held) => held.truncate(13)) },
  { name: 'remove', before: OLD, after: undefined, run: (d, ifHash) => d.remove({ ifHash }) },
  { name: 'remove, whatever is there', before: OLD, after: undefined, run: (d) => d.remove({ ifHash: ANY }) },
];

const FAULTS: readonly Fault[] = [
  { kind: 'error', errno: 'ENOSPC' },
  { kind: 'error', errno: 'EIO' },
  { kind: 'error', errno: 'EACCES' },
  { kind: 'late-error', errno: 'EIO' },
  { kind: 'short-write' },
  { kind: 'short-write', bytes: 7 },
  { kind: 'crash' },
];
const CODES: Record<string, string> = { ENOSPC: 'STORAGE_FULL', EIO: 'STORAGE_FAILED', EACCES: 'PERMISSION' };

const nameOf = (fault: Fault) =>
  fault.kind === 'short-write'
    ? `short write of ${fault.bytes ?? 1}`
    : 'errno' in fault
      ? `${fault.kind} ${fault.errno}`
      : fault.kind;

interface Ran {
  readonly outcome: 'done' | unknown;
  readonly path: string;
  /** What is in the file itself, and what a reader is shown. */
  readonly raw: string | undefined;
  readonly shown: string | undefined;
  readonly operations: readonly string[];
  readonly failed: readonly string[];
}

/** Runs one write on a fresh file through a faulty file system, then looks with a sound one. */
async function run(write: Write, makeFiles: (sound: Files) => FaultyFiles): Promise<Ran> {
  const root = join(base, String(folders++));
  const path = join(root, 'agents', 'a', 'MEMORY.md');
  mkdirSync(write.before === undefined ? root : dirname(path), { recursive: true });
  if (write.before !== undefined) writeFileSync(path, write.before);
  if (write.owner !== undefined) chownSync(path, write.owner, write.owner);
  const sound = new DocumentFile({ path, root, lock });
  const { hash } = await sound.read();
  const files = makeFiles(nodeFiles);
  const outcome = await write.run(new DocumentFile({ path, root, lock, files }), hash).then(
    () => 'done',
    (error: unknown) => error,
  );
  const shown = await sound.read();
  const ran: Ran = {
    outcome,
    path,
    raw: contentOf(path),
    shown: shown.exists ? shown.text : undefined,
    operations: files.operations,
    failed: files.failed,
  };
  // The next one finds everything in order, whatever happened before, and leaves nothing behind.
  await sweepTemporaryFiles(dirname(path)).catch(() => []);
  await sound.update((text) => `${text}next\n`);
  expect(contentOf(path)).toBe(`${ran.shown ?? ''}next\n`);
  expect(readdirSync(dirname(path)).sort()).toEqual(['.MEMORY.md.lock', 'MEMORY.md']);
  rmSync(root, { recursive: true });
  return ran;
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function describeCase(
  write: Write,
  at: number,
  fault: Fault,
  persistent: boolean,
  operations: readonly string[],
): string {
  const trail = operations.slice(Math.max(0, at - 4), at).join(' → ');
  return `${write.name}: ${nameOf(fault)}${persistent ? ' from there on' : ''} at operation ${at} (… ${trail})`;
}

/** What must be true however it failed. */
function judge(write: Write, ran: Ran, what: string): void {
  const allowed = [write.before, write.after];
  expect(allowed, `torn: ${what}`).toContain(ran.shown);
  if (ran.outcome === 'done') {
    expect(ran.raw, `false success: ${what}`).toBe(write.after);
    return;
  }
  if (ran.outcome instanceof Crash) return;
  expect(KeepsakeError.is(ran.outcome), `foreign error: ${what}: ${ran.outcome}`).toBe(true);
  const { message, hint } = ran.outcome as KeepsakeError;
  expect(message, what).toContain(dirname(dirname(dirname(ran.path))));
  expect(hint, what).toBeTruthy();
  // What the message says about the state of the file is true.
  if (/as it was before|Nothing was added/.test(message))
    expect(ran.raw, `${what}: ${message}`).toBe(write.before);
  if (/change is in effect/.test(message)) expect(ran.raw, `${what}: ${message}`).toBe(write.after);
}

describe.each(WRITES)('$name', (write) => {
  it.each(FAULTS.map((fault) => [nameOf(fault), fault] as const))(
    '%s at every operation',
    async (_, fault) => {
      const { outcome, operations } = await run(write, (sound) => new FaultyFiles(sound));
      expect(outcome).toBe('done');
      const before = descriptors();
      let injected = 0;
      for (const persistent of fault.kind === 'crash' ? [false] : [false, true]) {
        for (let at = 1; at <= operations.length; at++) {
          const ran = await run(write, (sound) => new FaultyFiles(sound, { at, fault, persistent }));
          if (ran.failed.length === 0) continue;
          injected++;
          const what = describeCase(write, at, fault, persistent, ran.operations);
          judge(write, ran, what);
          // Dying after the work is done, while tidying up, may leave the answer as it was.
          if (fault.kind === 'crash' && ran.outcome === 'done')
            expect(ran.failed, what).toEqual([expect.stringMatching(/^(close|unlink)$/)]);
          if (fault.kind === 'crash' && ran.outcome !== 'done')
            expect(ran.outcome, what).toBeInstanceOf(Crash);
          if (fault.kind === 'short-write') expect(ran.outcome, what).toBe('done');
          if ('errno' in fault && ran.outcome !== 'done') {
            expect((ran.outcome as KeepsakeError).code, what).toBe(CODES[fault.errno]);
          }
          // A disk that stays broken from before the first change on cannot have let anything through.
          const reached = ran.operations.slice(0, at - 1);
          if (
            persistent &&
            fault.kind === 'error' &&
            !reached.some((done) => /^(rename|link|unlink|write|truncate)$/.test(done))
          ) {
            expect([ran.outcome === 'done', ran.raw], what).toEqual([false, write.before]);
          }
        }
      }
      cases += injected;
      if (fault.kind !== 'short-write' || !/^(remove|cut)/.test(write.name))
        expect(injected).toBeGreaterThan(0);
      expect(descriptors(), 'file descriptors leaked').toBeLessThanOrEqual(before + 32);
    },
  );
});

describe('two faults at once', () => {
  const short: Fault = { kind: 'short-write', bytes: 1_000 };
  const long = WRITES.filter(({ name }) => ['append, long', 'replace', 'update'].includes(name));

  it.each(long)('$name: written in pieces, and then a fault at every operation', async (write) => {
    const inPieces = (sound: Files) => new FaultyFiles(sound, { at: 1, fault: short, persistent: true });
    const { operations } = await run(write, (sound) => new FaultyFiles(inPieces(sound)));
    for (const fault of FAULTS.filter(({ kind }) => kind !== 'short-write')) {
      for (const persistent of fault.kind === 'crash' ? [false] : [false, true]) {
        for (let at = 1; at <= operations.length; at++) {
          const ran = await run(
            write,
            (sound) => new FaultyFiles(inPieces(sound), { at, fault, persistent }),
          );
          if (ran.failed.length === 0) continue;
          cases++;
          judge(write, ran, describeCase(write, at, fault, persistent, ran.operations));
        }
      }
    }
  });
});

it('sweeping fails at every operation and works the next time', async () => {
  const root = mkdtempSync(join(base, 'sweep-'));
  const probe = new FaultyFiles(nodeFiles);
  await sweepTemporaryFiles(root, { files: probe });
  for (const fault of FAULTS.filter(({ kind }) => kind !== 'short-write')) {
    for (let at = 1; at <= 4; at++) {
      const name = '.keepsake-00000000-1-00000000-0000000000000000.tmp';
      writeFileSync(join(root, name), 'x');
      writeFileSync(join(root, 'MEMORY.md'), 'kept');
      const files = new FaultyFiles(nodeFiles, { at, fault });
      const outcome = await sweepTemporaryFiles(root, { files, graceMs: 0 }).catch((error: unknown) => error);
      expect(files.failed.length).toBe(1);
      expect(Array.isArray(outcome)).toBe(false);
      cases++;
      await sweepTemporaryFiles(root, { graceMs: 0 });
      expect(readdirSync(root)).toEqual(['MEMORY.md']);
    }
  }
});

it('has really run: the number of faults that were injected', () => {
  console.log(`Documents: ${cases} faults injected.`);
  expect(cases).toBeGreaterThan(4_000);
});
