/** Moves the rows of a table until the sum of a text's rows points where the teacher's vector of the text points. */
import { seeded, shuffle } from './corpus.ts';
import type { Matrix } from './matrix.ts';

export interface Lesson {
  /** Rows of the table that a text consists of, text after text; text n ends where `ends[n]` says. */
  readonly rows: Int32Array;
  readonly ends: Int32Array;
  /** Unit vectors, one per text. */
  readonly targets: Matrix;
}

export interface TrainingOptions {
  readonly epochs: number;
  readonly rate: number;
  readonly batch: number;
  readonly seed: number;
}

const BETA1 = 0.9;
const BETA2 = 0.99;
const EPSILON = 1e-8;

export function makeLesson(texts: readonly (readonly number[])[], targets: Matrix): Lesson {
  let end = 0;
  const ends = Int32Array.from(texts, (rows) => (end += rows.length));
  return { rows: Int32Array.from(texts.flat()), ends, targets };
}

/** Sums the rows of one text and returns the length of the sum. */
export function sumRows(table: Matrix, { rows, ends }: Lesson, text: number, sum: Float32Array): number {
  const { data, columns } = table;
  sum.fill(0);
  for (let at = text === 0 ? 0 : ends[text - 1]!; at < ends[text]!; at += 1) {
    const start = rows[at]! * columns;
    for (let i = 0; i < columns; i += 1) sum[i]! += data[start + i]!;
  }
  let square = 0;
  for (let i = 0; i < columns; i += 1) square += sum[i]! * sum[i]!;
  return Math.sqrt(square);
}

/** Mean cosine between the sums and the teacher's vectors. */
export function meanCosine(table: Matrix, lesson: Lesson, texts: readonly number[]): number {
  const sum = new Float32Array(table.columns);
  let total = 0;
  for (const text of texts) {
    const length = sumRows(table, lesson, text, sum);
    if (length > 0) total += dot(sum, lesson.targets, text) / length;
  }
  return total / texts.length;
}

function dot(vector: Float32Array, { data, columns }: Matrix, row: number): number {
  let sum = 0;
  for (let i = 0; i < columns; i += 1) sum += vector[i]! * data[row * columns + i]!;
  return sum;
}

/** Adam on the rows that a batch touches, with the rate falling to zero in a straight line. */
export function train(
  table: Matrix,
  lesson: Lesson,
  texts: readonly number[],
  options: TrainingOptions,
  report: (epoch: number) => void = () => {},
): void {
  const { data, columns } = table;
  const gradient = new Float32Array(data.length);
  const first = new Float32Array(data.length);
  const second = new Float32Array(data.length);
  const steps = new Int32Array(table.rows);
  const touched = new Set<number>();
  const sum = new Float32Array(columns);
  const random = seeded(options.seed);
  const order = [...texts];
  const total = options.epochs * Math.ceil(order.length / options.batch);
  let done = 0;
  for (let epoch = 0; epoch < options.epochs; epoch += 1) {
    shuffle(order, random);
    for (let from = 0; from < order.length; from += options.batch) {
      for (const text of order.slice(from, from + options.batch)) addGradient(text);
      const rate = options.rate * (1 - done / total);
      for (const row of touched) update(row, rate);
      touched.clear();
      done += 1;
    }
    report(epoch);
  }

  /** Of 1 − cosine, for every row of the text. */
  function addGradient(text: number): void {
    const length = sumRows(table, lesson, text, sum);
    if (length === 0) return;
    const { rows, ends, targets } = lesson;
    const cosine = dot(sum, targets, text) / length;
    for (let i = 0; i < columns; i += 1) {
      sum[i] = ((cosine * sum[i]!) / length - targets.data[text * columns + i]!) / length;
    }
    for (let at = text === 0 ? 0 : ends[text - 1]!; at < ends[text]!; at += 1) {
      const row = rows[at]!;
      const start = row * columns;
      touched.add(row);
      for (let i = 0; i < columns; i += 1) gradient[start + i]! += sum[i]!;
    }
  }

  function update(row: number, rate: number): void {
    steps[row]! += 1;
    const step = steps[row]!;
    const correction = Math.sqrt(1 - BETA2 ** step) / (1 - BETA1 ** step);
    for (let i = row * columns; i < (row + 1) * columns; i += 1) {
      const slope = gradient[i]!;
      gradient[i] = 0;
      first[i] = BETA1 * first[i]! + (1 - BETA1) * slope;
      second[i] = BETA2 * second[i]! + (1 - BETA2) * slope * slope;
      data[i]! -= (rate * correction * first[i]!) / (Math.sqrt(second[i]!) + EPSILON);
    }
  }
}
