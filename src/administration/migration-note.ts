/** A file that exists while a migration runs, so that doctor can report an interrupted one. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOW_TO_GO_ON } from '../kernel/unfinished-migration.ts';
import type { Finding } from '../ports/maintenance.ts';

interface MigrationNote {
  /** Both without passwords. */
  readonly from: string;
  readonly to: string;
  readonly startedAt: number;
}

const fileIn = (dataFolder: string): string => join(dataFolder, 'migration.json');

export function noteMigration(dataFolder: string, note: MigrationNote): void {
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(fileIn(dataFolder), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

export function forgetMigration(dataFolder: string): void {
  rmSync(fileIn(dataFolder), { force: true });
}

export function examineMigration(dataFolder: string): Finding[] {
  let note: Partial<MigrationNote>;
  try {
    note = JSON.parse(readFileSync(fileIn(dataFolder), 'utf8')) as Partial<MigrationNote>;
  } catch {
    return [];
  }
  const { from = 'this storage', to = 'another storage', startedAt = 0 } = note;
  const since = new Date(startedAt).toISOString();
  return [
    {
      check: 'migration.finished',
      severity: 'notice',
      message: `A migration from ${from} to ${to}, started ${since}, is running or was interrupted.`,
      hint: HOW_TO_GO_ON,
    },
  ];
}
