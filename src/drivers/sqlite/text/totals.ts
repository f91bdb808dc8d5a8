/** Reads from FTS5's own tables how many rows and how many words its index holds. */
import type { Database } from 'better-sqlite3';
import type { Totals } from '../../search-kernels/text/bm25.ts';

/** FTS5 keeps this row under a fixed number: a list of numbers, first the rows, then the words of each column. */
const SUMS = 'SELECT block FROM records_text_data WHERE id = 1';

export function totalsReader(database: Database): () => Totals {
  const sums = database.prepare(SUMS).pluck();
  return () => {
    const [records = 0, ...columns] = variableNumbers((sums.get() as Buffer | undefined) ?? Buffer.alloc(0));
    return { records, words: columns.reduce((sum, words) => sum + words, 0) };
  };
}

/** Groups of seven bits, highest first; the eighth bit says that more follow. */
function variableNumbers(bytes: Buffer): number[] {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 127);
    if (byte >= 128) continue;
    numbers.push(value);
    value = 0;
  }
  return numbers;
}
