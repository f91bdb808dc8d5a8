/** `keepsake mcp install`: adds the server to the settings of a program, after showing what will change. */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { userFolders } from '../../../../administration/user-folders.ts';
import { KeepsakeError } from '../../../../kernel/errors.ts';
import { checkAgentName } from '../../../../kernel/names.ts';
import { PACKAGE_ROOT } from '../../../../kernel/package-root.ts';
import type { Context } from '../../context.ts';
import { addExamples } from '../../examples.ts';
import { confirm, someoneIsThere } from '../../terminal/confirm.ts';
import { CLIENT_NAMES, clientNamed, type McpClient, serverCommand } from './clients.ts';
import { diffOf, withEntry } from './edit-settings.ts';
import { readSettings, replaceSettings } from './settings-file.ts';

interface Options {
  readonly agent?: string;
  readonly packs?: string;
  readonly name: string;
  readonly project?: boolean;
  readonly print?: boolean;
  readonly yes?: boolean;
}

function argumentsFor({ agent, packs }: Options, { workspace }: Context): string[] {
  return [
    ...(agent === undefined ? [] : ['--agent', checkAgentName(agent)]),
    ...(packs === undefined ? [] : ['--packs', packs]),
    // The program starts the server wherever it likes.
    ...(workspace === undefined ? [] : ['--workspace', resolve(workspace)]),
  ];
}

function fileFor({ name, projectFile, file }: McpClient, project: boolean): string {
  if (!project) return file(userFolders());
  if (projectFile !== undefined) return join(process.cwd(), projectFile);
  throw new KeepsakeError('INVALID_INPUT', `${name} has no settings for a project.`, {
    hint: 'Leave --project out.',
  });
}

async function install(program: string, options: Options, context: Context): Promise<void> {
  const { output } = context;
  const client = clientNamed(program);
  if (options.packs !== undefined) (await import('../../../mcp/packs.ts')).packNames(options.packs);
  const started = {
    root: fileURLToPath(PACKAGE_ROOT),
    node: process.execPath,
    platform: process.platform,
    project: options.project === true ? process.cwd() : undefined,
  };
  const entry = client.entry(serverCommand(argumentsFor(options, context), started));
  const file = fileFor(client, options.project ?? false);
  const snippet = { [client.key]: { [options.name]: entry } };
  if (options.print === true) {
    output.result(
      { file, snippet },
      { text: () => JSON.stringify(snippet, null, 2), quiet: () => JSON.stringify(snippet) },
    );
    output.note(`Goes into ${file}`);
    return;
  }
  const edit = withEntry(readSettings(file), file, [client.key, options.name], entry);
  if (edit.before === edit.after) {
    output.result({ file, changed: false }, { text: () => `${file} says that already.`, quiet: () => file });
    return;
  }
  const colours = { '+': 'green', '-': 'red' } as const;
  const shown = diffOf(edit).map((line) => {
    const colour = colours[line[0] as '+' | '-'];
    return colour === undefined ? line : output.paintError(colour, line);
  });
  if (!output.json && !output.quiet) process.stderr.write(`${[file, ...shown].join('\n')}\n`);
  if (options.yes !== true) {
    if (!someoneIsThere()) {
      throw new KeepsakeError('INVALID_INPUT', 'Nothing was changed, because nobody is there to agree.', {
        hint: 'Add --yes to write it, or --print to see the lines only.',
      });
    }
    await confirm('Write this?');
  }
  const backup = replaceSettings(file, edit, context.clock.now());
  output.result(
    { file, changed: true, backup: backup ?? null },
    {
      text: () => [
        `${output.paint('green', '✓')} ${client.title} knows Keepsake now. ${client.next}`,
        ...(backup === undefined ? [] : [`  The file as it was: ${backup}`]),
      ],
      quiet: () => file,
    },
  );
}

export function defineInstall(command: Command, context: Context): void {
  command
    .description(
      'Adds Keepsake to the settings of a program that speaks MCP. It shows the change and asks, keeps a backup, and leaves everything else in the file as it is.',
    )
    .argument('<program>', `One of ${CLIENT_NAMES.join(', ')}`)
    .option('--agent <name>', 'Whose memory the program uses; else the default agent')
    .option('--packs <names>', 'Tools to offer: facts, sections, swarm, state')
    .option('--name <name>', 'The name of the server in the settings', 'keepsake')
    .option('--project', 'Into the settings of this folder instead of those of the user')
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
      'keepsake mcp install zed --print',
    ],
    context,
  );
}
