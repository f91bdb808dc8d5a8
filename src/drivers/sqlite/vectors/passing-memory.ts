/** Frees buffers at once that were read, copied and are not needed any more, so that the next one reuses the same pages. */

/** More than two packs, the number in use at a time: SQLite's copy and ours. */
const KEPT = 8 * 2 ** 20;

/**
 * Touching new pages took half of the time of reading packs, because the garbage collector frees buffers only after dozens of
 * them. All views of the buffer are empty afterwards.
 */
export function giveBack(data: Buffer): void {
  const { buffer } = data;
  // Small ones may share a buffer with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === data.byteLength) buffer.transfer(0);
}

/**
 * The allocator of Linux returns freed memory above a limit to the system, and raises the limit to twice the largest piece
 * that was freed. This piece is never written to, so it costs only addresses.
 */
export function keepFreed(): void {
  new ArrayBuffer(KEPT).transfer(0);
}
