/** Checks of records: what a row says about itself must fit together, and be what the code writes. */

import { FACT_SOURCES } from '../../../kernel/record.ts';
import { hasTraces, noteTraces } from '../scrubber.ts';
import { type Check, counted, rowCheck, some } from './examine-check.ts';
import { tornRecords } from './torn-rows.ts';

const have = (count: number): string => counted(count, 'memory has', 'memories have');
const FACTS = FACT_SOURCES.map((source) => `'${source}'`).join(', ');

/** 1973 as milliseconds: what is below was meant as seconds, or is no time at all. */
const OLDEST_TIME = 100_000_000_000;
/** The end of JavaScript's calendar. */
const LATEST_TIME = 8_640_000_000_000_000;

const BAD_TAGS = `CASE WHEN json_valid(tags) THEN json_type(tags) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(tags) WHERE type <> 'text') ELSE TRUE END`;
const BAD_METADATA = `CASE WHEN json_valid(metadata) THEN json_type(metadata) <> 'object' ELSE TRUE END`;
const SHOULD_COUNT = `(source IN (${FACTS}) AND NOT (source = 'manual' AND scope = 'swarm' AND user_id = '') AND forgotten_at IS NULL)`;

/** Keeps what cannot be read as text in the metadata, so that nothing is lost and every reader works again. */
export const MEND_JSON = [
  `UPDATE records SET metadata = json_object('unreadableMetadata', metadata) WHERE ${BAD_METADATA}`,
  `UPDATE records SET metadata = json_set(metadata, '$.unreadableTags', tags), tags = '[]' WHERE ${BAD_TAGS}`,
] as const;

export const MEND_COUNTERS = [
  `INSERT OR IGNORE INTO agent_users (agent, user_id, created_at)
   SELECT agent, user_id, min(created_at) FROM records WHERE user_id <> '' GROUP BY agent, user_id`,
  `UPDATE agents SET facts = (SELECT count(*) FROM records WHERE records.agent = agents.name AND user_id = '' AND counted = 1)`,
  `UPDATE agent_users SET facts = (SELECT count(*) FROM records r
   WHERE r.agent = agent_users.agent AND r.user_id = agent_users.user_id AND counted = 1)`,
] as const;

const impossibleTime = (column: string): string => `${column} NOT BETWEEN ${OLDEST_TIME} AND ${LATEST_TIME}`;

const forgotten = rowCheck({
  check: 'records.forgotten',
  fine: 'Nothing is left of forgotten memories.',
  rows: `SELECT id FROM records r WHERE forgotten_at IS NOT NULL AND (content <> '' OR tags <> '[]' OR metadata <> '{}'
    OR EXISTS (SELECT 1 FROM record_versions v WHERE v.rid = r.rid))`,
  message: (count) =>
    `${counted(count, 'memory was', 'memories were')} forgotten, but text or history is still there`,
  hint: 'Run "keepsake doctor --fix" to erase it.',
  mend: [
    `DELETE FROM record_versions WHERE rid IN (SELECT rid FROM records WHERE forgotten_at IS NOT NULL)`,
    `UPDATE records SET content = '', tags = '[]', metadata = '{}', digest = randomblob(16)
     WHERE forgotten_at IS NOT NULL AND (content <> '' OR tags <> '[]' OR metadata <> '{}')`,
  ],
});

const json = rowCheck({
  check: 'records.json',
  fine: 'Tags and metadata of every memory can be read.',
  rows: `SELECT id FROM records WHERE ${BAD_TAGS} OR ${BAD_METADATA}`,
  message: (count) => `${have(count)} tags or metadata that cannot be read`,
  hint: 'Run "keepsake doctor --fix"; it keeps the unreadable text in the metadata.',
  mend: MEND_JSON,
});

const history = rowCheck({
  check: 'records.history',
  fine: 'Every memory has its whole history.',
  rows: `SELECT id FROM records r WHERE forgotten_at IS NULL AND (
    version - 1 <> (SELECT count(*) FROM record_versions v WHERE v.rid = r.rid AND v.version < r.version)
    OR EXISTS (SELECT 1 FROM record_versions v WHERE v.rid = r.rid AND (v.version >= r.version OR NOT json_valid(v.snapshot))))`,
  message: (count) => `${have(count)} a history with gaps, surplus or unreadable versions`,
  hint: 'The memories themselves are intact; a backup may still have their history.',
});

const confidence = rowCheck({
  check: 'records.confidence',
  fine: 'Every confidence is between 0 and 1.',
  rows: `SELECT id FROM records WHERE confidence NOT BETWEEN 0 AND 1`,
  message: (count) => `${have(count)} a confidence outside of 0 to 1`,
  hint: 'Set it with "keepsake memory update <id> --confidence <0..1>".',
});

const times = rowCheck({
  check: 'records.times',
  fine: 'Every time is in milliseconds.',
  rows: `SELECT id FROM records WHERE ${['created_at', 'updated_at', 'expires_at', 'forgotten_at'].map(impossibleTime).join(' OR ')}`,
  message: (count) => `${have(count)} times that are not milliseconds since 1970, perhaps seconds`,
  hint: 'Set the expiry again with "keepsake memory update <id> --expires-at <time>".',
});

const REVIVED = `superseded_by IS NOT NULL AND forgotten_at IS NULL AND expiry_reason IS NOT 'superseded'
  AND (expires_at IS NULL OR expires_at > @now)`;

const superseded = rowCheck({
  check: 'records.superseded',
  fine: 'What was superseded has ended.',
  rows: `SELECT id FROM records WHERE ${REVIVED}`,
  message: (count) => `${counted(count, 'memory is', 'memories are')} found although another took its place`,
  hint: 'Run "keepsake doctor --fix" to end it when its successor took effect.',
  mend: [
    `UPDATE records AS r SET expiry_reason = 'superseded', counted = 0, expires_at = min(@now, max(
       coalesce(valid_from, created_at),
       coalesce((SELECT coalesce(n.valid_from, n.created_at) FROM records n WHERE n.id = r.superseded_by), @now)))
     WHERE ${REVIVED}`,
    ...MEND_COUNTERS,
  ],
});

const countedFlags = rowCheck({
  check: 'records.counted',
  fine: 'Every memory is marked right for memory.maxEntries.',
  // A fact that expired by itself keeps its place until somebody needs it, so both marks are right for it.
  rows: `SELECT id FROM records WHERE (counted = 1 AND NOT ${SHOULD_COUNT})
    OR (counted = 0 AND ${SHOULD_COUNT} AND (expires_at IS NULL OR (expires_at > @now AND expiry_reason IS NULL)))`,
  message: (count) => `${counted(count, 'memory is', 'memories are')} marked wrongly for memory.maxEntries`,
  hint: 'Run "keepsake doctor --fix".',
  mend: [
    `UPDATE records SET counted = 0 WHERE counted = 1 AND NOT ${SHOULD_COUNT}`,
    `UPDATE records SET counted = 1
     WHERE counted = 0 AND ${SHOULD_COUNT} AND (expires_at IS NULL OR (expires_at > @now AND expiry_reason IS NULL))`,
    ...MEND_COUNTERS,
  ],
});

const digests: Check = {
  check: 'records.digest',
  fine: 'Every memory has the text that it was stored with.',
  look(snapshot) {
    const ids = tornRecords(snapshot).map((record) => record.id);
    if (ids.length === 0) return undefined;
    return {
      message: `${have(ids.length)} another text than the one that was stored (${some(ids)}).`,
      hint: 'The disk or another program changed it. Check it, and store it again or restore a backup.',
    };
  },
};

/** Mending it is half of the job: whoever mends it rewrites the file afterwards. */
export const TRACES_CHECK: Check = {
  check: 'records.traces',
  fine: 'Nothing is left of forgotten memories.',
  look: (snapshot) =>
    hasTraces(snapshot)
      ? {
          severity: 'notice',
          message:
            'Unused parts of the file may still hold words of forgotten memories, because it was too large to rewrite then.',
          hint: 'Run "keepsake doctor --fix" when no other process writes; it rewrites the file.',
        }
      : undefined,
  mend: (database) => noteTraces(database, false),
};

export const RECORD_CHECKS: readonly Check[] = [
  TRACES_CHECK,
  forgotten,
  json,
  history,
  confidence,
  times,
  superseded,
  countedFlags,
  digests,
];
