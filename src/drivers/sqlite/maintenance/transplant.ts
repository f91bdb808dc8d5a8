/** Gives a damaged file the beginning of a new database, so that SQLite knows again what is where. */
import { open, readFile } from 'node:fs/promises';
import type { Database } from 'better-sqlite3';
import { openDatabase } from '../open-database.ts';
import { removeDatabase } from './private-files.ts';

const BUSY_TIMEOUT_MS = 5_000;
const HEADER_BYTES = 100;
/** Of the page that begins with the header: behind it, the page of the tree that holds the schema. */
const CELLS = HEADER_BYTES + 12;
const LAST_CHILD = HEADER_BYTES + 8;
const INTERIOR = 5;

export interface Transplant {
  readonly wholePage: boolean;
  readonly vacuumed: boolean;
}

interface Donor {
  readonly data: Buffer;
  readonly pageSize: number;
  /** Pages of the schema besides the first. */
  readonly schema: readonly number[];
}

/** As long as neither file was vacuumed, or both, tables begin at equal pages. */
export async function transplant(
  work: string,
  fresh: string,
  { wholePage, vacuumed }: Transplant,
): Promise<void> {
  const { data, pageSize, schema } = await makeDonor(fresh, vacuumed);
  const handle = await open(work, 'r+');
  try {
    const pages = Math.floor((await handle.stat()).size / pageSize);
    const beginning = Buffer.from(data.subarray(0, wholePage ? pageSize : HEADER_BYTES));
    // The rest of the schema goes where no page can have been that the file lost at its end.
    const next = 2 * pages + 1;
    const moved = wholePage ? schema : [];
    for (const [i, page] of moved.entries()) {
      pointTo(beginning, page, next + i);
      await handle.write(data, (page - 1) * pageSize, pageSize, (next + i - 1) * pageSize);
    }
    const total = moved.length > 0 ? next + moved.length - 1 : pages;
    // As many whole pages as there are; no free ones, because where they were is not known.
    beginning.writeUInt32BE(total, 28);
    beginning.writeUInt32BE(0, 32);
    beginning.writeUInt32BE(0, 36);
    await handle.write(beginning, 0, beginning.length, 0);
    await handle.truncate(total * pageSize);
    // Half a page must not pass for a whole one.
    if (total > pages) await handle.write(Buffer.alloc(pageSize), 0, pageSize, pages * pageSize);
  } finally {
    await handle.close();
  }
}

async function makeDonor(fresh: string, vacuumed: boolean): Promise<Donor> {
  try {
    const database = await openDatabase({ file: fresh, busyTimeoutMs: BUSY_TIMEOUT_MS });
    if (vacuumed) database.exec('VACUUM');
    const schema = schemaPages(database);
    database.close();
    const data = await readFile(fresh);
    return { data, pageSize: data.readUInt16BE(16), schema };
  } finally {
    await removeDatabase(fresh);
  }
}

function schemaPages(database: Database): number[] {
  return database
    .prepare("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema' AND pageno > 1 ORDER BY pageno")
    .pluck()
    .all() as number[];
}

/** Changes the first page so that it finds one of its children at another place. */
function pointTo(firstPage: Buffer, child: number, place: number): void {
  if (firstPage[HEADER_BYTES] !== INTERIOR) return;
  const cells = firstPage.readUInt16BE(HEADER_BYTES + 3);
  const pointers = [LAST_CHILD];
  for (let i = 0; i < cells; i++) pointers.push(firstPage.readUInt16BE(CELLS + 2 * i));
  for (const pointer of pointers)
    if (firstPage.readUInt32BE(pointer) === child) firstPage.writeUInt32BE(place, pointer);
}
