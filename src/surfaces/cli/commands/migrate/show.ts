/** What a migration did, or would do, in words. */
import type { MigrateReport } from '../../../../administration/migrate.ts';
import type { Paint } from '../../terminal/paint.ts';
import { counted } from '../../terminal/sizes.ts';

type Seals = Extract<MigrateReport, { outcome: 'planned' }>['source'];
type Kind = keyof Seals;

const NAMES: Readonly<Record<Kind, string>> = {
  records: 'memories',
  versions: 'versions',
  keys: 'keys',
  vectors: 'vectors',
  messages: 'messages',
  threads: 'views',
  quarantine: 'refused',
  events: 'events',
};

const TARGETS: Readonly<Record<'empty' | 'unfinished' | 'used', string>> = {
  empty: 'It is empty.',
  unfinished: 'A migration of this source was interrupted there, and would go on.',
  used: 'It holds something already, so the two would only be compared.',
};

function sealLines(seals: Seals, withChecksums: boolean): string[] {
  return (Object.keys(NAMES) as Kind[]).map((kind) => {
    const { count, sha256 } = seals[kind];
    const checksum = withChecksums ? `  sha256 ${sha256.slice(0, 16)}…` : '';
    return `  ${NAMES[kind].padEnd(10)}${String(count).padStart(8)}${checksum}`;
  });
}

function leftLines({ runsLeft }: MigrateReport): string[] {
  if (runsLeft === 0) return [];
  return [
    `  ${counted(runsLeft, 'run')} of swarms, with their states and messages, stay where they are: their results are memories.`,
  ];
}

/** What changed, if this was not the first attempt. */
function resumedLines(report: Exclude<MigrateReport, { outcome: 'planned' }>): string[] {
  const { records, messages } = report.carried;
  if (records.present + records.replaced + messages.present + messages.replaced === 0) return [];
  const sum = (key: 'added' | 'present' | 'replaced') => records[key] + messages[key];
  return [
    `  ${sum('added')} carried now, ${sum('present')} there already, ${sum('replaced')} brought up to date`,
  ];
}

export function migrateLines(report: MigrateReport, paint: Paint): string[] {
  const route = `${report.from}\n  to ${paint('bold', report.to)}`;
  if (report.outcome === 'planned') {
    return [
      `Would carry from ${route}`,
      `  ${TARGETS[report.target]}`,
      ...sealLines(report.source, false),
      ...leftLines(report),
    ];
  }
  const head = report.outcome === 'same' ? 'The same is there already, from' : 'Carried from';
  return [
    `${paint('green', '✓')} ${head} ${route}`,
    ...(report.outcome === 'same' ? [] : resumedLines(report)),
    '  The same on both sides:',
    ...sealLines(report.verified, true),
    ...leftLines(report),
    '',
    'Nothing uses it yet. To go over to it, write this into keepsake.jsonc and restart what is running:',
    `  "storage": ${JSON.stringify(report.storage, null, 2).replaceAll('\n', '\n  ')}`,
    ...(report.storage.driver === 'postgres'
      ? ['A password stays out of the file: $KEEPSAKE_STORAGE_URL takes the whole address.']
      : []),
  ];
}
