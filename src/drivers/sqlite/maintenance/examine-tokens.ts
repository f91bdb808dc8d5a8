/** Checks of token vectors: each belongs to a memory and is whole, and no memory is left out. What is wrong is made again. */
import type { Database } from 'better-sqlite3';
import type { Finding } from '../../../ports/maintenance.ts';
import type { TokenBacklog } from '../../../ports/token-store.ts';
import { type Check, counted, rowCheck } from './examine-check.ts';

/** All that is in them can be rebuilt from the records. */
export const TOKEN_TABLES: readonly string[] = ['token_space', 'record_tokens', 'token_queue'];

const FIX = 'Run "keepsake doctor --fix"; what is missing afterwards is rebuilt.';
const NO_OWNER = 'rid NOT IN (SELECT rid FROM records WHERE forgotten_at IS NULL)';
const NOT_WHOLE = 'length(vectors) % coalesce((SELECT dimensions FROM token_space), 1) <> 0';
const LEFT_OUT = `forgotten_at IS NULL AND EXISTS (SELECT 1 FROM token_space)
  AND rid NOT IN (SELECT rid FROM record_tokens) AND rid NOT IN (SELECT rid FROM token_queue)`;
const ENQUEUE_LEFT_OUT = `INSERT INTO token_queue SELECT rid FROM records WHERE ${LEFT_OUT}`;

export const TOKEN_CHECKS: readonly Check[] = [
  rowCheck({
    check: 'tokens.owners',
    fine: 'Token vectors belong to memories.',
    rows: `SELECT rid FROM record_tokens WHERE ${NO_OWNER} UNION SELECT rid FROM token_queue WHERE ${NO_OWNER}
      UNION SELECT rid FROM record_tokens WHERE NOT EXISTS (SELECT 1 FROM token_space)`,
    message: (count) => `${counted(count, 'memory is', 'memories are')} gone, but token vectors of it remain`,
    hint: FIX,
    mend: [
      `DELETE FROM record_tokens WHERE ${NO_OWNER} OR NOT EXISTS (SELECT 1 FROM token_space)`,
      `DELETE FROM token_queue WHERE ${NO_OWNER}`,
    ],
  }),
  rowCheck({
    check: 'tokens.whole',
    fine: 'Token vectors are whole.',
    rows: `SELECT rid FROM record_tokens WHERE ${NOT_WHOLE}`,
    message: (count) => `The token vectors of ${counted(count, 'memory', 'memories')} are damaged`,
    hint: FIX,
    mend: [`DELETE FROM record_tokens WHERE ${NOT_WHOLE}`, ENQUEUE_LEFT_OUT],
  }),
  rowCheck({
    check: 'tokens.waiting',
    fine: 'Every memory has token vectors or waits for them, where they are in use.',
    rows: `SELECT id FROM records WHERE ${LEFT_OUT}`,
    message: (count) =>
      `${counted(count, 'memory', 'memories')} neither with token vectors nor waiting for them`,
    hint: 'Run "keepsake doctor --fix".',
    mend: [ENQUEUE_LEFT_OUT],
  }),
];

/** No trouble by itself: who knows the configured model judges it. */
export function tokenFacts(snapshot: Database): Finding {
  const tokens = snapshot
    .prepare(
      `SELECT (SELECT id FROM token_space) AS space, (SELECT count(*) FROM record_tokens) AS encoded,
       (SELECT count(*) FROM token_queue) AS waiting`,
    )
    .get() as TokenBacklog;
  const message =
    tokens.space === null ? 'There are no token vectors.' : `The token vectors are of ${tokens.space}.`;
  return { check: 'tokens.space', severity: 'ok', message, tokens };
}

/** After a salvage: all of them are made again. Databases of old have none. */
export function mendSalvagedTokens(database: Database): void {
  const has = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'token_space'").get();
  if (has === undefined) return;
  database.exec(`DELETE FROM record_tokens; DELETE FROM token_queue WHERE ${NO_OWNER}; ${ENQUEUE_LEFT_OUT}`);
}
