/** The files of a static table: what they are called, what the manifest says, and how they are read. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { KeepsakeError } from '../../kernel/errors.ts';
import { PieceTable } from './piece-table.ts';

export const TABLE_FILE = 'table.bin';
export const VOCABULARY_FILE = 'vocabulary.txt';
export const MANIFEST_FILE = 'manifest.json';

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
  /** Row after row of `dimensions` small numbers… */
  readonly values: Int8Array;
  /** …to be multiplied by the scale of the row, which carries the weight of the piece too. */
  readonly scales: Float32Array;
}

/** The bytes of `table.bin`: all values, then, at the next multiple of four, all scales (little-endian float32). */
export function scalesOffset(rows: number, dimensions: number): number {
  return Math.ceil((rows * dimensions) / 4) * 4;
}

function unusable(folder: URL, message: string, cause?: unknown): KeepsakeError {
  return new KeepsakeError('CORRUPT', `The static embedding table in ${fileURLToPath(folder)} ${message}.`, {
    hint: 'Install keepsake again, or choose another embedding model (or none) in the configuration.',
    ...(cause === undefined ? {} : { cause }),
  });
}

function readAll(folder: URL): { manifest: TableManifest; vocabulary: string; table: Buffer } {
  try {
    return {
      manifest: JSON.parse(readFileSync(new URL(MANIFEST_FILE, folder), 'utf8')) as TableManifest,
      vocabulary: readFileSync(new URL(VOCABULARY_FILE, folder), 'utf8'),
      table: readFileSync(new URL(TABLE_FILE, folder)),
    };
  } catch (cause) {
    throw unusable(folder, 'cannot be read', cause);
  }
}

/** Reads a table. Sizes are checked, hashes are not: that would cost more than the loading. */
export function readTable(folder: URL): StaticTable {
  const { manifest, vocabulary, table } = readAll(folder);
  if (manifest.format !== TABLE_FORMAT) throw unusable(folder, `has the unknown format ${manifest.format}`);
  const { rows, dimensions } = manifest;
  const offset = scalesOffset(rows, dimensions);
  const pieces = new PieceTable(vocabulary);
  if (pieces.size !== rows || table.byteLength !== offset + rows * 4) {
    throw unusable(folder, 'is incomplete');
  }
  const values = new Int8Array(table.buffer, table.byteOffset, rows * dimensions);
  return { manifest, pieces, values, scales: readScales(table.subarray(offset)) };
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Copied, because a buffer may begin anywhere; through a view where a machine is big-endian. */
function readScales(bytes: Buffer): Float32Array {
  if (isLittleEndian) return new Float32Array(new Uint8Array(bytes).buffer);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, row) => view.getFloat32(row * 4, true));
}
