/** The files of a static table: what they are called, what the manifest says, and how they are read. */

import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { type PieceIndex, unpackIndex } from './piece-index.ts';
import { PieceTable } from './piece-table.ts';
import { TableRows } from './table-rows.ts';

export const TABLE_FILE = 'table.bin';
export const VOCABULARY_FILE = 'vocabulary.txt';
export const MANIFEST_FILE = 'manifest.json';
/** What the vocabulary gives, worked out beforehand: to do that took a tenth of a short process. Not needed. */
export const INDEX_FILE = 'vocabulary.index';

/** Raised when the layout of the files changes; older code refuses newer files. */
export const TABLE_FORMAT = 1;

export interface TableManifest {
  readonly format: number;
  /** The vector space; it contains the beginning of the table's hash. */
  readonly id: string;
  readonly rows: number;
  readonly dimensions: number;
  readonly calibration: { readonly unrelated: number; readonly same: number };
  /** SHA-256 of each file beside the manifest. */
  readonly files: Readonly<Record<string, string>>;
}

export interface StaticTable {
  readonly manifest: TableManifest;
  readonly pieces: PieceTable;
  readonly rows: TableRows;
  /** What the numbers of a row are to be multiplied by; it carries the weight of the piece too. */
  readonly scales: Float32Array;
}

/** The bytes of `table.bin`: all values, then, at the next multiple of four, all scales (little-endian float32). */
export function scalesOffset(rows: number, dimensions: number): number {
  return Math.ceil((rows * dimensions) / 4) * 4;
}

function unusable(folder: URL, message: string, cause?: unknown): KeepsakeError {
  return new KeepsakeError('CORRUPT', `The static embedding table in ${fileURLToPath(folder)} ${message}.`, {
    hint: 'Install keepsake again, or choose another embedding model (or none) in the configuration.',
    ...defined({ cause }),
  });
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function readText(file: URL): string {
  return readFileSync(file, 'utf8');
}

/** Reads a table. Sizes are checked, hashes are not: that would cost more than the loading. */
export function readTable(folder: URL): StaticTable {
  let file: number | undefined;
  try {
    const manifest = JSON.parse(readText(new URL(MANIFEST_FILE, folder))) as TableManifest;
    if (manifest.format !== TABLE_FORMAT) throw unusable(folder, `has the unknown format ${manifest.format}`);
    const { rows: count, dimensions } = manifest;
    const vocabulary = readText(new URL(VOCABULARY_FILE, folder));
    const pieces = new PieceTable(vocabulary, readIndex(folder, manifest, vocabulary));
    file = openSync(new URL(TABLE_FILE, folder), 'r');
    const offset = scalesOffset(count, dimensions);
    if (pieces.size !== count || fstatSync(file).size !== offset + count * 4) {
      throw unusable(folder, 'is incomplete');
    }
    const scales = readScales(file, offset, count);
    const rows = new TableRows(file, count, dimensions, (cause) => unusable(folder, 'cannot be read', cause));
    return { manifest, pieces, rows, scales };
  } catch (error) {
    if (file !== undefined) closeSync(file);
    throw KeepsakeError.is(error) ? error : unusable(folder, 'cannot be read', error);
  }
}

/** Undefined where there is none, or another one, or the machine keeps numbers the other way round. */
function readIndex(folder: URL, { rows, files }: TableManifest, vocabulary: string): PieceIndex | undefined {
  if (!isLittleEndian || files[INDEX_FILE] === undefined) return undefined;
  try {
    return unpackIndex(readFileSync(new URL(INDEX_FILE, folder)), rows, vocabulary);
  } catch {
    return undefined;
  }
}

/** Through a view where a machine is big-endian. */
function readScales(file: number, offset: number, count: number): Float32Array {
  const scales = new Float32Array(count);
  const bytes = new DataView(scales.buffer);
  for (let at = 0; at < bytes.byteLength; ) {
    const read = readSync(file, bytes, at, bytes.byteLength - at, offset + at);
    if (read === 0) throw new Error('The file ends too early.');
    at += read;
  }
  if (!isLittleEndian) for (let row = 0; row < count; row++) scales[row] = bytes.getFloat32(row * 4, true);
  return scales;
}
