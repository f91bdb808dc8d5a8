/** `keepsake mcp install`: adds Keepsake to the settings of a program that speaks MCP, after showing the change. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { writeProgram } from '../../../../administration/program-file.ts';
import { userFolders } from '../../../../administration/user-folders.ts';
import { KeepsakeError } from '../../../../kernel/errors.ts';
import { checkAgentName } from '../../../../kernel/names.ts';
import { packageRoot } from '../../../../runtime/package-root.ts';
import type { Context } from '../../context.ts';
import { addExamples } from '../../examples.ts';
import { packageVersion } from '../../package.ts';
import { applyChanges, type Change, showChanges } from './change-files.ts';
import { hasPlugin, hooksFile, withHooks } from './claude-hooks.ts';
import { CLIENT_NAMES, clientNamed, type McpClient, projectFileOf } from './clients.ts';
import { settingsFormat } from './formats.ts';
import { isTemporary, type Program, scriptOf, serverCommand } from './server-command.ts';
import { readSettings } from './settings-file.ts';

interface Options {
  readonly agent?: string;
  readonly packs?: string;
  readonly name: string;
  readonly project?: boolean;
  readonly perProject?: boolean;
  readonly global?: boolean;
  readonly hooks: boolean;
  readonly print?: boolean;
  readonly yes?: boolean;
}

/** Whose memory it is: that of an agent who is named, of each project, or of one agent everywhere. */
function memoryArguments(options: Options, { startsInProject }: McpClient): string[] {
  const { agent, perProject = false, global = false } = options;
  if (perProject && (global || agent !== undefined))
    throw new KeepsakeError('INVALID_INPUT', '--per-project cannot be combined with --global or --agent.', {
      hint: 'Use --per-project, or --global or --agent.',
    });
  if (agent !== undefined) return ['--agent', checkAgentName(agent)];
  return perProject || (startsInProject && !global) ? ['--per-project'] : [];
}

function commonArguments(options: Options, client: McpClient, { workspace }: Context): string[] {
  return [
    ...memoryArguments(options, client),
    // The program starts the server wherever it likes.
    ...(workspace === undefined ? [] : ['--workspace', resolve(workspace)]),
  ];
}

/** Claude Code also gets hooks, which recall and learn without being asked. */
function hookChange(options: Options, client: McpClient, program: Program, context: Context): Change[] {
  if (client.name !== 'claude-code' || !options.hooks) return [];
  const file = hooksFile(userFolders(), options.project ?? false);
  const text = readSettings(file);
  if (hasPlugin(text)) {
    context.output.note('The plugin brings the hooks, so none were added.');
    return [];
  }
  const started = { node: program.node, script: scriptOf(program) };
  const args = commonArguments(options, client, context);
  return [{ file, edit: withHooks(text, file, { ...started, args }) }];
}

async function install(name: string, options: Options, context: Context): Promise<void> {
  const { output } = context;
  const client = clientNamed(name);
  if (options.packs !== undefined) (await import('../../../mcp/packs.ts')).packNames(options.packs);
  const { platform, execPath: node } = process;
  const program = { root: fileURLToPath(packageRoot()), node, platform };
  const args = [
    ...commonArguments(options, client, context),
    ...(options.packs === undefined ? [] : ['--packs', options.packs]),
    ...['--installed', `${client.name}/${packageVersion()}`],
  ];
  const entry = client.entry(serverCommand(args, program));
  const file = options.project === true ? projectFileOf(client) : client.file(userFolders());
  const format = settingsFormat(client.format);
  const path = [client.key, options.name] as const;
  if (options.print === true) {
    const snippet = format.snippet(path, entry);
    output.result({ file, snippet }, { text: () => snippet, quiet: () => snippet });
    output.note(`Goes into ${file}`);
    return;
  }
  const changes = [
    { file, edit: format.withEntry(readSettings(file), file, path, entry) },
    ...hookChange(options, client, program, context),
  ].filter(({ edit }) => edit.before !== edit.after);
  if (changes.length > 0) await showChanges(changes, options.yes ?? false, context);
  const written = applyChanges(changes, context);
  writeProgram({ version: packageVersion(), node, script: scriptOf(program) });
  if (changes.length === 0) {
    output.result({ file, changed: false }, { text: () => `${file} says that already.`, quiet: () => file });
    return;
  }
  if (isTemporary(program))
    output.note(
      'npx keeps this program only for a while: install Keepsake with npm, and run this command again.',
    );
  const [first] = written;
  output.result(
    { file, changed: true, backup: first?.file === file ? (first.backup ?? null) : null, files: written },
    {
      text: () => [
        `${output.paint('green', '✓')} ${client.title} knows Keepsake now. ${client.next}`,
        ...written.flatMap(({ backup }) => (backup === undefined ? [] : [`  The file as it was: ${backup}`])),
      ],
      quiet: () => file,
    },
  );
}

export function defineInstall(command: Command, context: Context): void {
  command
    .description(
      'Adds Keepsake to the settings of a program that speaks MCP; for Claude Code also the hooks that recall and learn by themselves. It shows the change and asks, keeps a backup, and leaves everything else in the file as it is. What it writes names this program by its path, so that nothing is fetched when the server starts.',
    )
    .argument('<program>', `One of ${CLIENT_NAMES.join(', ')}`)
    .option('--agent <name>', 'Use the memory of this agent, in every project')
    .option(
      '--per-project',
      'A memory for each project; the default for claude-code, codex, opencode, gemini and qwen',
    )
    .option('--global', 'One memory for all projects: that of the default agent')
    .option('--packs <names>', 'Tools to offer: facts, sections, swarm, state')
    .option('--name <name>', 'The name of the server in the settings', 'keepsake')
    .option('--project', 'Into the settings of this folder instead of those of the user')
    .option('--no-hooks', 'Without the hooks of Claude Code')
    .option('--print', 'Only print the lines')
    .option('--yes', 'Do not ask')
    .action((program: string) => {
      // The flags of `mcp` have the same names and would catch them otherwise.
      return install(program, { ...command.parent?.opts(), ...command.opts<Options>() }, context);
    });
  addExamples(
    command,
    [
      'keepsake mcp install claude-code',
      'keepsake mcp install vscode --project --agent reviewer',
      'keepsake mcp install codex --print',
    ],
    context,
  );
}
