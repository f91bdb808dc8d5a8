/** A local model that makes a vector for each token: which tokens it reads a text with, and which it gives back. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createOnnxTokens } from '../../../src/models/onnx/onnx-tokens.ts';
import type { TextInPlace } from '../../../src/ports/token-model.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { installRuntime, modelFolder, SMALL, VOCABULARY } from './small-model.ts';

const DIMENSIONS = 16;

/** Every row tells its own piece, and each piece that was read with it by a little. */
const RUNTIME = `
exports.Tensor = class { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } };
exports.InferenceSession = {
  async create() {
    return {
      inputNames: ['input_ids'],
      outputNames: ['last_hidden_state'],
      async run({ input_ids: { data } }) {
        const ids = Array.from(data, Number);
        const rows = new Float32Array(ids.length * 16);
        ids.forEach((id, i) => { for (const other of ids) rows[i * 16 + other] = 0.1; rows[i * 16 + id] = 1; });
        if (ids.includes(${VOCABULARY.nan})) rows.fill(NaN);
        return { last_hidden_state: { data: rows, dims: [1, ids.length, 16] } };
      },
    };
  },
};
`;

function open(passage = 192) {
  const projection = join(temporaryFolder(), 'projection.f32');
  // Every dimension as it is.
  const identity = Float32Array.from({ length: DIMENSIONS ** 2 }, (_, i) =>
    i % (DIMENSIONS + 1) === 0 ? 1 : 0,
  );
  writeFileSync(projection, new Uint8Array(identity.buffer));
  const space = { id: 'small/tokens', dimensions: DIMENSIONS, passage };
  const model = createOnnxTokens(SMALL, space, { folder: modelFolder(), projection });
  onTestFinished(() => model.close?.());
  return async (text: string, around: Partial<TextInPlace> = {}) => {
    const [vectors] = await model.encode([{ text, before: [], after: undefined, ...around }]);
    return Array.from({ length: vectors!.length / DIMENSIONS }, (_, i) =>
      vectors!.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS),
    );
  };
}

const PIECES = Object.keys(VOCABULARY);
/** The piece of a token, and those that were read with it. */
const told = (vector: Int8Array) => {
  const own = vector.indexOf(Math.max(...vector));
  const others = [...vector.keys()].filter((i) => i !== own && vector[i]! > 0);
  return [PIECES[own], ...others.map((i) => PIECES[i])].filter((piece) => !piece!.startsWith('['));
};

it('gives the vectors of its own tokens, read with those around it', async () => {
  installRuntime(RUNTIME);
  const encode = open();
  expect((await encode('red blue')).map(told)).toEqual([
    ['red', 'blue'],
    ['blue', 'red'],
  ]);
  const placed = await encode('red', { before: ['blue'], after: 'green' });
  expect(placed.map(told)).toEqual([['red', 'green', 'blue']]);
  expect(Math.hypot(...placed[0]!)).toBeCloseTo(127, -1);
});

it('reads the end of what was said before, and the beginning of what comes after', async () => {
  installRuntime(RUNTIME);
  const encode = open();
  const many = 'blue '.repeat(200);
  expect((await encode('red', { before: [`green ${many}`] })).map(told)).toEqual([['red', 'blue']]);
  expect((await encode('red', { before: ['green', 'blue '.repeat(95)] })).map(told)).toEqual([
    ['red', 'green', 'blue'],
  ]);
  expect((await encode('red', { after: `${'blue '.repeat(48)} green` })).map(told)).toEqual([
    ['red', 'blue'],
  ]);
});

it('reads a long text by passages, each with its own neighbours', async () => {
  installRuntime(RUNTIME);
  const rows = (await open(100)(`${'red '.repeat(100)}${'green '.repeat(100)}${'blue '.repeat(50)}`)).map(
    told,
  );
  expect(rows).toHaveLength(250);
  expect(rows[0]).toEqual(['red', 'green']);
  expect(rows[150]).toEqual(['green', 'red', 'blue']);
  expect(rows[249]).toEqual(['blue', 'green']);
});

it('reads no more passages of a text than it is asked for', async () => {
  installRuntime(RUNTIME);
  const encode = open(100);
  const text = 'red '.repeat(250);
  expect(await encode(text, { mostPassages: 1 })).toHaveLength(100);
  expect(await encode('red blue', { mostPassages: 1 })).toHaveLength(2);
});

it('gives nothing for a text that it cannot read', async () => {
  installRuntime(RUNTIME);
  const encode = open();
  expect(await encode('')).toEqual([]);
  expect(await encode('purple')).toEqual([]);
  // One known word does not make it English.
  expect(await encode('red вчера мы ездили на дачу')).toEqual([]);
});

it('refuses numbers that are none', async () => {
  installRuntime(RUNTIME);
  await expect(open()('nan')).rejects.toMatchObject({ code: 'CORRUPT' });
});
