/** An append is seen whole or not at all, also by readers in the middle of it and after its writer died. */
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFiles } from '../../src/documents/index.ts';
import { FaultyFiles } from '../../src/testing/faulty-files.ts';
import { makeDocument, makeLock, makeRoot } from './fixture.ts';

const OLD = 'old\n';
/** Several pages. */
const ADDED = `${'a line that is added\n'.repeat(400)}`;

/** As a process leaves it that dies after `done` bytes of the append. */
function leaveTorn(
  root: string,
  done: number,
  note = `keepsake append ${OLD.length} ${ADDED.length}\n${ADDED}`,
): string {
  const path = join(root, 'MEMORY.md');
  writeFileSync(join(root, '.MEMORY.md.append'), note);
  writeFileSync(path, OLD + ADDED.slice(0, done));
  return path;
}

describe('readers', () => {
  it('see all of an append or nothing, before each operation of an append in pieces', async () => {
    const root = makeRoot();
    const lock = makeLock();
    const seen = new Set<string>();
    for (let at = 1; ; at++) {
      const path = join(root, 'MEMORY.md');
      writeFileSync(path, OLD);
      const reader = makeDocument({ root, lock }).document;
      const inPieces = new FaultyFiles(nodeFiles, {
        at: 1,
        fault: { kind: 'short-write', bytes: 3_000 },
        persistent: true,
      });
      const act = async () => {
        const { text } = await reader.read();
        seen.add(text === OLD ? 'old' : text === OLD + ADDED ? 'all' : `a part: ${text.length}`);
      };
      const files = new FaultyFiles(inPieces, { at, fault: { kind: 'meanwhile', act } });
      await makeDocument({ root, lock, files }).document.append(ADDED);
      expect(readFileSync(path, 'utf8') === OLD + ADDED).toBe(true);
      if (files.failed.length === 0) break;
    }
    expect([...seen].sort()).toEqual(['all', 'old']);
  });

  it('see the whole file while a writer appends and they read it, operation by operation', async () => {
    const root = makeRoot();
    const lock = makeLock();
    const writer = makeDocument({ root, lock }).document;
    for (let at = 1; ; at++) {
      writeFileSync(join(root, 'MEMORY.md'), OLD);
      const act = async () => void (await writer.append(ADDED));
      const files = new FaultyFiles(nodeFiles, { at, fault: { kind: 'meanwhile', act } });
      const { text } = await makeDocument({ root, lock, files }).document.read();
      expect([OLD.length, OLD.length + ADDED.length]).toContain(text.length);
      if (files.failed.length === 0) break;
    }
  });
});

describe('after a writer died in the middle', () => {
  it.each([1, 100, 4_092, ADDED.length - 1])(
    '%i bytes are not shown, and cut off by the next write',
    async (done) => {
      const root = makeRoot();
      const path = leaveTorn(root, done);
      const { document } = makeDocument({ root });
      const shown = await document.read();
      expect([shown.text, shown.size]).toEqual([OLD, OLD.length]);
      // Reading changes nothing; the hash that was shown is good for a replacement.
      expect(readFileSync(path, 'utf8').length).toBe(OLD.length + done);
      await document.replace('new\n', { ifHash: shown.hash });
      await document.append('next\n');
      expect(readFileSync(path, 'utf8')).toBe('new\nnext\n');
      expect(readdirSync(root).sort()).toEqual(['.MEMORY.md.lock', 'MEMORY.md']);
    },
  );

  it('a complete append stays, and so does a file to which nothing was added yet', async () => {
    for (const done of [0, ADDED.length]) {
      const root = makeRoot();
      const path = leaveTorn(root, done);
      const { document } = makeDocument({ root });
      expect((await document.read()).size).toBe(OLD.length + done);
      await document.append('next\n');
      expect(readFileSync(path, 'utf8') === `${OLD}${ADDED.slice(0, done)}next\n`).toBe(true);
      expect(readdirSync(root).sort()).toEqual(['.MEMORY.md.lock', 'MEMORY.md']);
    }
  });

  it.each([
    ['half a note', `keepsake append ${OLD.length} ${ADDED.length}\n${ADDED.slice(0, 50)}`],
    ['an empty note', ''],
    ['someone else’s file', 'hello'],
    ['a note about another text', `keepsake append ${OLD.length} 500\n${'z'.repeat(500)}`],
    ['a note about a longer file', `keepsake append 99999 ${ADDED.length}\n${ADDED}`],
  ])('%s cuts nothing off', async (_, note) => {
    const root = makeRoot();
    const path = leaveTorn(root, 100, note);
    const { document } = makeDocument({ root });
    expect((await document.read()).size).toBe(OLD.length + 100);
    await document.append('next\n');
    expect(readFileSync(path, 'utf8')).toBe(`${OLD}${ADDED.slice(0, 100)}next\n`);
    expect(readdirSync(root).sort()).toEqual(['.MEMORY.md.lock', 'MEMORY.md']);
  });

  it('what a person saved since is theirs, even if it is the beginning of the append', async () => {
    const root = makeRoot();
    const path = leaveTorn(root, 100);
    const long = Date.now() / 1_000 - 60;
    utimesSync(join(root, '.MEMORY.md.append'), long, long);
    const { document } = makeDocument({ root });
    expect((await document.read()).size).toBe(OLD.length + 100);
    await document.append('next\n');
    expect(readFileSync(path, 'utf8')).toBe(`${OLD}${ADDED.slice(0, 100)}next\n`);
  });
});

describe('several steps under one lock', () => {
  it('reads, replaces, extends and cuts without letting anyone in between', async () => {
    const root = makeRoot();
    const lock = makeLock();
    const { document, path } = makeDocument({ root, lock });
    await document.append('one\ntwo\n');
    const other = makeDocument({ root, lock }).document;
    const began = Promise.withResolvers<void>();
    const late = began.promise.then(() => other.append('late\n'));
    await document.exclusive(async (held) => {
      began.resolve();
      const { size } = await held.facts();
      expect(Buffer.from(await held.readRange(4, 100)).toString()).toBe('two\n');
      await held.append('three\n', { ifSize: size });
      await held.truncate(4);
      const { text, hash } = await held.read();
      await held.replace(`${text}end\n`, { ifHash: hash });
      await expect(held.truncate(100)).rejects.toMatchObject({ code: 'CONFLICT' });
    });
    await late;
    expect(readFileSync(path, 'utf8')).toBe('one\nend\nlate\n');
  });
});
