/** Memory for what is read, copied and done with: given back at once, so that the next piece is read into the same pages. */

/** More than two packs, which is what is in use at a time: as SQLite has it, and as it was handed over. */
const KEPT = 8 * 2 ** 20;

/**
 * To touch new pages was half of the time that it took to read packs. So memory is not left to the garbage collector, which
 * comes after dozens of them, and the views of it are empty from here on.
 */
export function giveBack(data: Buffer): void {
  const { buffer } = data;
  // Small ones may share a buffer with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === data.byteLength) buffer.transfer(0);
}

/**
 * The allocator of Linux gives what is freed back to the system beyond a limit, and raises the limit to twice the largest piece
 * it saw freed. This one is never written to, so it costs nothing but addresses.
 */
export function keepFreed(): void {
  new ArrayBuffer(KEPT).transfer(0);
}
