/** Checks of the log, the events, and the runs of swarms with their working states. */
import type { Database } from 'better-sqlite3';
import { HOW_TO_GO_ON, MIGRATION_MARK, unfinishedText } from '../../../kernel/unfinished-migration.ts';
import { NO_USAGE } from '../../../ports/run-store.ts';
import { type Check, counted, rowCheck } from './examine-check.ts';
import { setSequence } from './sequences.ts';

const NUMBERED = ['events', 'messages', 'run_messages'] as const;

function highest(database: Database, table: (typeof NUMBERED)[number]): { last: number; given: number } {
  return database
    .prepare(
      `SELECT coalesce((SELECT max(seq) FROM ${table}), 0) AS last,
              coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = '${table}'), 0) AS given`,
    )
    .get() as { last: number; given: number };
}

const sequences: Check = {
  check: 'log.sequence',
  fine: 'Sequence numbers only grow.',
  look(snapshot) {
    const behind = NUMBERED.filter((table) => {
      const { last, given } = highest(snapshot, table);
      return given < last;
    });
    if (behind.length === 0) return undefined;
    return {
      message: `The numbering of ${behind.join(' and ')} is behind what is stored, so that numbers could be given twice.`,
      hint: 'Run "keepsake doctor --fix".',
    };
  },
  mend(database) {
    for (const table of NUMBERED) {
      const { last, given } = highest(database, table);
      if (given < last) setSequence(database, table, last);
    }
  },
};

const messages = rowCheck({
  check: 'log.json',
  fine: 'Every message can be read.',
  rows: `SELECT id FROM messages WHERE NOT json_valid(content)
    OR CASE WHEN json_valid(metadata) THEN json_type(metadata) <> 'object' ELSE TRUE END`,
  message: (count) => `${counted(count, 'message', 'messages')} cannot be read`,
  hint: 'Run "keepsake doctor --fix"; it turns them into plain text.',
  mend: [
    `UPDATE messages SET content = json_quote(content) WHERE NOT json_valid(content)`,
    `UPDATE messages SET metadata = json_object('unreadableMetadata', metadata)
     WHERE CASE WHEN json_valid(metadata) THEN json_type(metadata) <> 'object' ELSE TRUE END`,
  ],
});

const events = rowCheck({
  check: 'events.json',
  fine: 'Every event can be read.',
  rows: `SELECT seq FROM events WHERE NOT json_valid(event)`,
  message: (count) => `${counted(count, 'event', 'events')} cannot be read`,
  hint: 'Run "keepsake doctor --fix" to remove them; events are not memories.',
  mend: [`DELETE FROM events WHERE NOT json_valid(event)`],
});

const states = rowCheck({
  check: 'state.json',
  fine: 'Every working state can be read.',
  rows: `SELECT run FROM states WHERE NOT json_valid(document) OR version < 1`,
  message: (count) => `The working state of ${counted(count, 'run', 'runs')} cannot be read`,
  hint: 'It is removed by itself when its lease ends; a backup may have it whole.',
});

const RUN_STATUS = `('running', 'completed', 'failed', 'cancelled')`;

const runs = rowCheck({
  check: 'runs.json',
  fine: 'Every run of a swarm can be read.',
  rows: `SELECT id FROM runs WHERE NOT json_valid(participants) OR NOT json_valid(usage) OR status NOT IN ${RUN_STATUS}`,
  message: (count) => `${counted(count, 'run', 'runs')} of swarms cannot be read`,
  hint: 'Run "keepsake doctor --fix"; it keeps of each what can be read. Results are memories, and are not concerned.',
  mend: [
    `UPDATE runs SET participants = '[]' WHERE NOT json_valid(participants)`,
    `UPDATE runs SET usage = '${JSON.stringify(NO_USAGE)}' WHERE NOT json_valid(usage)`,
    `UPDATE runs SET status = 'failed', ended_at = coalesce(ended_at, @now) WHERE status NOT IN ${RUN_STATUS}`,
  ],
});

const runMessages = rowCheck({
  check: 'runs.messages',
  fine: 'Every message of a run can be read.',
  rows: `SELECT id FROM run_messages WHERE content IS NOT NULL AND NOT json_valid(content)`,
  message: (count) => `${counted(count, 'message', 'messages')} of runs cannot be read`,
  hint: 'Run "keepsake doctor --fix"; it turns them into plain text.',
  mend: [
    `UPDATE run_messages SET content = json_quote(content) WHERE content IS NOT NULL AND NOT json_valid(content)`,
  ],
});

const stateChanges = rowCheck({
  check: 'state.changes',
  fine: 'Every change of a working state can be read.',
  rows: `SELECT run || ' ' || version FROM state_changes WHERE value IS NOT NULL AND NOT json_valid(value)`,
  message: (count) => `${counted(count, 'change', 'changes')} of working states cannot be read`,
  hint: 'Run "keepsake doctor --fix"; who changed what is kept, the values are not.',
  mend: [`UPDATE state_changes SET value = NULL WHERE value IS NOT NULL AND NOT json_valid(value)`],
});

/** A process may die between the end of a run and the removal of its state. */
const leftovers = rowCheck({
  check: 'state.leftovers',
  fine: 'No run that has ended has a working state.',
  rows: `SELECT run FROM states WHERE run IN (SELECT id FROM runs WHERE status <> 'running')
    UNION SELECT run FROM state_changes WHERE run NOT IN (SELECT run FROM states)`,
  message: (count) => `${counted(count, 'run', 'runs')} left something of a working state behind`,
  severity: 'notice',
  hint: 'It is removed when its lease ends, or by "keepsake doctor --fix".',
  mend: [
    `DELETE FROM states WHERE run IN (SELECT id FROM runs WHERE status <> 'running')`,
    `DELETE FROM state_changes WHERE run NOT IN (SELECT run FROM states)`,
  ],
});

const migration: Check = {
  check: 'database.migration',
  fine: 'No migration into it is unfinished.',
  look(snapshot) {
    const entry = snapshot.prepare('SELECT entry FROM journals WHERE key = ?').pluck().get(MIGRATION_MARK);
    if (typeof entry !== 'string') return undefined;
    const { from } = JSON.parse(entry) as { from?: unknown };
    return { message: unfinishedText(from), hint: HOW_TO_GO_ON, fixable: false };
  },
};

export const STREAM_CHECKS: readonly Check[] = [
  ...[sequences, messages, events, runs, runMessages, states, stateChanges, leftovers, migration],
];
