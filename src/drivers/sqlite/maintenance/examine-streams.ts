/** Checks of the log, the events and the working state. */
import type { Database } from 'better-sqlite3';
import { type Check, counted, rowCheck } from './examine-check.ts';
import { setSequence } from './sequences.ts';

const NUMBERED = ['events', 'messages'] as const;

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

export const STREAM_CHECKS: readonly Check[] = [sequences, messages, events, states];
