/** The real local models on a real ONNX runtime; too large for every run, so a group of its own: see vitest.config.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCAL_MODELS } from '../../../../src/models/onnx/catalog.ts';
import { createOnnxEmbedding } from '../../../../src/models/onnx/onnx-embedding.ts';
import type { EmbeddingModel } from '../../../../src/ports/embedding-model.ts';
import { NOTES } from './pairs.ts';
import { prepareModel, prepareRuntime, RUNTIME } from './prepare.ts';

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const notes = NOTES.map(([note]) => note);
const inOtherWords = NOTES.map(([, other]) => other);
const questions = NOTES.map(([, , question]) => question);

beforeAll(() => {
  process.env.NODE_PATH = prepareRuntime();
});

describe.each(LOCAL_MODELS)(`$name on ${RUNTIME}`, (local) => {
  let model: EmbeddingModel;

  beforeAll(async () => {
    model = createOnnxEmbedding(local, await prepareModel(local));
  });
  afterAll(() => model.close?.());

  it('makes unit vectors that do not depend on their neighbours', async () => {
    const all = await model.embed(notes, 'document');
    for (const vector of all) {
      expect(vector).toHaveLength(384);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
    expect(await model.embed([notes[3]!], 'document')).toEqual([all[3]]);
  });

  it('finds the note that answers each question', async () => {
    const documents = await model.embed(notes, 'document');
    const asked = await model.embed(questions, 'query');
    const best = asked.map((question) => {
      const scores = documents.map((document) => cosine(question, document));
      return scores.indexOf(Math.max(...scores));
    });
    expect(best).toEqual(notes.map((_, i) => i));
  });

  it('has the calibration that was measured', async () => {
    const a = await model.embed(notes, 'document');
    const b = await model.embed(inOtherWords, 'document');
    const same = median(a.map((vector, i) => cosine(vector, b[i]!)));
    const unrelated = median(
      a.flatMap((vector, i) => b.filter((_, j) => j !== i).map((other) => cosine(vector, other))),
    );
    expect(Math.abs(local.calibration.unrelated - unrelated)).toBeLessThan(0.1);
    expect(Math.abs(local.calibration.same - same)).toBeLessThan(0.1);
  });

  it('reads texts of any length and kind', async () => {
    const texts = ['word '.repeat(20_000), '中文 текст עברית 😀', 'x'.repeat(5_000), '', 'ሀሁሂ'];
    const vectors = await model.embed(texts, 'document');
    expect(vectors.map((vector) => Math.round(Math.hypot(...vector)))).toEqual([1, 1, 0, 0, 0]);
  });
});
