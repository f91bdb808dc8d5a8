/** Late interaction with the real model: which of two notes answers, where only the line before it says whom it is about. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lateInteraction } from '../../../../src/drivers/search-kernels/tokens/late-interaction.ts';
import { LOCAL_MODELS } from '../../../../src/models/onnx/catalog.ts';
import { createOnnxTokens } from '../../../../src/models/onnx/index.ts';
import type { TextInPlace, TokenModel } from '../../../../src/ports/token-model.ts';
import { packageFile } from '../../../../src/runtime/package-root.ts';
import { NOTES } from './pairs.ts';
import { prepareModel, prepareRuntime } from './prepare.ts';

const local = LOCAL_MODELS.find(({ tokens }) => tokens !== undefined)!;
let model: TokenModel;

beforeAll(async () => {
  process.env.NODE_PATH = prepareRuntime();
  const { projection, ...space } = local.tokens!;
  model = createOnnxTokens(local, space, {
    folder: await prepareModel(local),
    projection: packageFile(projection),
  });
});
afterAll(() => model.close?.());

const alone = (text: string): TextInPlace => ({ text, before: [], after: undefined });

async function match(question: string, texts: readonly TextInPlace[]): Promise<number[]> {
  const [asked, ...read] = await model.encode([alone(question), ...texts]);
  return read.map((vectors) => lateInteraction(asked!, vectors, model));
}

it('finds the note that answers each question', async () => {
  const notes = NOTES.map(([note]) => alone(note));
  let right = 0;
  for (const [i, [, , question]] of NOTES.entries()) {
    const matches = await match(question, notes);
    if (matches.indexOf(Math.max(...matches)) === i) right += 1;
  }
  expect(right).toBeGreaterThanOrEqual(NOTES.length - 1);
});

it('reads a line together with the one before it', async () => {
  const text = 'Ben: In March, on the second Sunday.';
  const [with_, without] = await match('When is the birthday of the sister?', [
    { text, before: ['Ann: When does your sister have her birthday?'], after: undefined },
    alone(text),
  ]);
  expect(with_!).toBeGreaterThan(without! + 0.02);
});

it('reads no other script', async () => {
  const [first, second] = await model.encode([alone('我的猫叫皮克斯'), alone('Моего кота зовут Пиксель')]);
  expect([first!.length, second!.length]).toEqual([0, 0]);
});
