/** What can be said about a database that cannot be opened, or must not be; and what can be saved of it. */

import type { Database } from 'better-sqlite3';
import { defined } from '../../../kernel/defined.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import type { Finding } from '../../../ports/maintenance.ts';
import { isSqliteError, translate } from '../errors.ts';
import { SCHEMA_VERSION } from '../migrations/index.ts';
import { APPLICATION_ID } from '../open-database.ts';
import { counted } from './examine-check.ts';
import { type Rescue, rescue } from './rescue.ts';

/** A finding when the database is not ours to touch. Reads the schema, so it throws when that is damaged. */
export function examineOwner(snapshot: Database, file: string): Finding | undefined {
  const application = snapshot.pragma('application_id', { simple: true });
  const version = snapshot.pragma('user_version', { simple: true }) as number;
  const tables = snapshot.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number;
  if (application !== APPLICATION_ID && tables > 0) {
    return {
      check: 'database.owner',
      severity: 'problem',
      message: `${file} is a database of another program; it was not touched.`,
      hint: 'Choose another file in storage.sqlite.file.',
      fixable: false,
    };
  }
  if (version > SCHEMA_VERSION) {
    return {
      check: 'database.version',
      severity: 'problem',
      message: `${file} was written by a newer Keepsake (schema ${version}; this one knows up to ${SCHEMA_VERSION}). It was not touched.`,
      hint: 'Install a newer version of Keepsake for this program.',
      fixable: false,
    };
  }
  return undefined;
}

export interface ClosedOptions {
  readonly file: string;
  readonly fix: boolean;
  readonly now: number;
}

/** Findings instead of an exception. With `fix`, a damaged file is copied aside and read as far as it can be. */
export async function examineClosed({ file, fix, now }: ClosedOptions, reason: unknown): Promise<Finding> {
  if (isSqliteError(reason) && /^SQLITE_(CORRUPT|NOTADB)/.test(reason.code)) {
    return describeDamage(
      `${file} cannot be opened (${reason.message}).`,
      fix ? await rescue(file, now) : undefined,
    );
  }
  const error = translate(reason, file);
  if (!KeepsakeError.is(error)) throw error;
  return {
    check: 'database.file',
    severity: 'problem',
    message: error.message,
    ...defined({ hint: error.hint }),
    fixable: false,
  };
}

/** Damage that cannot be mended in place. */
export function describeDamage(message: string, saved: Rescue | undefined): Finding {
  const finding = { check: 'database.integrity', severity: 'problem', fixable: false } as const;
  if (saved === undefined) {
    return {
      ...finding,
      message,
      hint: 'Run "keepsake doctor --fix" to keep a copy and save what can be read, or "keepsake restore <backup>".',
    };
  }
  const { quarantined, salvaged } = saved;
  const kept = `${message} A copy is kept in ${quarantined.file}.`;
  if (salvaged === undefined) {
    return {
      ...finding,
      message: `${kept} Nothing in it could be read.`,
      hint: 'Run "keepsake restore <backup>".',
    };
  }
  const content = `${counted(salvaged.records, 'memory', 'memories')} and ${counted(salvaged.messages, 'message', 'messages')}`;
  return {
    ...finding,
    message: `${kept} ${content} were saved into ${salvaged.file}${salvaged.complete ? '' : '; some are lost'}.`,
    hint: `Run "keepsake restore ${salvaged.file}" to go on with them, or restore a backup that has more.`,
  };
}
