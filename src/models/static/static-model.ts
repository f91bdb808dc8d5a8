/** The embedded default model: a text is the weighted sum of the stored vectors of its word pieces. */
import { pathToFileURL } from 'node:url';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { EmbeddingModel, WordVector } from '../../ports/embedding-model.ts';
import { packageRoot } from '../../runtime/package-root.ts';
import { readTable } from './table-files.ts';
import { WordPiece } from './word-piece.ts';

/** After so many texts a long batch lets other work continue: a few milliseconds. */
const BATCH_SIZE = 256;

export interface StaticModelOptions {
  /** Folder with `table.bin`, `vocabulary.txt` and `manifest.json`; by default the one in the package. */
  readonly folder?: URL | string;
}

/** Needs no native code, no network and no warm-up: a few milliseconds to load, some microseconds per text. */
export function createStaticModel(options: StaticModelOptions = {}): EmbeddingModel {
  const table = readTable(folderUrl(options.folder ?? new URL('models/static/', packageRoot())));
  const wordPiece = new WordPiece(table.pieces);
  const { id, dimensions, calibration } = table.manifest;
  const sum = new Float64Array(dimensions);
  const embedNow = (text: string): Float32Array => {
    const rows = wordPiece.rows(text);
    table.rows.need(rows);
    return sumOfRows(table.rows.values, table.scales, rows, sum).vector;
  };
  const wordNow = (word: string): WordVector => {
    const rows = wordPiece.rows(word);
    table.rows.need(rows);
    const { vector, length } = sumOfRows(table.rows.values, table.scales, rows, sum);
    return { vector, weight: length, isKnown: rows.length === 1 };
  };
  return {
    id,
    dimensions,
    calibration,
    batchSize: BATCH_SIZE,
    embedNow,
    wordNow,
    async embed(texts, _kind, signal) {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        if (vectors.length % BATCH_SIZE === BATCH_SIZE - 1) await new Promise((go) => setImmediate(go));
        if (signal?.aborted)
          throw new KeepsakeError('ABORTED', 'Embedding was stopped.', { cause: signal.reason });
        vectors.push(embedNow(text));
      }
      return vectors;
    },
    async close() {
      table.rows.close();
    },
  };
}

function folderUrl(folder: URL | string): URL {
  const url = typeof folder === 'string' ? pathToFileURL(folder) : folder;
  return url.href.endsWith('/') ? url : new URL(`${url.href}/`);
}

/** The sum at unit length, and how long it was; zeros when there is nothing to add. What `sum` held before does not matter. */
function sumOfRows(
  values: Int8Array,
  scales: Float32Array,
  rows: readonly number[],
  sum: Float64Array,
): { readonly vector: Float32Array; readonly length: number } {
  const dimensions = sum.length;
  sum.fill(0);
  const whole = rows.length & ~3;
  // Four rows in one pass: what takes time is to read and write the sums.
  for (let at = 0; at < whole; at += 4) {
    const [a, b, c, d] = [rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3]!];
    const [scaleA, scaleB, scaleC, scaleD] = [scales[a]!, scales[b]!, scales[c]!, scales[d]!];
    const [atA, atB, atC, atD] = [a * dimensions, b * dimensions, c * dimensions, d * dimensions];
    for (let i = 0; i < dimensions; i++) {
      sum[i]! +=
        scaleA * values[atA + i]! +
        scaleB * values[atB + i]! +
        (scaleC * values[atC + i]! + scaleD * values[atD + i]!);
    }
  }
  for (let at = whole; at < rows.length; at++) {
    const scale = scales[rows[at]!]!;
    const start = rows[at]! * dimensions;
    for (let i = 0; i < dimensions; i++) sum[i]! += scale * values[start + i]!;
  }
  let square = 0;
  for (let i = 0; i < dimensions; i++) square += sum[i]! * sum[i]!;
  const length = Math.sqrt(square);
  const factor = length > 0 ? 1 / length : 0;
  const unit = new Float32Array(dimensions);
  for (let i = 0; i < dimensions; i++) unit[i] = sum[i]! * factor;
  return { vector: unit, length };
}
