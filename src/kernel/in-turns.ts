/** Processes many items in batches, so that other requests of the process can run in between. */
const AT_ONCE = 16;

export async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  }
  return results;
}
