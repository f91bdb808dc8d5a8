/** Adding a text that depends on what it follows. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DocumentEnd, nodeFiles } from '../../src/documents/index.ts';
import { FaultyFiles } from '../../src/testing/faulty-files.ts';
import { codeOf, makeDocument, makeLock, makeRoot } from './fixture.ts';

const LONG = 'a line that is added\n'.repeat(400);

/** A line break first, unless there is one. */
async function onItsOwnLine(end: DocumentEnd): Promise<string> {
  const last = await end.lastByte();
  return `${last === undefined || last === 0x0a ? '' : '\n'}(after ${end.size})`;
}

describe('extend', () => {
  it.each([
    ['nothing', undefined, '(after 0)'],
    ['an empty file', '', '(after 0)'],
    ['a complete line', 'old\n', 'old\n(after 4)'],
    ['half a line', 'old', 'old\n(after 3)'],
  ])('after %s', async (_what, before, after) => {
    const { document, path } = makeDocument();
    if (before !== undefined) writeFileSync(path, before);
    await document.exclusive((held) => held.extend(onItsOwnLine));
    expect(readFileSync(path, 'utf8')).toBe(after);
  });

  it('composes again for the file that an editor put in its place', async () => {
    const root = makeRoot();
    const lock = makeLock();
    const seen = new Set<string>();
    for (let at = 1; ; at++) {
      const path = join(root, `${at}.md`);
      writeFileSync(path, 'old\n');
      const act = async () => {
        writeFileSync(`${path}.new`, 'another\n');
        renameSync(`${path}.new`, path);
      };
      const files = new FaultyFiles(nodeFiles, { at, fault: { kind: 'meanwhile', act } });
      const { document } = makeDocument({ root, path, lock, files });
      await document.exclusive((held) => held.extend(onItsOwnLine));
      seen.add(readFileSync(path, 'utf8'));
      if (files.failed.length === 0) break;
    }
    // Who saves after the last look saves after us.
    expect([...seen].sort()).toEqual(['another\n', 'another\n(after 8)', 'old\n(after 4)']);
  });

  it('adds nothing when composing fails, and hands on the error', async () => {
    const { document, path } = makeDocument();
    writeFileSync(path, 'old\n');
    const failing = document.exclusive((held) =>
      held.extend(async () => {
        throw new Error('I have nothing to say.');
      }),
    );
    await expect(failing).rejects.toThrow('I have nothing to say.');
    expect(readFileSync(path, 'utf8')).toBe('old\n');
  });

  it('refuses what would make the document too large', async () => {
    const { document, path } = makeDocument({ maxBytes: 10 });
    writeFileSync(path, 'old\n');
    expect(await codeOf(document.exclusive((held) => held.extend(async () => 'too long')))).toBe('TOO_LARGE');
    expect(readFileSync(path, 'utf8')).toBe('old\n');
  });

  it.each([
    { journaled: true, noted: false },
    { journaled: false, noted: true },
  ])(
    'leaves a note beside the document only for a caller without a journal: %o',
    async ({ journaled, noted }) => {
      const root = makeRoot();
      const path = join(root, 'MEMORY.md');
      writeFileSync(path, 'old\n');
      let seen = false;
      const watching = new Proxy(nodeFiles, {
        get: (target, name: keyof typeof nodeFiles) => {
          if (name === 'realpath') seen ||= existsSync(join(root, '.MEMORY.md.append'));
          return target[name];
        },
      });
      const { document } = makeDocument({ root, files: watching });
      await document.exclusive((held) => held.extend(async () => LONG, { journaled }));
      expect(readFileSync(path, 'utf8')).toBe(`old\n${LONG}`);
      expect(seen).toBe(noted);
      expect(existsSync(join(root, '.MEMORY.md.append'))).toBe(false);
    },
  );
});
