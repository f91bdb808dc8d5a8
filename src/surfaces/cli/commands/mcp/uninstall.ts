/** `keepsake mcp uninstall`: takes Keepsake out of the settings of a program again; memories stay where they are. */
import type { Command } from 'commander';
import { userFolders } from '../../../../administration/user-folders.ts';
import type { Context } from '../../context.ts';
import { addExamples } from '../../examples.ts';
import { applyChanges, showChanges } from './change-files.ts';
import { hooksFile, withHooks } from './claude-hooks.ts';
import { CLIENT_NAMES, clientNamed, projectFileOf } from './clients.ts';
import { settingsFormat } from './formats.ts';
import { readSettings } from './settings-file.ts';

interface Options {
  readonly name: string;
  readonly project?: boolean;
  readonly yes?: boolean;
}

async function uninstall(
  program: string,
  { name, project = false, yes = false }: Options,
  context: Context,
): Promise<void> {
  const { output } = context;
  const client = clientNamed(program);
  const folders = userFolders();
  const file = project ? projectFileOf(client) : client.file(folders);
  const format = settingsFormat(client.format);
  const found = [{ file, change: (text: string) => format.withoutEntry(text, file, [client.key, name]) }];
  if (client.name === 'claude-code') {
    const hooks = hooksFile(folders, project);
    found.push({ file: hooks, change: (text: string) => withHooks(text, hooks, undefined) });
  }
  const changes = found.flatMap((each) => {
    const text = readSettings(each.file);
    const edit = text === undefined ? undefined : each.change(text);
    return edit === undefined || edit.before === edit.after ? [] : [{ file: each.file, edit }];
  });
  if (changes.length === 0) {
    const text = `${client.title} does not know Keepsake.`;
    output.result({ file, changed: false }, { text: () => text, quiet: () => file });
    return;
  }
  await showChanges(changes, yes, context);
  const written = applyChanges(changes, context);
  output.result(
    { file, changed: true, files: written },
    {
      text: () => [
        `${output.paint('green', '✓')} ${client.title} no longer starts Keepsake. Your memories are untouched.`,
        ...written.map(({ backup }) => `  The file as it was: ${backup}`),
      ],
      quiet: () => file,
    },
  );
}

export function defineUninstall(command: Command, context: Context): void {
  command
    .description(
      'Takes Keepsake out of the settings of a program: the server, and the hooks of Claude Code. It shows the change, asks and keeps a backup. Memories stay where they are.',
    )
    .argument('<program>', `One of ${CLIENT_NAMES.join(', ')}`)
    .option('--name <name>', 'The name of the server in the settings', 'keepsake')
    .option('--project', 'Out of the settings of this folder instead of those of the user')
    .option('--yes', 'Do not ask')
    .action((program: string) =>
      uninstall(program, { ...command.parent?.opts(), ...command.opts<Options>() }, context),
    );
  addExamples(command, ['keepsake mcp uninstall cursor'], context);
}
