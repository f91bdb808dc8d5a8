/** What a document promises when nothing goes wrong, and when others change the file. */
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ABSENT, ANY } from '../../src/documents/index.ts';
import { codeOf, errorOf, makeDocument, makeLock, makeRoot } from './fixture.ts';

const visible = (folder: string) => readdirSync(folder).filter((name) => !name.endsWith('.lock'));

/** Texts that careless programs change on the way. */
const DELICATE: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['a line without an end', 'one'],
  ['carriage returns', 'one\r\ntwo\r\n'],
  ['mixed line ends', 'one\r\ntwo\nthree\rfour'],
  ['a byte order mark', '\ufeff# Title\n'],
  ['two byte order marks', '\ufeff\ufeff# Title\n'],
  ['a mark in the middle', 'a\ufeffb'],
  ['NUL characters', 'a\0b\0\0'],
  ['emoji and joiners', '👩‍👩‍👧‍👦 🇩🇪 e\u0301 é'],
  ['line separators', 'a\u2028b\u2029c\u0085d'],
  ['the last code point', '\u{10ffff}\ufffd\uffff'],
  ['trailing blanks', '  a  \n\n\n \t\n'],
  ['ten megabytes', '0123456789abcdé\n'.repeat(655_360)],
];

describe('round trips', () => {
  it.each(DELICATE)('keeps %s exactly, by replace, append and update', async (_, text) => {
    const { document, path } = makeDocument();
    const written = await document.replace(text, { ifHash: ABSENT });
    const read = await document.read();
    expect(read.text === text).toBe(true);
    expect([read.hash, read.size]).toEqual([written.hash, written.size]);
    expect(readFileSync(path).equals(Buffer.from(text))).toBe(true);
    await document.append(text);
    expect((await document.read()).text === text + text).toBe(true);
    await document.update((present) => `${text}|${present}`);
    expect((await document.read()).text === `${text}|${text}${text}`).toBe(true);
  });

  it('tells what the encoding is', async () => {
    const { document } = makeDocument();
    const facts = async (text: string) => {
      await document.replace(text, { ifHash: ANY });
      const { bom, lineEnding, exists } = await document.read();
      return { bom, lineEnding, exists };
    };
    expect(await facts('\ufeffa\r\nb')).toEqual({ bom: true, lineEnding: 'crlf', exists: true });
    expect(await facts('a\nb')).toEqual({ bom: false, lineEnding: 'lf', exists: true });
    expect(await facts('a\nb\r\n')).toEqual({ bom: false, lineEnding: 'mixed', exists: true });
    expect(await facts('')).toEqual({ bom: false, lineEnding: 'none', exists: true });
  });

  it('refuses text that has no UTF-8 form, instead of changing it', async () => {
    const { document, path } = makeDocument();
    for (const text of ['half \ud83d', '\udc00 half', 'a\ud83d\ud83db']) {
      expect(await codeOf(document.replace(text, { ifHash: ANY }))).toBe('INVALID_INPUT');
      expect(await codeOf(document.append(text))).toBe('INVALID_INPUT');
      expect(await codeOf(document.update(() => text))).toBe('INVALID_INPUT');
    }
    expect(existsSync(path)).toBe(false);
  });

  it('reports bytes that are not UTF-8 with their place, leaves them alone, and still hands them out', async () => {
    const { document, path } = makeDocument();
    const bytes = Buffer.concat([Buffer.from('one\ntwo\ncaf'), Buffer.from([0xe9]), Buffer.from('\nfour\n')]);
    writeFileSync(path, bytes);
    const error = await errorOf(document.read());
    expect([error.code, error.details.line, error.details.offset]).toEqual(['CORRUPT', 3, 11]);
    expect(error.message).toContain(path);
    expect(await codeOf(document.update((text) => `${text}!`))).toBe('CORRUPT');
    expect(readFileSync(path).equals(bytes)).toBe(true);
    const raw = await document.readBytes();
    expect(Buffer.from(raw.bytes).equals(bytes)).toBe(true);
    await document.replace('café\n', { ifHash: raw.hash });
    expect((await document.read()).text).toBe('café\n');
  });
});

describe('reading', () => {
  it('tells an absent document from an empty one, and leaves no trace', async () => {
    const root = makeRoot();
    const { document, path } = makeDocument({ root, path: join(root, 'agents', 'a', 'MEMORY.md') });
    expect(await document.read()).toEqual({
      exists: false,
      text: '',
      hash: ABSENT,
      size: 0,
      mtimeMs: 0,
      bom: false,
      lineEnding: 'none',
    });
    expect(readdirSync(root)).toEqual([]);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '');
    const { exists, hash, mtimeMs } = await document.read();
    expect([exists, hash, mtimeMs]).toEqual([
      true,
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      Math.floor(statSync(path).mtimeMs),
    ]);
    expect(readdirSync(join(path, '..'))).toEqual(['MEMORY.md']);
  });

  it('refuses what is larger than the limit, in every direction', async () => {
    const { document, path } = makeDocument({ maxBytes: 10 });
    expect(await codeOf(document.replace('12345678901', { ifHash: ANY }))).toBe('TOO_LARGE');
    await document.replace('1234567890', { ifHash: ANY });
    expect(await codeOf(document.append('1'))).toBe('TOO_LARGE');
    expect(readFileSync(path, 'utf8')).toBe('1234567890');
    writeFileSync(path, '12345678901');
    expect(await codeOf(document.read())).toBe('TOO_LARGE');
    expect(await codeOf(document.update(() => 'x'))).toBe('TOO_LARGE');
  });
});

describe('replacing', () => {
  it('compares before it swaps, and names both hashes', async () => {
    const { document, path } = makeDocument();
    const { hash } = await document.replace('one', { ifHash: ABSENT });
    writeFileSync(path, 'one, edited by hand');
    const found = (await document.read()).hash;
    const error = await errorOf(document.replace('two', { ifHash: hash }));
    expect([error.code, error.details.expected, error.details.found]).toEqual(['CONFLICT', hash, found]);
    expect(await codeOf(document.replace('two', { ifHash: ABSENT }))).toBe('CONFLICT');
    expect(readFileSync(path, 'utf8')).toBe('one, edited by hand');
    await document.replace('two', { ifHash: found });
    await document.replace('three', { ifHash: ANY });
    expect(readFileSync(path, 'utf8')).toBe('three');
    expect(visible(join(path, '..'))).toEqual(['MEMORY.md']);
  });

  it('conflicts when the document is gone', async () => {
    const { document } = makeDocument();
    expect(await codeOf(document.replace('two', { ifHash: 'e3b0' }))).toBe('CONFLICT');
    expect((await document.read()).exists).toBe(false);
  });

  it('creates private files in private folders, whatever the umask', async () => {
    const root = makeRoot();
    const { document, path } = makeDocument({ root, path: 'agents/a/MEMORY.md' });
    const umask = process.umask(0);
    try {
      await document.replace('one', { ifHash: ABSENT });
    } finally {
      process.umask(umask);
    }
    const mode = (at: string) => statSync(join(root, at)).mode & 0o777;
    expect([path, mode(path), mode('agents/a'), mode('agents'), mode('agents/a/.MEMORY.md.lock')]).toEqual([
      'agents/a/MEMORY.md',
      0o600,
      0o700,
      0o700,
      0o600,
    ]);
  });

  it.each([0o644, 0o600, 0o640, 0o400, 0o664])('keeps the mode %o of a file that exists', async (mode) => {
    const { document, path } = makeDocument();
    writeFileSync(path, 'one');
    chmodSync(path, mode);
    await document.update(() => 'two');
    expect(statSync(path).mode & 0o7777).toBe(mode);
    expect(readFileSync(path, 'utf8')).toBe('two');
  });

  // Only root may give a file to someone else; under any other user there is nothing to keep.
  it.runIf(process.getuid?.() === 0)('keeps the owner when root writes', async () => {
    const { document, path } = makeDocument();
    writeFileSync(path, 'one');
    chownSync(path, 65_534, 65_534);
    await document.replace('two', { ifHash: ANY });
    expect([statSync(path).uid, statSync(path).gid, statSync(path).mode & 0o777]).toEqual([
      65_534, 65_534, 0o644,
    ]);
  });
});

describe('updating', () => {
  it('loses nothing when many tasks update at once', async () => {
    const root = makeRoot();
    const lock = makeLock();
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        makeDocument({ root, lock }).document.update((text) => `${text}line ${i}\n`),
      ),
    );
    const { text } = await makeDocument({ root, lock }).document.read();
    expect(text.trimEnd().split('\n').sort()).toEqual(
      Array.from({ length: 50 }, (_, i) => `line ${i}`).sort(),
    );
  });

  it('writes nothing when there is nothing to change', async () => {
    const { document, path } = makeDocument();
    await document.replace('one', { ifHash: ABSENT });
    const before = statSync(path, { bigint: true });
    expect((await document.update(() => undefined)).changed).toBe(false);
    expect((await document.update((text) => text)).changed).toBe(false);
    const after = statSync(path, { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
    expect((await document.update(() => '')).changed).toBe(true);
  });

  it('starts again on the text of a person who saved meanwhile, in place or by renaming', async () => {
    for (const save of [writeFileSync, saveByRename]) {
      const { document, path } = makeDocument();
      writeFileSync(path, 'one\n');
      const seen: string[] = [];
      await document.update((text) => {
        seen.push(text);
        if (seen.length === 1) save(path, 'one\nby hand\n');
        return `${text}two\n`;
      });
      expect(seen).toEqual(['one\n', 'one\nby hand\n']);
      expect(readFileSync(path, 'utf8')).toBe('one\nby hand\ntwo\n');
    }
  });

  it('gives up with CONFLICT on a file that never rests', async () => {
    const { document, path } = makeDocument();
    let saves = 0;
    const error = await errorOf(
      document.update((text) => {
        writeFileSync(path, `${++saves}`);
        return `${text}!`;
      }),
    );
    expect(error.code).toBe('CONFLICT');
    expect(readFileSync(path, 'utf8')).toBe(`${saves}`);
    expect(visible(join(path, '..'))).toEqual(['MEMORY.md']);
  });

  it('passes on what the caller throws, once, with the file as it was', async () => {
    const { document, path } = makeDocument();
    await document.replace('one', { ifHash: ABSENT });
    let calls = 0;
    const boom = Object.assign(new Error('mine'), { code: 'CONFLICT' });
    const error = await errorOf(
      document.update(() => {
        calls++;
        throw boom;
      }),
    );
    expect([error, calls, readFileSync(path, 'utf8')]).toEqual([boom, 1, 'one']);
  });

  it('says so when it is used inside itself', async () => {
    const { document } = makeDocument();
    const inner: string[] = [];
    await document.update(async () => {
      inner.push(await codeOf(document.append('x')), (await document.read()).hash);
      return 'done';
    });
    expect(inner).toEqual(['INTERNAL', ABSENT]);
  });
});

describe('appending', () => {
  it('adds to the file that is there, and keeps its inode', async () => {
    const { document, path } = makeDocument();
    expect(await document.append('one\n')).toEqual({ size: 4 });
    const { ino } = statSync(path);
    expect(await document.append('zwölf\n')).toEqual({ size: 11 });
    expect([statSync(path).ino, readFileSync(path, 'utf8')]).toEqual([ino, 'one\nzwölf\n']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('can insist on a size', async () => {
    const { document, path } = makeDocument();
    expect(await codeOf(document.append('x', { ifSize: 3 }))).toBe('CONFLICT');
    await document.append('one', { ifSize: 0 });
    await document.append('two', { ifSize: 3 });
    appendFileSync(path, ' by hand');
    const error = await errorOf(document.append('three', { ifSize: 6 }));
    expect([error.code, error.details.expected, error.details.found]).toEqual(['CONFLICT', 6, 14]);
    expect(readFileSync(path, 'utf8')).toBe('onetwo by hand');
  });

  it('keeps fifty concurrent texts whole and in order of their calls', async () => {
    const { document } = makeDocument();
    const lines = Array.from({ length: 50 }, (_, i) => `${i} ${'x'.repeat(i * 10)}\n`);
    await Promise.all(lines.map((line) => document.append(line)));
    expect((await document.read()).text.split('\n')).toEqual(lines.join('').split('\n'));
  });
});

describe('removing', () => {
  it('removes what is as expected, and nothing else', async () => {
    const { document, path } = makeDocument();
    expect(await document.remove({ ifHash: ANY })).toBe(false);
    expect(await codeOf(document.remove({ ifHash: 'e3b0' }))).toBe('CONFLICT');
    const { hash } = await document.replace('one', { ifHash: ABSENT });
    writeFileSync(path, 'by hand');
    expect(await codeOf(document.remove({ ifHash: hash }))).toBe('CONFLICT');
    expect(await codeOf(document.remove({ ifHash: ABSENT }))).toBe('CONFLICT');
    expect(readFileSync(path, 'utf8')).toBe('by hand');
    expect(await document.remove({ ifHash: (await document.read()).hash })).toBe(true);
    expect(visible(join(path, '..'))).toEqual([]);
    await document.replace('again', { ifHash: ABSENT });
    expect(await document.remove({ ifHash: ANY })).toBe(true);
    expect((await document.read()).exists).toBe(false);
  });

  it('creates no folder for what is not there', async () => {
    const root = makeRoot();
    expect(await makeDocument({ root, path: 'a/b.md' }).document.remove({ ifHash: ANY })).toBe(false);
    expect(readdirSync(root)).toEqual([]);
  });
});

function saveByRename(path: string, text: string): void {
  writeFileSync(`${path}.swp`, text);
  renameSync(`${path}.swp`, path);
}
