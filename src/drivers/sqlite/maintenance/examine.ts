/** The examination of a database file, whether it can be opened or not. Changes nothing unless told to fix. */

import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { defined } from '../../../kernel/defined.ts';
import type { Finding } from '../../../ports/maintenance.ts';
import { whileBusy } from '../busy.ts';
import { isBusy, isSqliteError } from '../errors.ts';
import { strangeKind } from '../file-kind.ts';
import { SCHEMA_VERSION } from '../migrations/index.ts';
import { openDatabase } from '../open-database.ts';
import { noteTraces } from '../scrubber.ts';
import { readWitness } from '../witness.ts';
import { AGENT_CHECKS } from './examine-agents.ts';
import { type Check, some, type Trouble } from './examine-check.ts';
import { describeDamage, examineClosed, examineOwner } from './examine-closed.ts';
import {
  ENGINE_CHECKS,
  examineConnection,
  examineEngine,
  examineLogSize,
  REFERENCE_CHECKS,
} from './examine-engine.ts';
import { examineFiles } from './examine-files.ts';
import { type Damage, findDamage } from './examine-integrity.ts';
import { examineLog } from './examine-log.ts';
import { describeGone, examineNewest } from './examine-newest.ts';
import { QUARANTINE_CHECKS } from './examine-quarantine.ts';
import { RECORD_CHECKS, TRACES_CHECK } from './examine-records.ts';
import { SCHEMA_CHECKS } from './examine-schema.ts';
import { STREAM_CHECKS } from './examine-streams.ts';
import { TEXT_CHECKS } from './examine-text.ts';
import { TOKEN_CHECKS, tokenFacts } from './examine-tokens.ts';
import { VECTOR_CHECKS, vectorFacts } from './examine-vectors.ts';
import type { ExamineOptions } from './options.ts';
import { exists, explain, realPath } from './private-files.ts';
import { quarantine } from './quarantine.ts';
import { repairIndexes } from './repair.ts';
import { rescue } from './rescue.ts';
import { openSnapshot } from './snapshot.ts';

interface ExaminationOptions extends ExamineOptions {
  /** A connection in use, to be looked at as well. */
  readonly connection?: Database;
}

/** In this order: text and vectors follow from records, and references from agents. */
const CONTENT_CHECKS = [
  ...RECORD_CHECKS,
  ...AGENT_CHECKS,
  ...STREAM_CHECKS,
  ...QUARANTINE_CHECKS,
  ...TEXT_CHECKS,
  ...VECTOR_CHECKS,
  ...TOKEN_CHECKS,
  ...REFERENCE_CHECKS,
];

export async function examineDatabase(options: ExaminationOptions): Promise<readonly Finding[]> {
  const file = await realPath(options.file);
  const { fix, now, connection, busyTimeoutMs } = options;
  if (!(await exists(file))) {
    if (readWitness(file) !== undefined) return [examineEngine(), describeGone(file)];
    return [
      examineEngine(),
      {
        check: 'database.file',
        severity: 'notice',
        message: `There is no database at ${file} yet.`,
        hint: 'It is made when it is first needed.',
      },
    ];
  }
  try {
    const kind = strangeKind(file);
    if (kind !== undefined) return [examineEngine(), describeStrangeKind(file, kind)];
    const ofLog = connection === undefined ? await examineLog(file, fix, now) : [];
    // To look into it with SQLite would empty the log.
    if (ofLog.some(({ fixed }) => fixed !== true)) return [examineEngine(), ...ofLog];
    return [
      examineEngine(),
      ...ofLog,
      ...(connection === undefined ? [] : [examineConnection(connection, fix)]),
      ...(await examineContent({ ...options, file })),
      await examineLogSize(file, fix, busyTimeoutMs),
      ...(await examineFiles({ file, fix, now })),
    ];
  } catch (error) {
    throw explain(error, file);
  }
}

function describeStrangeKind(file: string, kind: string): Finding {
  return {
    check: 'database.file',
    severity: 'problem',
    message: `${file} is ${kind}, not a database file.`,
    hint: 'Move it away, or choose another file in storage.sqlite.file.',
    fixable: false,
  };
}

async function examineContent(options: ExaminationOptions, recovered = false): Promise<Finding[]> {
  const { file, fix, busyTimeoutMs } = options;
  let examination: Examination | undefined;
  try {
    const seen = readWitness(file);
    examination = new Examination(options, await openSnapshot(file, busyTimeoutMs), seen);
    const stranger = examineOwner(examination.snapshot, file);
    return stranger === undefined ? await examination.run() : [stranger];
  } catch (reason) {
    if (!isSqliteError(reason)) throw reason;
    const interrupted = /^SQLITE_READONLY_(ROLLBACK|RECOVERY|CANTINIT)/.test(reason.code);
    if (!interrupted || recovered) return [await examineClosed(options, reason)];
    if (!fix) return [INTERRUPTED];
    (await openDatabase({ file, busyTimeoutMs })).close();
    return [{ ...INTERRUPTED, fixed: true }, ...(await examineContent(options, true))];
  } finally {
    examination?.close();
  }
}

/** Only a connection that may write can finish what a crash interrupted. */
const INTERRUPTED: Finding = {
  check: 'database.recovery',
  severity: 'notice',
  message:
    'A process died while it wrote; what it had not finished is undone when the database is opened next.',
  hint: 'Run any command of Keepsake, or "keepsake doctor --fix".',
  fixable: true,
};

/** Checks whose mending takes away what must not stay in unused parts of pages. */
const ERASING = ['records.forgotten', 'vectors.owners', 'tokens.owners', TRACES_CHECK.check];

class Examination {
  snapshot: Database;
  readonly #options: ExaminationOptions;
  readonly #seen: ReturnType<typeof readWitness>;
  #mender: Database | undefined;
  #erased = false;

  constructor(options: ExaminationOptions, snapshot: Database, seen: ReturnType<typeof readWitness>) {
    this.#options = options;
    this.#seen = seen;
    this.snapshot = snapshot;
  }

  async run(): Promise<Finding[]> {
    const findings = await this.#integrity();
    if (findings.some(isUnsolved)) return [...findings, skipped('the damage is repaired')];
    findings.push(await examineNewest(this.#options, this.#seen, this.snapshot));
    findings.push(await this.#version());
    for (const check of [...ENGINE_CHECKS, ...SCHEMA_CHECKS]) findings.push(await this.#apply(check));
    if (this.#schemaVersion < SCHEMA_VERSION) return [...findings, skipped('the upgrade')];
    if (findings.some((finding) => finding.check === 'schema.tables' && isUnsolved(finding))) {
      return [...findings, skipped('its tables are whole again')];
    }
    for (const check of CONTENT_CHECKS) findings.push(await this.#apply(check));
    return findings.some(isUnsolved)
      ? findings
      : [...findings, vectorFacts(this.snapshot), tokenFacts(this.snapshot)];
  }

  close(): void {
    this.snapshot.close();
    const mender = this.#mender;
    if (mender === undefined) return;
    try {
      // What was erased must not live on in unused parts of pages, nor in the log.
      if (this.#erased) mender.exec('VACUUM');
      mender.pragma('wal_checkpoint(TRUNCATE)');
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (this.#erased) noteTraces(mender, true);
    } finally {
      mender.close();
    }
  }

  async #apply({ check, fine, look, mend }: Check): Promise<Finding> {
    const { fix, now } = this.#options;
    let trouble: Trouble | undefined;
    try {
      trouble = look(this.snapshot, now);
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      return {
        check,
        severity: 'problem',
        message: `This could not be checked (${error.message}).`,
        fixable: false,
      };
    }
    if (trouble === undefined) return { check, severity: 'ok', message: fine };
    const { message, hint, severity = 'problem' } = trouble;
    const fixable = mend !== undefined && trouble.fixable !== false;
    const finding: Finding = { check, severity, message, fixable, ...defined({ hint }) };
    if (!fix || !fixable) return finding;
    try {
      await this.#change((database) => mend(database, now));
    } catch (error) {
      return { ...finding, fixed: false, hint: `It could not be repaired: ${(error as Error).message}.` };
    }
    this.#erased ||= ERASING.includes(check);
    return { ...finding, fixed: look(this.snapshot, now) === undefined };
  }

  /** With a connection of its own: the one that looks may not write, and other tasks may use any other one. */
  async #change(work: (database: Database) => void): Promise<void> {
    const { file, busyTimeoutMs } = this.#options;
    await this.#withoutSnapshot(async () => {
      this.#mender ??= await openDatabase({ file, busyTimeoutMs });
      const mender = this.#mender;
      await whileBusy(busyTimeoutMs, () => mender.transaction(() => work(mender)).immediate());
    });
  }

  /** Looks through a new connection afterwards: the text index keeps in memory what was wrong with it. */
  async #withoutSnapshot(change: () => Promise<void>): Promise<void> {
    const { file, busyTimeoutMs } = this.#options;
    this.snapshot.close();
    try {
      await change();
    } finally {
      this.snapshot = await openSnapshot(file, busyTimeoutMs);
    }
  }

  get #schemaVersion(): number {
    return this.snapshot.pragma('user_version', { simple: true }) as number;
  }

  async #version(): Promise<Finding> {
    const version = this.#schemaVersion;
    const check = 'database.version';
    if (version === SCHEMA_VERSION)
      return { check, severity: 'ok', message: `The schema has version ${version}.` };
    // Opening a database to change it brings it up to date.
    if (this.#options.fix) await this.#change(() => {});
    return {
      check,
      severity: 'notice',
      message: `The schema has version ${version}; this Keepsake makes ${SCHEMA_VERSION} of it.`,
      hint: 'It is upgraded when the workspace is opened next.',
      fixable: true,
      ...(this.#options.fix ? { fixed: this.#schemaVersion === SCHEMA_VERSION } : {}),
    };
  }

  async #integrity(): Promise<Finding[]> {
    const { file, fix, now } = this.#options;
    const damage = findDamage(this.snapshot);
    if (damage.complaints.length === 0) {
      return [{ check: 'database.integrity', severity: 'ok', message: 'SQLite finds no damage.' }];
    }
    if (damage.tables.size > 0) {
      const message = `Tables of ${file} are damaged (${some([...damage.tables])}: ${damage.complaints[0]}).`;
      return [describeDamage(message, fix ? await rescue(file, now) : undefined)];
    }
    if (!fix) return describeIndexDamage(damage, 'Run "keepsake doctor --fix" to rebuild it.');
    const { file: copy } = await quarantine(file, dirname(file), now);
    const kept = `A copy of the database as it was is kept in ${copy}.`;
    try {
      await this.#withoutSnapshot(() => repairIndexes(file, damage, this.#options.busyTimeoutMs));
    } catch (error) {
      return describeIndexDamage(
        damage,
        `It could not be repaired: ${(error as Error).message}. ${kept}`,
        false,
      );
    }
    return describeIndexDamage(damage, kept, findDamage(this.snapshot).complaints.length === 0);
  }
}

const isUnsolved = ({ severity, fixed }: Finding): boolean => severity === 'problem' && fixed !== true;

function describeIndexDamage(
  { indexes, texts, vectors, space, complaints }: Damage,
  hint: string,
  fixed?: boolean,
): Finding[] {
  const rest = {
    severity: 'problem',
    hint,
    fixable: true,
    ...defined({ fixed }),
  } as const;
  return [
    ...(indexes.size > 0
      ? [
          {
            check: 'database.indexes',
            message: `Indexes are damaged (${some([...indexes])}); no row is lost.`,
            ...rest,
          },
        ]
      : []),
    ...(texts.size > 0
      ? [
          {
            check: 'database.text-index',
            message: `The text index is damaged (${some([...texts])}); no row is lost.`,
            ...rest,
          },
        ]
      : []),
    ...(vectors.size > 0
      ? [
          {
            check: 'database.vectors',
            message: `Vectors are damaged (${some([...vectors])}); they are rebuilt from the memories.`,
            ...rest,
          },
        ]
      : []),
    ...(space
      ? [
          {
            check: 'database.free-list',
            message: `The list of free pages is damaged (${complaints[0]}); no row is lost.`,
            ...rest,
          },
        ]
      : []),
  ];
}

function skipped(until: string): Finding {
  return {
    check: 'database.content',
    severity: 'notice',
    message: `Memories and messages were not examined; that is possible after ${until}.`,
  };
}
