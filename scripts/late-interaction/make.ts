/**
 * Makes the directions along which token vectors are stored (models/late-interaction): `node scripts/late-interaction/make.ts
 * --corpus <clone of QMSum> --model <folder of minilm>`, with onnxruntime-node on the NODE_PATH. A few minutes.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEncoder } from '../../src/models/onnx/runtime.ts';
import { createWordPiece } from '../../src/models/onnx/word-piece.ts';
import { eigenvectors } from './eigenvectors.ts';

const WIDTH = 384;
const KEPT = 64;
/** Directions are scaled by their share of the variance to this power, so that the few large ones do not decide alone. */
const LEVELLING = -0.25;
const TURNS_PER_MEETING = 10;
const [BEFORE, OWN, AFTER] = [96, 192, 48];
/** SHA-256 over the meetings in data/ALL/train of Yale-LILY/QMSum, commit 83d7768c, in the order of their names. */
const CORPUS = '7535aa14c6596dde4d6875d662da5cb0adc1c81c5018b4cb1e159212c9aa4a6b';

const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    model: { type: 'string' },
    out: { type: 'string', default: 'models/late-interaction/minilm.f32' },
  },
});
if (options.corpus === undefined || options.model === undefined)
  throw new Error('--corpus and --model are needed');

interface Turn {
  readonly speaker: string;
  readonly content: string;
}

/** Transcripts mark sounds and breaks in braces and angle brackets. */
const tidy = (text: string): string =>
  text
    .replace(/\{[a-z]+\}|<[^>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,?!])/g, '$1')
    .trim();

function meetings(folder: string): string[][] {
  const hash = createHash('sha256');
  const files = readdirSync(folder).sort();
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  for (const text of texts) hash.update(text);
  const found = hash.digest('hex');
  if (found !== CORPUS) throw new Error(`The corpus is another one: ${found}.`);
  return texts.map((text) => {
    const { meeting_transcripts: turns } = JSON.parse(text) as { meeting_transcripts: Turn[] };
    return turns.map(({ speaker, content }) => `${speaker}: ${tidy(content)}`);
  });
}

/** Ten turns of each meeting, spread over it, none very short or long. */
function chosen(turns: readonly string[]): number[] {
  const fitting = [...turns.keys()].filter((i) => {
    const words = turns[i]!.split(' ').length;
    return words >= 10 && words <= 120;
  });
  const step = Math.max(1, Math.floor(fitting.length / TURNS_PER_MEETING));
  return fitting.filter((_, i) => i % step === 0 && i < step * TURNS_PER_MEETING);
}

const { model } = JSON.parse(readFileSync(join(options.model, 'tokenizer.json'), 'utf8')) as {
  model: { vocab: Record<string, number> };
};
const wordPiece = createWordPiece(model.vocab);
const encode = await openEncoder(join(options.model, 'model.onnx'));
const [begin, end] = wordPiece.encode('', 2) as [number, number];
const piecesOf = (text = '', most = 500): number[] => wordPiece.encode(text, most + 2).slice(1, -1);

const moments = new Float64Array(WIDTH * WIDTH);
let tokens = 0;
for (const turns of meetings(join(options.corpus, 'data/ALL/train'))) {
  for (const i of chosen(turns)) {
    const before = [...piecesOf(turns[i - 2]), ...piecesOf(turns[i - 1])].slice(-BEFORE);
    const own = piecesOf(turns[i], OWN);
    const rows = await encode([begin, ...before, ...own, ...piecesOf(turns[i + 1], AFTER), end]);
    for (let token = 0; token < own.length; token++) {
      const row = rows.subarray((1 + before.length + token) * WIDTH).subarray(0, WIDTH);
      const length = Math.hypot(...row);
      for (let a = 0; a < WIDTH; a++)
        for (let b = 0; b < WIDTH; b++) moments[a * WIDTH + b]! += (row[a]! * row[b]!) / length ** 2;
      tokens++;
    }
  }
}
for (let i = 0; i < moments.length; i++) moments[i]! /= tokens;

const directions = new Float32Array(KEPT * WIDTH);
for (const [i, { value, vector }] of eigenvectors(moments, WIDTH, KEPT).entries())
  directions.set(
    vector.map((part) => part * value ** LEVELLING),
    i * WIDTH,
  );
writeFileSync(options.out, new Uint8Array(directions.buffer));
console.log(
  `${tokens} tokens, SHA-256 ${createHash('sha256').update(new Uint8Array(directions.buffer)).digest('hex')}`,
);
