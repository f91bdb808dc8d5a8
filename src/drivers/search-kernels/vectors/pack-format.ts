/** The format of a pack, which holds many quantized vectors in one blob: one column after the other, in the processor's byte order. */
import { endianness } from 'node:os';
import { quantize } from './quantize.ts';

export interface PackedRows {
  readonly seqs: Float64Array;
  readonly rids: Float64Array;
  readonly scales: Float32Array;
  readonly margins: Float32Array;
  readonly codes: Int8Array;
}

/** A big-endian machine does without packs. */
export const hasPacks = endianness() === 'LE';

const ROW_BYTES = 8 + 8 + 4 + 4;

function layOut(buffer: ArrayBufferLike, start: number, count: number, dimensions: number): PackedRows {
  let offset = start;
  const next = (bytes: number): number => {
    const here = offset;
    offset += bytes * count;
    return here;
  };
  return {
    seqs: new Float64Array(buffer, next(8), count),
    rids: new Float64Array(buffer, next(8), count),
    scales: new Float32Array(buffer, next(4), count),
    margins: new Float32Array(buffer, next(4), count),
    codes: new Int8Array(buffer, next(dimensions), count * dimensions),
  };
}

export interface Packable {
  readonly seq: number;
  readonly rid: number;
  readonly vector: Float32Array;
}

export function writePack(rows: readonly Packable[], dimensions: number): Buffer {
  const data = Buffer.from(new ArrayBuffer(rows.length * (ROW_BYTES + dimensions)));
  const packed = layOut(data.buffer, 0, rows.length, dimensions);
  rows.forEach(({ seq, rid, vector }, i) => {
    const { scale, margin } = quantize(vector, packed.codes.subarray(i * dimensions, (i + 1) * dimensions));
    packed.seqs[i] = seq;
    packed.rids[i] = rid;
    packed.scales[i] = scale;
    packed.margins[i] = margin;
  });
  return data;
}

/** Undefined when the size does not fit a pack of so many rows. */
export function readPack(data: Buffer, count: number, dimensions: number): PackedRows | undefined {
  if (data.length !== count * (ROW_BYTES + dimensions)) return undefined;
  const aligned = data.byteOffset % 8 === 0 ? data : Buffer.from(new Uint8Array(data).buffer);
  return layOut(aligned.buffer, aligned.byteOffset, count, dimensions);
}
