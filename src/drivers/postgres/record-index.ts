/** The words of records: what is put into their index, and how they are taken out again. */
import { type IndexedRecord, wordsOf } from '../common/record-words.ts';
import type { Lane } from './lane.ts';
import { sql } from './sql.ts';
import { TextIndex } from './text-index.ts';

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

export async function reindex(lane: Lane, rid: number, record: IndexedRecord): Promise<void> {
  const fresh = wordsOf(record);
  const old = await lane.row<OldWords>(
    sql`UPDATE record_words w SET shared = ${fresh.shared}, words = ${fresh.words}::text[],
          frequencies = ${fresh.frequencies}::float8[], length = ${fresh.length}
        FROM record_words old WHERE w.rid = ${rid} AND old.rid = w.rid RETURNING old.words, old.length`,
  );
  if (old !== undefined) recordIndex.removed(lane, old, old.length);
  recordIndex.added(lane, fresh, fresh.length);
}

/** No word of them stays behind. */
export async function unindex(lane: Lane, rids: readonly number[]): Promise<void> {
  const gone = await lane.rows<OldWords>(
    sql`DELETE FROM record_words WHERE rid = ANY(${rids}::bigint[]) RETURNING words, length`,
  );
  for (const old of gone) recordIndex.removed(lane, old, old.length);
}
