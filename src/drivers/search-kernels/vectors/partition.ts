/** The vectors of one agent, or the shared ones, in memory: their codes in blocks, and the database row of each. */
import { ROWS_PER_BLOCK } from './block-layout.ts';
import type { CodeMemory } from './code-memory.ts';
import type { PackedRows } from './pack-format.ts';
import { quantize } from './quantize.ts';
import type { QuantizedQuery } from './quantized-query.ts';
import type { ScoreRanking } from './score-ranking.ts';

export class Partition {
  readonly #memory: CodeMemory;
  readonly #blocks: number[] = [];
  #seqs = new Float64Array(ROWS_PER_BLOCK);
  #rids = new Float64Array(ROWS_PER_BLOCK);
  #count = 0;

  constructor(memory: CodeMemory) {
    this.#memory = memory;
  }

  get count(): number {
    return this.#count;
  }

  seqAt(position: number): number {
    return this.#seqs[position]!;
  }

  ridAt(position: number): number {
    return this.#rids[position]!;
  }

  add(seq: number, rid: number, vector: Float32Array): void {
    const { block, row } = this.#room();
    const { scale, margin } = quantize(vector, this.#memory.row(block, row));
    this.#memory.describe(block, row, scale, margin);
    this.#seqs[this.#count] = seq;
    this.#rids[this.#count] = rid;
    this.#count++;
  }

  /** Reserves room for so many more rows, so that it does not grow step by step. */
  expect(rows: number): void {
    const capacity = Math.ceil((this.#count + rows) / ROWS_PER_BLOCK) * ROWS_PER_BLOCK;
    if (capacity > this.#seqs.length) this.#enlarge(capacity);
  }

  /** Adds the rows of a pack except those in `gaps`, which were deleted since it was written. */
  addPacked(rows: PackedRows, gaps: ReadonlySet<number>): void {
    const { seqs, rids, scales, margins, codes } = rows;
    const { dimensions } = this.#memory;
    for (let next = 0; next < seqs.length; ) {
      const { block, row } = this.#room();
      const most = Math.min(seqs.length, next + ROWS_PER_BLOCK - row);
      let end = gaps.size === 0 ? most : next;
      while (end < most && !gaps.has(seqs[end]!)) end++;
      this.#memory.fill(
        block,
        row,
        codes.subarray(next * dimensions, end * dimensions),
        scales.subarray(next, end),
        margins.subarray(next, end),
      );
      this.#seqs.set(seqs.subarray(next, end), this.#count);
      this.#rids.set(rids.subarray(next, end), this.#count);
      this.#count += end - next;
      next = end < most ? end + 1 : end;
    }
  }

  /** Moves the last row to the place of the removed one; so remove several from the last to the first. */
  remove(position: number): void {
    const last = this.#count - 1;
    if (position !== last) {
      this.#memory.copy(this.#place(last), this.#place(position));
      this.#seqs[position] = this.#seqs[last]!;
      this.#rids[position] = this.#rids[last]!;
    }
    this.#count = last;
    if (last % ROWS_PER_BLOCK === 0) this.#memory.give(this.#blocks.pop()!);
  }

  clear(): void {
    for (const block of this.#blocks.splice(0)) this.#memory.give(block);
    this.#count = 0;
  }

  /** Computes an upper bound of the cosine of each row with the query, in the order of positions. */
  score(query: QuantizedQuery, into: ScoreRanking): void {
    const rowsInLast = this.#count % ROWS_PER_BLOCK;
    if (rowsInLast > 0) this.#memory.clearFrom(this.#blocks.at(-1)!, rowsInLast);
    query.score(this.#blocks, this.#count, into);
  }

  /** A tighter upper bound for one row. */
  bound(query: QuantizedQuery, position: number): number {
    const { block, row } = this.#place(position);
    return query.bound(block, row);
  }

  #place(position: number): { block: number; row: number } {
    return {
      block: this.#blocks[Math.floor(position / ROWS_PER_BLOCK)]!,
      row: position % ROWS_PER_BLOCK,
    };
  }

  /** Where the next row goes. */
  #room(): { block: number; row: number } {
    if (this.#count === this.#blocks.length * ROWS_PER_BLOCK) {
      this.#blocks.push(this.#memory.take());
      const capacity = this.#blocks.length * ROWS_PER_BLOCK;
      if (capacity > this.#seqs.length) this.#enlarge(2 * capacity);
    }
    return this.#place(this.#count);
  }

  #enlarge(capacity: number): void {
    this.#seqs = enlarged(this.#seqs, capacity);
    this.#rids = enlarged(this.#rids, capacity);
  }
}

function enlarged(array: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(length);
  larger.set(array);
  return larger;
}
