/** `keepsake validate`: checks the files that define agents, and prints one block per agent. */
import type { Command } from 'commander';
import {
  agentsValidate,
  type InvalidAgent,
  type InvalidSwarm,
  type ModelState,
  type ValidAgent,
  type ValidationReport,
} from '../../../administration/agents-validate.ts';
import { ERROR_TABLE } from '../../../kernel/errors.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import type { Output } from '../output.ts';
import { oneLine } from '../terminal/printable.ts';
import { counted } from '../terminal/sizes.ts';

type Paint = Output['paint'];

function modelLine({ id, ok, note }: ModelState, paint: Paint): string {
  const [provider = '', ...name] = oneLine(id).split('/');
  const shown = name.length === 0 ? provider : `${provider} / ${name.join('/')}`;
  return `Model ${shown} ${ok ? paint('green', '✓') : paint('red', '✗')} ${oneLine(note)}`;
}

function historyLine({ level, messages }: ValidAgent['history']): string {
  if (level === 'off') return 'History off (stateless, nothing is stored)';
  return `History ${level} (${level === 'preamble' ? 'MEMORY.md as one message' : `last ${messages} messages`})`;
}

function validLines(agent: ValidAgent, paint: Paint): string[] {
  const { name, ok, model, history, memory, trigger, prompt, paths, allowHosts, tools, role } = agent;
  const sign = ok ? paint('green', '✓') : paint('red', '✗');
  const details = [
    modelLine(model, paint),
    historyLine(history),
    `Trigger ${oneLine(trigger)} ${paint('green', '✓')} Valid`,
    `Prompt ${prompt.characters} chars`,
    ...(role === 'worker' ? [] : [`Role ${role}`]),
    ...(memory ? ['Memory on'] : []),
    ...(agent.persistentMemory ? ['MEMORY.md on'] : []),
    ...(paths.length === 0 ? [] : [`Paths ${paths.map(oneLine).join(', ')}`]),
    ...(allowHosts.length === 0 ? [] : [`Hosts ${allowHosts.map(oneLine).join(', ')}`]),
    'Tools',
    ...tools.map((tool) => `  ${paint('green', '✓')} ${tool} ${paint('dim', '(built-in)')}`),
  ];
  return [`${sign} ${paint('bold', oneLine(name))}`, ...details.map((line) => `  ${line}`)];
}

function invalidLines({ name, problems }: InvalidAgent, paint: Paint): string[] {
  return [
    `${paint('red', '✗')} ${paint('bold', oneLine(name))}`,
    ...problems.map(({ line, column, path, message }) => {
      const place = line === undefined ? '' : `:${line}:${column}`;
      return `  ${paint('dim', `agents/${oneLine(name)}.md${place}`)}${path === '' ? '' : ` ${oneLine(path)}`}: ${oneLine(message)}`;
    }),
  ];
}

function swarmLines({ name, problems }: InvalidSwarm, paint: Paint): string[] {
  return [
    '',
    `${paint('red', '✗')} ${paint('bold', `swarm ${oneLine(name)}`)}`,
    ...problems.map((problem) => `  ${paint('dim', 'keepsake.jsonc')} ${oneLine(problem)}`),
  ];
}

function closing({ agents }: ValidationReport, paint: Paint): string {
  const wrong = agents.filter(({ ok }) => !ok).length;
  if (wrong === 0) return paint('green', `${counted(agents.length, 'agent')}, all valid.`);
  return paint(['red', 'bold'], `${wrong} of ${counted(agents.length, 'agent')} cannot run.`);
}

export function reportLines(report: ValidationReport, { paint }: Output): string[] {
  const { agents, workspace, swarms } = report;
  const wrong = swarms.flatMap((swarm) => swarmLines(swarm, paint));
  if (agents.length === 0) {
    return [
      `No agent is defined in ${workspace} yet.`,
      'An agent is a file such as agents/assistant.md: settings between two lines "---", and a prompt below.',
      ...wrong,
    ];
  }
  const blocks = agents.map((agent) =>
    'problems' in agent ? invalidLines(agent, paint) : validLines(agent, paint),
  );
  const lines = blocks.flatMap((block, i) => (i === 0 ? block : ['', ...block]));
  return [...lines, ...wrong, ...(agents.length === 1 ? [] : ['', closing(report, paint)])];
}

export function define(command: Command, context: Context): void {
  const { output } = context;
  command
    .description(
      'Checks agents/*.md: frontmatter, model with its key and package, history, trigger, prompt and tools; and that the agents of every configured swarm are there. Asks no server, opens no database and changes nothing. Fails when an agent could not run.',
    )
    .argument('[agent...]', 'Names of agents; all of them if not given')
    .action(async (names: string[]) => {
      // Refuses a mistyped --workspace.
      await context.missingWorkspace();
      const report = await agentsValidate({ workspace: context.workspace, names });
      if (report.agents.length === 0) await context.noteAgentsHere();
      const ofAgents = report.agents.flatMap((agent) =>
        'problems' in agent ? [] : agent.warnings.map((warning) => `${oneLine(agent.name)}: ${warning}`),
      );
      for (const warning of [...report.warnings, ...ofAgents]) output.note(`warning: ${warning}`);
      output.result(report, {
        text: () => reportLines(report, output),
        quiet: () => report.agents.filter(({ ok }) => !ok).map(({ name }) => name),
      });
      if (!report.ok) context.exitCode = ERROR_TABLE.INVALID_CONFIG.exit;
    });
  addExamples(
    command,
    ['keepsake validate', 'keepsake validate assistant', 'keepsake validate --json'],
    context,
  );
}
