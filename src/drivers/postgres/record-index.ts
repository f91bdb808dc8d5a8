/** The text index of records: adds, replaces and removes their words. */
import { type IndexedRecord, wordsOf } from '../common/record-words.ts';
import { sql } from './sql.ts';
import { TextIndex } from './text-index.ts';
import type { WriteTransaction } from './write-transaction.ts';

export const recordIndex = new TextIndex({
  words: 'record_words',
  terms: 'record_terms',
  key: 'rid',
  rowCount: 'indexedRecords',
  wordCount: 'recordWords',
  countsGone: false,
  newestFirst: true,
  texts: 'records',
  alias: 'r',
});

interface OldWords {
  readonly words: readonly string[];
  readonly length: number;
}

export async function reindex(
  transaction: WriteTransaction,
  rid: number,
  record: IndexedRecord,
): Promise<void> {
  const fresh = wordsOf(record);
  const old = await transaction.row<OldWords>(
    sql`UPDATE record_words w SET shared = ${fresh.shared}, words = ${fresh.words}::text[],
          frequencies = ${fresh.frequencies}::float8[], length = ${fresh.length}
        FROM record_words old WHERE w.rid = ${rid} AND old.rid = w.rid RETURNING old.words, old.length`,
  );
  if (old !== undefined) recordIndex.removed(transaction, old, old.length);
  recordIndex.added(transaction, fresh, fresh.length);
}

/** No word of them stays behind. */
export async function unindex(transaction: WriteTransaction, rids: readonly number[]): Promise<void> {
  const gone = await transaction.rows<OldWords>(
    sql`DELETE FROM record_words WHERE rid = ANY(${rids}::bigint[]) RETURNING words, length`,
  );
  for (const old of gone) recordIndex.removed(transaction, old, old.length);
}
