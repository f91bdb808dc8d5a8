/** Takes the write lock of a database as any program could, and keeps it until it is killed. */
import SqliteDatabase from 'better-sqlite3';
import { report } from '../report.ts';

export interface HoldLockOptions {
  readonly file: string;
}

const LONGER_THAN_ANY_TEST_MS = 600_000;

export async function run({ file }: HoldLockOptions): Promise<void> {
  const database = new SqliteDatabase(file, { fileMustExist: true });
  database.exec('BEGIN IMMEDIATE');
  report({ type: 'held' });
  await new Promise((resolve) => setTimeout(resolve, LONGER_THAN_ANY_TEST_MS));
  database.close();
}
