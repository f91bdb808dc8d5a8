/** Makes damaged indexes and vectors again, inside the living database, while other processes have it open. */
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../../kernel/errors.ts';
import { whileBusy } from '../busy.ts';
import { isSqliteError } from '../errors.ts';
import { rebuildMessageWords } from '../message-words.ts';
import { openDatabase } from '../open-database.ts';
import { TextIndex } from '../text-index.ts';
import type { Damage } from './examine-integrity.ts';
import { createPrivateFile, partialName, removeDatabase } from './private-files.ts';
import { replaceContent, seal } from './replace.ts';
import { salvageRows } from './salvage.ts';
import { continueNumbering, readSequences } from './sequences.ts';
import { openSnapshot } from './snapshot.ts';
import { matchPageSize } from './stage.ts';

/** Only for damage that leaves every table whole but those of vectors. The caller has put a copy aside. */
export async function repairIndexes(file: string, damage: Damage, busyTimeoutMs: number): Promise<void> {
  const live = await openDatabase({ file, busyTimeoutMs });
  try {
    const inPlace = !damage.space && damage.vectors.size === 0;
    if (!inPlace || !(await rebuildInPlace(live, damage, busyTimeoutMs)))
      await rewrite(live, file, busyTimeoutMs);
  } finally {
    live.close();
  }
}

/** False when SQLite stumbles over the damaged pages that it would have to free. */
async function rebuildInPlace(live: Database, damage: Damage, busyTimeoutMs: number): Promise<boolean> {
  try {
    await whileBusy(busyTimeoutMs, () =>
      live
        .transaction(() => {
          for (const index of damage.indexes) live.exec(`REINDEX "${index}"`);
          if (damage.texts.has('records_text')) new TextIndex(live).rebuild();
          if (damage.texts.has('messages_text')) rebuildMessageWords(live);
        })
        .immediate(),
    );
    return true;
  } catch (error) {
    if (isSqliteError(error) && /^SQLITE_(CORRUPT|CONSTRAINT)/.test(error.code)) return false;
    throw error;
  }
}

/** Copies every row into a new database and that one over the old, in one transaction; the damaged pages are never used. */
async function rewrite(live: Database, file: string, busyTimeoutMs: number): Promise<void> {
  const staged = partialName(file);
  let stage: Database | undefined;
  try {
    await createPrivateFile(staged);
    const opened = await openDatabase({ file: staged, busyTimeoutMs });
    stage = opened;
    matchPageSize(opened, live);
    const prepare = async (): Promise<void> => {
      const snapshot = await openSnapshot(file, busyTimeoutMs);
      try {
        if (!salvageRows(snapshot, opened)) {
          throw new KeepsakeError('CORRUPT', `Not every row of ${file} can be read; it was left as it is.`);
        }
        opened.transaction(() => {
          continueNumbering(opened, readSequences(snapshot));
          new TextIndex(opened).rebuild();
          rebuildMessageWords(opened);
        })();
      } finally {
        snapshot.close();
      }
    };
    await replaceContent({ stage: opened, file, busyTimeoutMs, prepare });
    await seal(live, busyTimeoutMs);
  } finally {
    stage?.close();
    await removeDatabase(staged);
  }
}
