/** Compares a workspace with what its killed writers said: nothing acknowledged is missing, nothing is half there. */
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { analyze } from '../../../src/kernel/analysis.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { damageOf } from './intact.ts';
import { identityOf, type Ledger } from './ledger.ts';
import { hashOf } from './texts.ts';
import { databaseOf, withDatabase } from './workspace.ts';

interface Row {
  rid: number;
  id: string;
  content: string;
  version: number;
  forgotten_at: number | null;
}

export interface Checked {
  readonly records: number;
  readonly versions: number;
  readonly events: number;
}

/** No writer may be alive. What is wrong is added to the ledger's violations. */
export async function checkAfterCrash(
  workspace: string,
  ledger: Ledger,
  maxEntries: number,
): Promise<Checked> {
  const file = databaseOf(workspace);
  await reopen(file, ledger);
  return withDatabase(file, (database) => {
    ledger.violations.push(...damageOf(database));
    const crowded = database.prepare('SELECT name FROM agents WHERE facts > ?').pluck().all(maxEntries);
    for (const name of crowded) ledger.violations.push(`${name} has more than ${maxEntries} facts.`);
    const versions = checkRecords(database, ledger);
    const events = checkEvents(database, ledger);
    return { records: ledger.records.size, versions, events };
  });
}

/** As the next user would: the engine recovers, finds nothing to complain about, and leaves no stray files. */
async function reopen(file: string, ledger: Ledger): Promise<void> {
  const storage = await openSqlite({ file });
  try {
    const findings = await storage.maintenance.examine({ fix: false, now: systemClock.now() });
    for (const { check, severity, message } of findings) {
      if (severity === 'problem') ledger.violations.push(`${check}: ${message}`);
    }
  } finally {
    await storage.close();
  }
  // The one file that a workspace puts beside its database itself.
  const files = readdirSync(dirname(file)).filter((name) => name !== '.gitignore');
  if (files.filter((name) => name !== 'keepsake.db.seen').join() !== 'keepsake.db')
    ledger.violations.push(`Files were left behind: ${files.join()}`);
}

function checkRecords(database: Database, ledger: Ledger): number {
  const rows = database.prepare('SELECT rid, id, content, version, forgotten_at FROM records').all() as Row[];
  const snapshots = database
    .prepare("SELECT version, snapshot ->> 'content' FROM record_versions WHERE rid = ? ORDER BY version")
    .raw();
  const match = database.prepare('SELECT rowid FROM records_text WHERE records_text MATCH ?').pluck();
  const found = new Set(rows.map((row) => row.id));
  for (const { id } of ledger.records.values()) {
    if (!found.has(id)) ledger.violations.push(`${id} was acknowledged and is gone.`);
  }
  let versions = 0;
  for (const { rid, id, content, version, forgotten_at } of rows) {
    const record = ledger.records.get(id) ?? ledger.adopt(id, hashOf(content));
    if (record === undefined) continue;
    ledger.settle(record, { version, hash: hashOf(content), forgotten: forgotten_at !== null });
    versions += record.hashes.length;
    const history = (snapshots.all(rid) as [number, string][]).map(([, text]) => hashOf(text));
    const expected = record.forgotten ? [] : record.hashes.slice(0, -1);
    if (history.join() !== expected.join())
      ledger.violations.push(`The history of ${id} is not what was written.`);
    // The present text is found by its word, an earlier one and a forgotten one are not.
    const present = record.forgotten ? undefined : record.labels.at(-1)!;
    for (const label of new Set(record.labels)) {
      const hits = match.all(`"${analyze(label).join(' ')}"`);
      const wanted = label === present ? [rid] : [];
      if (hits.join() !== wanted.join()) {
        ledger.violations.push(`${label} of ${id} is found ${hits.length} times, not ${wanted.length}.`);
      }
    }
  }
  // What is not there by now will never be: its writer is dead.
  ledger.openAdds.clear();
  return versions;
}

function checkEvents(database: Database, ledger: Ledger): number {
  const stored = database.prepare('SELECT event FROM events WHERE seq = ?').pluck();
  for (const [seq, told] of ledger.events) {
    const event = stored.get(seq) as string | undefined;
    const found = event === undefined ? 'nothing' : identityOf(JSON.parse(event));
    if (found !== told) ledger.violations.push(`Event ${seq} was "${told}" and is "${found}".`);
  }
  return ledger.events.size;
}
