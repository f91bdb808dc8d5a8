/** Reads the trained weights of the package. */
import { readFileSync } from 'node:fs';
import { packageRoot } from '../../runtime/package-root.ts';
import { TABLE_SIZE } from './features.ts';
import type { IntentTable } from './intent-model.ts';

/** Two numbers of four bytes, then one byte for each row. */
const HEADER = 8;

export function packTable({ weights, scale, bias }: IntentTable): Uint8Array {
  const bytes = new Uint8Array(HEADER + weights.length);
  const header = new DataView(bytes.buffer);
  header.setFloat32(0, scale, true);
  header.setFloat32(4, bias, true);
  bytes.set(new Uint8Array(weights.buffer, weights.byteOffset, weights.length), HEADER);
  return bytes;
}

export function unpackTable(bytes: Uint8Array): IntentTable {
  if (bytes.length !== HEADER + TABLE_SIZE) {
    throw new Error(`models/guard/intent.bin has ${bytes.length} bytes, not ${HEADER + TABLE_SIZE}.`);
  }
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  return {
    scale: header.getFloat32(0, true),
    bias: header.getFloat32(4, true),
    weights: new Int8Array(bytes.buffer, bytes.byteOffset + HEADER, TABLE_SIZE),
  };
}

let table: IntentTable | undefined | null = null;

/** Read with the first text: most commands judge none. Undefined where a bundle was made without the files of the package. */
export function shippedTable(): IntentTable | undefined {
  if (table === null) table = readShipped();
  return table;
}

function readShipped(): IntentTable | undefined {
  let file: URL;
  try {
    file = new URL('models/guard/intent.bin', packageRoot());
  } catch {
    process.emitWarning(
      'models/guard/intent.bin of keepsake is missing: the guard judges by its patterns only.',
    );
    return undefined;
  }
  return unpackTable(readFileSync(file));
}
