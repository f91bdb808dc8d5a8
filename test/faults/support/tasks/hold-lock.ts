/** Takes the write lock of a database as any program could, and keeps it until it is killed or its parent is gone. */
import { once } from 'node:events';
import SqliteDatabase from 'better-sqlite3';
import { report } from '../report.ts';

export interface HoldLockOptions {
  readonly file: string;
}

export async function run({ file }: HoldLockOptions): Promise<void> {
  const database = new SqliteDatabase(file, { fileMustExist: true });
  database.exec('BEGIN IMMEDIATE');
  report({ type: 'held' });
  process.stdin.resume();
  await once(process.stdin, 'end');
  database.close();
}
