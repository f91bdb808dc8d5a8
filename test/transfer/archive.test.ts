/** An archive holds all of a workspace, and gives all of it back: once, twice, and into a workspace that is in use. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ArchiveReport, Client } from '../../src/index.ts';
import { watchFiles } from '../fixtures/watched-files.ts';
import { testWorkspace } from '../fixtures/workspace.ts';
import { answers, fill } from './everything.ts';

const take = (client: Client, file: string, options = {}): Promise<ArchiveReport> =>
  client.import(file, options) as Promise<ArchiveReport>;

describe('an archive', () => {
  it('gives every answer back as it was', async () => {
    const from = testWorkspace();
    const file = join(from.folder, 'all.keepsake');
    const source = await fill(from);
    const exported = await source.export(file);
    expect(exported).toMatchObject({ file, records: 11, messages: 5 });
    await source.close();
    const before = await answers(from.open());
    const to = testWorkspace();
    to.clock.set(from.clock.now());
    const target = to.open();
    const report = await take(target, file);
    expect(report).toMatchObject({ conflicts: [], records: { added: 11 }, messages: { added: 5 } });
    await target.close();
    expect(await answers(to.open())).toEqual(before);
    const bytes = (folder: string) => readFileSync(join(folder, 'agents/alice/notes/bytes.bin'));
    expect(bytes(to.folder)).toEqual(bytes(from.folder));
    expect(readFileSync(join(to.folder, 'keepsake.jsonc'), 'utf8')).toContain('// ours');
    expect(
      (
        await to
          .open()
          .open()
          .then(({ storage }) => storage.maintenance.examine({ fix: false, now: 0 }))
      ).filter(({ severity }) => severity === 'problem'),
    ).toEqual([]);
  });

  it('changes nothing when it is taken in again, nor when a first try broke off', async () => {
    const from = testWorkspace();
    const file = join(from.folder, 'all.keepsake');
    await (await fill(from)).export(file);
    const to = testWorkspace();
    const target = to.open();
    const stop = new AbortController();
    const onProgress = ({ done }: { done: number }) => done > 13 && stop.abort();
    await expect(take(target, file, { signal: stop.signal, onProgress })).rejects.toMatchObject({
      code: 'ABORTED',
      hint: expect.stringContaining('nothing is added twice'),
    });
    await take(target, file);
    const before = await answers(target);
    const again = await take(target, file);
    expect(again).toMatchObject({ records: { added: 0, present: 11 }, messages: { added: 0, present: 5 } });
    expect(again.files.added).toBe(0);
    expect(await answers(target)).toEqual(before);
  });

  it('leaves what is there as it is, names what differs, and brings nothing forgotten back', async () => {
    const from = testWorkspace();
    const file = join(from.folder, 'all.keepsake');
    const source = await fill(from);
    await source.export(file);
    const [newest, other] = await source.agent({ name: 'alice' }).memory.list({ scope: 'agent' });
    await source.memory.update(newest!.id, { content: 'Changed since.' });
    await source.memory.forget(other!.id);
    const notes = join(from.folder, 'agents/alice.memory.md');
    writeFileSync(notes, '# mine\n\nedited\n');
    const planned = await take(source, file, { dryRun: true });
    const report = await take(source, file);
    expect(report.conflicts).toEqual([newest!.id, 'agents/alice.memory.md']);
    expect(report.records).toMatchObject({ added: 0, forgotten: 1 });
    expect({ ...planned, dryRun: false }).toEqual(report);
    expect(readFileSync(notes, 'utf8')).toContain('edited');
    await expect(source.memory.get(other!.id)).resolves.toMatchObject({ state: 'forgotten', content: '' });
  });

  it('older than a compaction does not bring back what was compacted away', async () => {
    const from = testWorkspace();
    const file = join(from.folder, 'all.keepsake');
    const client = from.open();
    const conversation = await client.agent({ name: 'alice' }).shortMemory;
    for (const text of ['One.', 'Two.']) await conversation.add('User', text);
    await conversation.compact({ summary: 'One and two were said.' });
    for (const text of ['Three.', 'Four.']) await conversation.add('User', text);
    await client.export(file);
    await conversation.compact({ summary: 'One to four were said.' });
    await conversation.add('User', 'Five.');
    const { storage } = await client.open();
    const before = await storage.log.boundary('alice', conversation.thread);
    expect(await take(client, file)).toMatchObject({ messages: { added: 0, present: 5 } });
    expect(await storage.log.boundary('alice', conversation.thread)).toBe(before);
  });

  it('of one agent holds nothing of another, and a dry run writes nothing', async () => {
    const from = testWorkspace();
    const file = join(from.folder, 'lead.keepsake');
    await (await fill(from)).export(file, { agent: 'lead' });
    const text = gunzipSync(readFileSync(file)).toString();
    expect(text).toContain('ships on Fridays');
    expect(text).not.toContain('alice');
    expect(text).not.toContain('keepsake.jsonc');
    const target = testWorkspace().open();
    expect(await take(target, file, { dryRun: true })).toMatchObject({
      agent: 'lead',
      records: { added: 1 },
    });
    expect(await target.memory.list()).toEqual([]);
  });

  it('carries no password, and no file that a link leads to', async () => {
    const from = testWorkspace();
    const secret = 'postgres://keeper:hunter2@db.example.org/memory';
    writeFileSync(join(from.folder, 'keepsake.jsonc'), `{ /* ${secret} */ }`);
    mkdirSync(join(from.folder, 'agents'));
    symlinkSync('/etc/hostname', join(from.folder, 'agents/stolen.md'));
    const file = join(from.folder, 'all.keepsake');
    await from.open().export(file);
    const text = gunzipSync(readFileSync(file)).toString();
    const config = /"keepsake.jsonc".*?"base64":"([^"]*)"/.exec(text)?.[1] ?? '';
    expect(Buffer.from(config, 'base64').toString()).toContain('postgres://keeper@db.example.org/memory');
    expect(text).not.toContain('stolen');
  });

  it.each([0, 1, 512 * 1024 - 1, 512 * 1024, 512 * 1024 + 1, 1_300_000])(
    'brings a file of %i bytes back as it was',
    async (size) => {
      const from = testWorkspace();
      const name = 'agents/alice/notes.bin';
      mkdirSync(join(from.folder, 'agents/alice'), { recursive: true });
      const bytes = Buffer.alloc(size, 'the quick brown fox ');
      writeFileSync(join(from.folder, name), bytes);
      const file = join(from.folder, 'all.keepsake');
      expect(await from.open().export(file)).toMatchObject({ files: 1 });
      const lines = gunzipSync(readFileSync(file)).toString().split('\n');
      const pieces = lines.filter((line) => line.includes(name)).map((line) => JSON.parse(line));
      expect(pieces.map(({ base64 }) => Buffer.byteLength(base64, 'base64'))).toEqual(
        size === 0
          ? [0]
          : Array.from({ length: Math.ceil(size / 524_288) }, (_, i) =>
              Math.min(524_288, size - i * 524_288),
            ),
      );
      const to = testWorkspace();
      expect(await take(to.open(), file)).toMatchObject({ files: { added: 1 } });
      expect(readFileSync(join(to.folder, name)).equals(bytes)).toBe(true);
    },
  );

  it('that is not there, or cannot be read, is said to be so', async () => {
    const { folder, open } = testWorkspace();
    const client = open();
    await expect(take(client, join(folder, 'none.keepsake'), { from: 'keepsake' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    writeFileSync(join(folder, 'file'), 'x');
    await expect(take(client, join(folder, 'file', 'x'), { from: 'keepsake' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(take(client, folder, { from: 'keepsake' })).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
    });
  });

  it('that exists is not overwritten unless asked', async () => {
    const from = testWorkspace();
    const client = from.open();
    const file = join(from.folder, 'all.keepsake');
    writeFileSync(file, 'precious');
    await expect(client.export(file)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(readFileSync(file, 'utf8')).toBe('precious');
    await client.export(file, { force: true });
    expect(existsSync(`${file}.part`)).toBe(false);
  });
});

describe('an archive gets its name when all of it is on the disk', () => {
  it.each([
    ['link', {}],
    ['rename', { force: true }],
  ])('by %s', async (how, options) => {
    const from = testWorkspace();
    const client = await fill(from);
    const file = join(from.folder, 'all.keepsake');
    const seen = await watchFiles();
    await client.export(file, options);
    expect(seen).toEqual([`sync ${file}.part`, `${how} ${file}.part ${file}`]);
  });

  it('and so do the files that it brings into a workspace', async () => {
    const from = testWorkspace();
    const file = join(from.folder, 'all.keepsake');
    await (await fill(from)).export(file);
    const to = testWorkspace();
    const client = to.open();
    await client.open();
    const seen = await watchFiles();
    const { files } = await take(client, file);
    expect(files.added).toBeGreaterThan(1);
    const named = seen.filter((line) => line.startsWith('link '));
    expect(named).toHaveLength(files.added);
    for (const line of named) {
      const [, temporary] = line.split(' ');
      expect(seen[seen.indexOf(line) - 1]).toBe(`sync ${temporary}`);
    }
  });
});

describe('a damaged archive', () => {
  async function archive(): Promise<{
    file: string;
    lines: string[];
    write(lines: readonly string[]): void;
  }> {
    const from = testWorkspace();
    const file = join(from.folder, 'all.keepsake');
    await (await fill(from)).export(file);
    const lines = gunzipSync(readFileSync(file)).toString().split('\n').slice(0, -1);
    return {
      file,
      lines,
      write: (changed) => writeFileSync(file, gzipSync(changed.map((line) => `${line}\n`).join(''))),
    };
  }

  it('is refused with the line, and nothing of it is taken in', async () => {
    const { file, lines, write } = await archive();
    const whole = readFileSync(file);
    const target = testWorkspace().open();
    const refused = async (code = 'CORRUPT') => {
      const error = await take(target, file).then(
        () => undefined,
        (thrown: { code: string; message: string }) => thrown,
      );
      expect(error?.code).toBe(code);
      return error!.message;
    };
    writeFileSync(file, whole.subarray(0, whole.length / 2));
    expect(await refused()).toMatch(/damaged at line \d+: it cannot be unpacked/);
    write(lines.slice(0, -1));
    expect(await refused()).toContain(`line ${lines.length}: the end is missing`);
    write(lines.with(2, lines[2]!.slice(5)));
    expect(await refused()).toContain('line 3: it is not valid JSON');
    write(lines.with(1, lines[1]!.replace('"confidence":0.7', '"confidence":7')));
    expect(await refused()).toMatch(/line 2: confidence: /);
    write(lines.with(1, lines[1]!.replace('tea', 'tar')));
    expect(await refused()).toContain('the checksum does not match');
    write(lines.toSpliced(3, 1));
    expect(await refused()).toContain('the checksum does not match');
    write(lines.with(0, lines[0]!.replace('"version":1', '"version":9')));
    expect(await refused('TOO_NEW')).toContain('version 9');
    write(['{"hello":1}']);
    expect(await refused('INVALID_INPUT')).toContain('is not a Keepsake archive');
    expect(await target.memory.list({ state: 'any' })).toEqual([]);
  });

  it('cannot write outside of the workspace', async () => {
    const { file, lines, write } = await archive();
    const target = testWorkspace().open();
    for (const path of [
      '../evil.md',
      'agents/../../evil.md',
      '/tmp/evil.md',
      'data/server.key',
      'agents/.x',
    ]) {
      const base64 = Buffer.from('evil').toString('base64');
      const body = [lines[0]!, JSON.stringify({ kind: 'file', path, offset: 0, size: 4, base64 })];
      const sha256 = createHash('sha256')
        .update(body.map((line) => `${line}\n`).join(''))
        .digest('hex');
      write([
        ...body,
        JSON.stringify({ kind: 'end', counts: { records: 0, messages: 0, files: 1 }, sha256 }),
      ]);
      await expect(take(target, file)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});
