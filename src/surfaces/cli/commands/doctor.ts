/** `keepsake doctor`: lists checks with warnings, errors and solutions. */
import type { Command } from 'commander';
import { type DoctorReport, isOpen, workspaceDoctor } from '../../../administration/doctor.ts';
import { ERROR_TABLE } from '../../../kernel/errors.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import type { Output } from '../output.ts';
import { oldestNode, packageVersion } from '../package.ts';
import { printable } from '../terminal/printable.ts';

type Finding = DoctorReport['findings'][number];

/** What the part of a check's name before the dot belongs to. */
const TITLES: Readonly<Record<string, string>> = {
  program: 'Program',
  workspace: 'Workspace',
  config: 'Configuration',
  files: 'Files and disk',
  disk: 'Files and disk',
  sqlite: 'Database',
  database: 'Database',
  schema: 'Database',
  records: 'Memories',
  agents: 'Memories',
  log: 'Conversations',
  events: 'Conversations',
  state: 'Conversations',
  runs: 'Swarms',
  quarantine: 'Guard',
  text: 'Search index',
  vectors: 'Search index',
  embedding: 'Search by meaning',
};

function groupOf({ check }: Finding): string {
  const prefix = check.split('.')[0]!;
  return TITLES[prefix] ?? `${prefix.slice(0, 1).toUpperCase()}${prefix.slice(1)}`;
}

/** Groups of many small checks, of which only the trouble is worth reading. */
const DETAILS: readonly string[] = ['Memories', 'Conversations', 'Search index'];

function findingLines(finding: Finding, { paint }: Output): string[] {
  const { severity, message, hint, fixed = false } = finding;
  const sign =
    fixed || severity === 'ok'
      ? paint('green', '✓')
      : severity === 'notice'
        ? paint('yellow', '!')
        : paint('red', '✗');
  const [first = '', ...rest] = printable(message).split('\n');
  return [
    `  ${sign} ${first}${fixed ? paint('green', ' (fixed)') : ''}`,
    ...rest.map((line) => `    ${line}`),
    ...(hint === undefined || fixed ? [] : [`    ${paint('dim', `hint: ${printable(hint)}`)}`]),
  ];
}

function closing({ findings, ok }: DoctorReport, { paint }: Output): string {
  const problems = findings.filter(isOpen).length;
  const notices = findings.filter(({ severity, fixed = false }) => severity === 'notice' && !fixed).length;
  if (!ok) return paint(['red', 'bold'], `${problems} ${problems === 1 ? 'problem' : 'problems'}.`);
  if (notices === 0) return paint('green', 'All is well.');
  return paint('green', `All is well, with ${notices} ${notices === 1 ? 'remark' : 'remarks'}.`);
}

function groupLines(title: string, members: readonly Finding[], verbose: boolean, output: Output): string[] {
  const fine = members.filter(({ severity }) => severity === 'ok');
  const summarise = !verbose && DETAILS.includes(title) && fine.length > 1;
  const shown = summarise ? members.filter((finding) => !fine.includes(finding)) : members;
  return [
    output.paint('bold', title),
    ...(summarise ? [`  ${output.paint('green', '✓')} ${fine.length} checks found nothing wrong.`] : []),
    // Several checks may find the same, and say so in the same words.
    ...new Set(shown.map((finding) => findingLines(finding, output).join('\n'))),
  ];
}

function lines(
  report: DoctorReport,
  findings: readonly Finding[],
  verbose: boolean,
  output: Output,
): string[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = groupOf(finding);
    groups.set(group, [...(groups.get(group) ?? []), finding]);
  }
  const sections = [...groups].flatMap(([title, members]) => groupLines(title, members, verbose, output));
  return [...sections, '', closing(report, output)];
}

export function define(command: Command, context: Context): void {
  const { output, workspace, clock } = context;
  command
    .description(
      'Examines the program, the workspace, its configuration, files and database. Changes nothing, and creates nothing, without --fix.',
    )
    .option('--fix', 'Repair what can be repaired; damaged content is copied first')
    .option('--verbose', 'Name every check, also where nothing is wrong')
    .action(async ({ fix = false, verbose = false }: { fix?: boolean; verbose?: boolean }) => {
      const program = { version: packageVersion(), oldestNode: oldestNode() };
      const report = await workspaceDoctor({ workspace, fix, now: clock.now(), program });
      output.result(report, {
        text: () => lines(report, report.findings, verbose, output),
        quiet: () => (report.ok ? [] : lines(report, report.findings.filter(isOpen), verbose, output)),
      });
      if (report.code !== undefined) context.exitCode = ERROR_TABLE[report.code].exit;
    });
  addExamples(command, ['keepsake doctor', 'keepsake doctor --fix', 'keepsake doctor --json'], context);
}
