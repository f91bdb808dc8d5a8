/** Quantises a table to 8 bits and writes the files that ship. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexPieces, packIndex } from '../../src/models/static/piece-index.ts';
import {
  INDEX_FILE,
  MANIFEST_FILE,
  scalesOffset,
  TABLE_FILE,
  TABLE_FORMAT,
  type TableManifest,
  VOCABULARY_FILE,
} from '../../src/models/static/table-files.ts';
import { sha256 } from './inputs.ts';
import type { Matrix } from './matrix.ts';

const NAME = 'static/keepsake-1';

export interface Facts {
  readonly calibration: TableManifest['calibration'];
  /** What it was made from, for whoever wants to make it again. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** Each row gets the scale that maps its largest number to 127. */
export function quantise({ data, rows, columns }: Matrix): Buffer {
  const offset = scalesOffset(rows, columns);
  const bytes = Buffer.alloc(offset + rows * 4);
  for (let row = 0; row < rows; row += 1) {
    const vector = data.subarray(row * columns, (row + 1) * columns);
    const scale = vector.reduce((largest, x) => Math.max(largest, Math.abs(x)), 0) / 127;
    bytes.writeFloatLE(scale, offset + row * 4);
    if (scale === 0) continue;
    for (let i = 0; i < columns; i += 1) bytes.writeInt8(Math.round(vector[i]! / scale), row * columns + i);
  }
  return bytes;
}

export function writeTable(
  folder: string,
  vocabulary: readonly string[],
  table: Matrix,
  facts: Facts,
): TableManifest {
  const bytes = quantise(table);
  const words = vocabulary.join('\n');
  const index = packIndex(indexPieces(words));
  const hash = sha256(bytes);
  const manifest: TableManifest & Pick<Facts, 'inputs'> = {
    format: TABLE_FORMAT,
    id: `${NAME}-${hash.slice(0, 8)}@${table.columns}`,
    rows: table.rows,
    dimensions: table.columns,
    calibration: facts.calibration,
    files: {
      [TABLE_FILE]: hash,
      [VOCABULARY_FILE]: sha256(Buffer.from(words)),
      [INDEX_FILE]: sha256(index),
    },
    inputs: facts.inputs,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, TABLE_FILE), bytes);
  writeFileSync(join(folder, VOCABULARY_FILE), words);
  writeFileSync(join(folder, INDEX_FILE), index);
  writeFileSync(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}
