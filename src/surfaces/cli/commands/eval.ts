/** `keepsake eval`: measures recall on your own questions. */
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import {
  type EvaluationReport,
  evaluate,
  type Measured,
  parseCases,
} from '../../../administration/evaluate.ts';
import { defined } from '../../../kernel/defined.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { oneLine } from '../terminal/printable.ts';
import { createProgress } from '../terminal/progress.ts';
import { counted } from '../terminal/sizes.ts';
import { renderTable } from '../terminal/table.ts';
import { requireWorkspace } from './run/require-workspace.ts';

const FAILED = 1;
/** More of them nobody reads on a terminal; --json has all. */
const MOST_MISSES = 10;

function shareFlag(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError('Expected a number from 0 to 1.');
}

function readCases(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new KeepsakeError('NOT_FOUND', `${file} cannot be read (${code}).`, {
      hint: 'Name a file with one case per line: {"query": "which cache do we use?", "expect": ["Redis"]}',
      cause,
    });
  }
}

/** One sentence if a share is below the minimum that a flag demands. */
function below(name: string, share: number | null | undefined, least: number, flag: string) {
  if ((share ?? 1) >= least) return undefined;
  return `${name} is ${percent(share ?? null)}, below ${flag} ${least}.`;
}

const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)} %`);

function lines({ settings, misses }: EvaluationReport, { output }: Context): string[] {
  const table = renderTable<Measured>(
    {
      rows: settings,
      columns: [
        { title: 'RECALL', cell: ({ recall }) => percent(recall) },
        { title: 'PRECISION', cell: ({ precision }) => percent(precision) },
        { title: 'SILENT', cell: ({ abstention }) => percent(abstention) },
        { title: 'RETURNED', cell: ({ returned }) => returned.toFixed(1) },
      ],
      long: { title: 'SETTING', cell: ({ setting }) => setting },
    },
    output.width,
    output.paint,
  );
  const shown = misses.slice(0, MOST_MISSES).map(({ query, missing, first }) => {
    const what =
      missing.length === 0
        ? `expected nothing, but found: ${oneLine(first ?? '')}`
        : `not found: ${missing.map((each) => `"${oneLine(each)}"`).join(', ')}${first === undefined ? '' : `; found first: ${oneLine(first)}`}`;
    return `  ${oneLine(query)} ${what}`;
  });
  const more = misses.length - shown.length;
  return [
    ...(Array.isArray(table) ? table : [table]),
    ...(misses.length === 0
      ? []
      : ['', `With the default, ${counted(misses.length, 'case')} failed:`, ...shown]),
    ...(more > 0 ? [`  and ${more} more; --json lists them all`] : []),
  ];
}

interface EvalFlags {
  readonly agent?: string;
  readonly minRecall?: number;
  readonly minPrecision?: number;
}

export function define(command: Command, context: Context): void {
  const { output } = context;
  command
    .description(
      'Searches for every question of a file and compares what is returned with what you expect: recall (expected memories that were returned), precision (returned memories that were expected) and silence (questions without an answer that got none), under several settings. One JSON object per line: {"query", "expect", "agent"?}; "expect" holds ids or parts of the text.',
    )
    .argument('<file>', 'File of cases, one JSON object per line')
    .option('--agent <name>', 'Search only the memory of this agent; default: the whole workspace')
    .option('--min-recall <share>', 'Fail if the recall of the default is lower, for CI', shareFlag)
    .option('--min-precision <share>', 'Fail if the precision of the default is lower, for CI', shareFlag)
    .action(async (file: string, { agent, minRecall = 0, minPrecision = 0 }: EvalFlags) => {
      const cases = parseCases(readCases(file), file);
      await requireWorkspace(context);
      const engine = await context.open();
      const progress = createProgress('Searching', output);
      const viewer = { role: agent === undefined ? 'admin' : 'reader', ...defined({ agent }) } as const;
      const report = await evaluate(engine, cases, { viewer, via: 'cli' }, (done, total) =>
        progress.show(done, total),
      ).finally(() => progress.end());
      output.result(report, { text: () => lines(report, context) });
      const [usual] = report.settings;
      const failures = [
        below('Recall', usual?.recall, minRecall, '--min-recall'),
        below('Precision', usual?.precision, minPrecision, '--min-precision'),
      ].filter((failure) => failure !== undefined);
      for (const failure of failures) output.warn(failure);
      if (failures.length > 0) context.exitCode = FAILED;
    });
  addExamples(
    command,
    ['keepsake eval cases.jsonl', 'keepsake eval cases.jsonl --agent my-agent --min-recall 0.9'],
    context,
  );
}
