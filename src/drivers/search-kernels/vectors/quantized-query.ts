/** A query against the quantized vectors in memory: upper bounds of the cosines, rough ones for all rows, tighter ones for some. */
import { NUMBER_BYTES, ROWS_PER_BLOCK } from './block-layout.ts';
import type { CodeMemory } from './code-memory.ts';
import { type RoundedQuery, roundQuery, SHIFT, SMALL_QUERY, WIDE_QUERY } from './quantize.ts';
import type { ScoreRanking } from './score-ranking.ts';

/**
 * When 7 bits lose more than this of a query, because a few of its numbers are much larger than the others, the bounds of too
 * many rows come close to each other, and it is faster to scan with 16 bits at once.
 */
const MOST_ERROR = 0.04;
/**
 * Blocks that one call scans: enough that calls cost nothing, few enough that their scores are still in the cache of the
 * processor when they are copied, and that the first search of a process soon switches to the optimized code that V8 compiles
 * meanwhile, which takes effect with the next call.
 */
const BLOCKS_AT_ONCE = 16;

export class QuantizedQuery {
  readonly #memory: CodeMemory;
  readonly #precise: RoundedQuery;
  readonly #quick: RoundedQuery | undefined;

  /** Valid until the next query is created on this memory, and until the memory hands out another block. */
  constructor(memory: CodeMemory, query: Float32Array) {
    const { bytes } = memory;
    this.#memory = memory;
    this.#precise = roundQuery(query, WIDE_QUERY);
    new Int16Array(bytes.buffer, memory.desk.precise, query.length).set(this.#precise.codes);
    const quick = memory.quickScan && roundQuery(query, SMALL_QUERY);
    this.#quick = quick && quick.error <= MOST_ERROR ? quick : undefined;
    if (this.#quick === undefined) return;
    const { codes } = this.#quick;
    for (let i = 0; i < codes.length; i++) bytes[memory.desk.quick + i] = codes[i]! + SHIFT;
  }

  /** Whether `bound` can be lower than the score of the scan. */
  get isRough(): boolean {
    return this.#quick !== undefined;
  }

  /** Computes upper bounds for the first `rows` rows of these blocks, and adds them to the ranking. */
  score(blocks: readonly number[], rows: number, into: ScoreRanking): void {
    const { floats, layout } = this.#memory;
    for (let start = 0, end = 0; start < blocks.length; start = end) {
      for (end = start + 1; end < blocks.length && end - start < BLOCKS_AT_ONCE; end++)
        if (blocks[end] !== blocks[end - 1]! + layout.blockBytes) break;
      this.#scan(blocks[start]!, end - start);
      for (let i = start; i < end; i++) {
        const count = Math.min(ROWS_PER_BLOCK, rows - i * ROWS_PER_BLOCK);
        const highest = floats[(blocks[i]! + layout.highest) / NUMBER_BYTES]!;
        into.add(floats, (blocks[i]! + layout.scores) / NUMBER_BYTES, count, highest);
      }
    }
  }

  /** The upper bound for one row, from the query with 16 bits. */
  bound(block: number, row: number): number {
    const { integers, layout, desk } = this.#memory;
    const { factor, stretch, slack } = this.#precise;
    const start = this.#memory.address(block, row);
    this.#memory.multiply(start, start + layout.stride, layout.stride, desk.precise, desk.product);
    const product = integers[desk.product / NUMBER_BYTES]!;
    const [scale, margin] = [this.#memory.scale(block, row), this.#memory.margin(block, row)];
    return scale * factor * product + margin * stretch + slack;
  }

  /** Scans adjacent blocks. */
  #scan(block: number, count: number): void {
    const { preciseScan, quickScan, desk, layout } = this.#memory;
    const { factor, stretch, slack } = this.#quick ?? this.#precise;
    if (this.#quick === undefined)
      preciseScan(block, count, layout.stride, desk.precise, desk.notes, factor, stretch, slack);
    else quickScan!(block, count, layout.stride, desk.quick, desk.notes, factor, stretch, slack);
  }
}
