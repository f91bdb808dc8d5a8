/** A local model in its worker thread: what it reads, how it fails, and that it lets the program end. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOnnxEmbedding } from '../../../src/models/onnx/onnx-embedding.ts';
import type { EmbeddingModel } from '../../../src/ports/embedding-model.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { installRuntime, modelFolder, SMALL, useNodePath, VOCABULARY } from './small-model.ts';

function open(folder = modelFolder(), spec = SMALL): EmbeddingModel {
  const model = createOnnxEmbedding(spec, folder);
  onTestFinished(() => model.close?.());
  return model;
}

/** The pieces that a vector was made of, without the two marks around them. */
function piecesIn(vector: Float32Array): string[] {
  const marks = ['[CLS]', '[SEP]'];
  return Object.keys(VOCABULARY).filter((piece) => vector[VOCABULARY[piece]!]! > 0 && !marks.includes(piece));
}

describe('embedding', () => {
  it('E-38: gives one unit vector per text, in order, over several batches', async () => {
    installRuntime();
    const colours = ['red', 'green', 'blue'];
    const texts = Array.from({ length: 100 }, (_, i) => colours[i % 3]!);
    const vectors = await open().embed(texts, 'document');
    expect(vectors.map(piecesIn)).toEqual(texts.map((text) => [text]));
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
  });

  it('puts the prompt before questions only', async () => {
    installRuntime();
    const model = open();
    expect((await model.embed(['red'], 'query')).map(piecesIn)).toEqual([['ask', 'red']]);
    expect((await model.embed(['red'], 'document')).map(piecesIn)).toEqual([['red']]);
  });

  it('gives zeros for a text without any known word, whatever the prompt says', async () => {
    installRuntime();
    const model = open();
    for (const kind of ['query', 'document'] as const) {
      const vectors = await model.embed(['', ' \n', '\u200b', 'purple', 'purple red'], kind);
      expect(vectors.map((vector) => vector.some((value) => value !== 0))).toEqual([
        false,
        false,
        false,
        false,
        true,
      ]);
    }
  });

  it('reads 512 pieces of a long text, marks included', async () => {
    installRuntime();
    const model = open();
    const long = `${'red '.repeat(509)}green ${'blue '.repeat(5000)}`;
    const [vector] = await model.embed([long], 'document');
    expect(piecesIn(vector!)).toEqual(['red', 'green']);
    // 509 times red, once green, and the two marks.
    expect(vector![VOCABULARY.red!]! / vector![VOCABULARY.green!]!).toBeCloseTo(509, 1);
  });

  it('pools the first row where the model wants it so', async () => {
    installRuntime();
    const [vector] = await open(modelFolder(), { ...SMALL, pooling: 'first' }).embed(['red'], 'document');
    expect(vector![VOCABULARY['[CLS]']!]).toBe(1);
    expect(piecesIn(vector!)).toEqual([]);
  });

  it('answers calls that were made at the same time', async () => {
    installRuntime();
    const model = open();
    const calls = ['red', 'green', 'blue'].map((text) => model.embed([text], 'document'));
    expect((await Promise.all(calls)).map(([vector]) => piecesIn(vector!))).toEqual([
      ['red'],
      ['green'],
      ['blue'],
    ]);
  });
});

describe('failing', () => {
  it('says what to install when there is no runtime, and works once it is there', async () => {
    useNodePath(temporaryFolder());
    const model = open();
    await expect(model.embed(['red'], 'document')).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      hint: expect.stringContaining('npm install onnxruntime-node'),
    });
    installRuntime();
    expect((await model.embed(['red'], 'document')).map(piecesIn)).toEqual([['red']]);
  });

  it('tells a runtime that is broken from one that is absent', async () => {
    installRuntime('throw new Error("wrong architecture");');
    await expect(open().embed(['red'], 'document')).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('wrong architecture'),
    });
  });

  it.each(['crash', 'throw'])(
    'survives a thread that ends by %s: the call fails, the next one works',
    async (word) => {
      installRuntime();
      const model = open();
      expect(await model.embed(['red'], 'document')).toHaveLength(1);
      const both = await Promise.allSettled([
        model.embed([word], 'document'),
        model.embed(['green'], 'document'),
      ]);
      for (const each of both) {
        expect(each).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE', retryable: true } });
      }
      expect((await model.embed(['blue'], 'document')).map(piecesIn)).toEqual([['blue']]);
    },
  );

  it('calls damaged files damaged', async () => {
    installRuntime();
    await expect(open(modelFolder('garbage')).embed(['red'], 'document')).rejects.toMatchObject({
      code: 'CORRUPT',
      hint: expect.stringContaining('keepsake models pull small'),
    });
    const folder = modelFolder();
    writeFileSync(join(folder, 'tokenizer.json'), '{"model":');
    await expect(open(folder).embed(['red'], 'document')).rejects.toMatchObject({ code: 'CORRUPT' });
  });

  it('refuses files of the right size whose content changed', async () => {
    installRuntime();
    const files = ['model.onnx', 'tokenizer.json'].map((name) => {
      const bytes = readFileSync(join(modelFolder(), name));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { name, bytes: bytes.length, sha256, upstream: '' };
    });
    const spec = { ...SMALL, files };
    expect(await open(modelFolder(), spec).embed(['red'], 'document')).toHaveLength(1);
    for (const { name } of files) {
      const folder = modelFolder();
      const bytes = readFileSync(join(folder, name));
      // A flipped bit that the runtime would not notice.
      bytes[bytes.length - 1]! ^= 1;
      writeFileSync(join(folder, name), bytes);
      await expect(open(folder, spec).embed(['red'], 'document')).rejects.toMatchObject({
        code: 'CORRUPT',
        message: expect.stringContaining(`${name} of the model small`),
        hint: expect.stringContaining('keepsake models pull small'),
      });
    }
  });

  it('never hands out a vector that is no number', async () => {
    installRuntime();
    await expect(open().embed(['nan'], 'document')).rejects.toMatchObject({ code: 'CORRUPT' });
  });
});

describe('ending', () => {
  it('stops between batches, and before the first', async () => {
    installRuntime();
    const model = open();
    await expect(model.embed(['red'], 'document', AbortSignal.abort())).rejects.toMatchObject({
      code: 'ABORTED',
    });
    const controller = new AbortController();
    const call = model.embed(new Array<string>(5000).fill('red'), 'document', controller.signal);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await model.embed(['red'], 'document')).toHaveLength(1);
  });

  it('refuses calls after closing, and those that wait', async () => {
    installRuntime();
    const model = open();
    const waiting = expect(model.embed(['red'], 'document')).rejects.toMatchObject({ code: 'CLOSED' });
    await model.close?.();
    await waiting;
    await expect(model.embed(['red'], 'document')).rejects.toMatchObject({ code: 'CLOSED' });
  });

  it('keeps the program alive during a call and not after it', () => {
    installRuntime();
    const entry = join(import.meta.dirname, '../../../src/models/onnx/onnx-embedding.ts');
    const program = `
      import { createOnnxEmbedding } from ${JSON.stringify(entry)};
      const model = createOnnxEmbedding(${JSON.stringify(SMALL)}, ${JSON.stringify(modelFolder())});
      console.log((await model.embed(['red', 'green'], 'document')).length);`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { encoding: 'utf8', env: { ...process.env }, timeout: 20_000 },
    );
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '2\n', stderr: '' });
  });
});
