/** From the teacher's vectors to a trained table: principal components of sentences, then the training. */
import { scaleRows, zipfWeights } from './distil.ts';
import {
  type Matrix,
  matrix,
  meanRow,
  normaliseRows,
  principalComponents,
  project,
  subtractRow,
} from './matrix.ts';
import { makeLesson, meanCosine, train } from './train.ts';

/** So many texts are enough to find the directions in which texts differ. */
const COMPONENT_SAMPLE = 40_000;
const TRAINING = { epochs: 6, rate: 0.004, batch: 128, seed: 1 } as const;

export interface Materials {
  /** The teacher's unit vectors: of each piece alone, and of each text. */
  readonly pieceVectors: Matrix;
  readonly textVectors: Matrix;
  /** Rows of the table that each text consists of. */
  readonly textRows: readonly (readonly number[])[];
  readonly dimensions: number;
  /** The first so many texts are not trained with. */
  readonly heldOut: number;
  readonly say: (message: string) => void;
}

export function refine(materials: Materials): Matrix {
  const { dimensions, heldOut, say } = materials;
  const texts = centred(materials.textVectors);
  const sample = Math.min(COMPONENT_SAMPLE, texts.rows);
  const components = principalComponents(
    matrix(texts.data.subarray(0, sample * texts.columns), texts.columns),
    dimensions,
  );
  say('components found');
  const table = project(centred(materials.pieceVectors), components);
  const targets = new Float32Array((texts.rows + table.rows) * dimensions);
  targets.set(project(texts, components).data);
  // Each piece alone is a text too: so rows that no sentence has stay in the same space as the others.
  targets.set(table.data, texts.rows * dimensions);
  const units = matrix(targets, dimensions);
  normaliseRows(units);
  const alone = Array.from({ length: table.rows }, (_, row) => [row]);
  const lesson = makeLesson([...materials.textRows, ...alone], units);

  scaleRows(table, zipfWeights(table.rows));
  toMeanLengthOne(table);
  const held = Array.from({ length: heldOut }, (_, text) => text);
  const training = Array.from({ length: units.rows - heldOut }, (_, text) => heldOut + text);
  const report = (when: string): void =>
    say(`${when}: cosine to the teacher on held-out texts ${meanCosine(table, lesson, held).toFixed(4)}`);
  report('untrained');
  train(table, lesson, training, TRAINING, (epoch) => report(`epoch ${epoch + 1}`));
  return table;
}

/** Without the mean: the teacher's vectors all lean one way, which says nothing about their meaning. */
function centred(vectors: Matrix): Matrix {
  const copy = matrix(Float32Array.from(vectors.data), vectors.columns);
  subtractRow(copy, meanRow(copy));
  return copy;
}

/** The training's rate presumes rows of about this length. */
function toMeanLengthOne(table: Matrix): void {
  let total = 0;
  for (let row = 0; row < table.rows; row += 1) {
    total += Math.hypot(...table.data.subarray(row * table.columns, (row + 1) * table.columns));
  }
  const factor = table.rows / total;
  for (let i = 0; i < table.data.length; i += 1) table.data[i]! *= factor;
}
