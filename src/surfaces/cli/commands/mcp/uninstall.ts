/** `keepsake mcp uninstall`: removes Keepsake from the settings of a program; memories are kept. */
import type { Command } from 'commander';
import { forgetClientUse, removeProgram } from '../../../../administration/program-file.ts';
import { type UserFolders, userFolders } from '../../../../administration/user-folders.ts';
import type { Context } from '../../context.ts';
import { addExamples } from '../../examples.ts';
import { applyChanges, showChanges, type Written } from './change-files.ts';
import { hooksFile, withHooks } from './claude-hooks.ts';
import { CLIENT_NAMES, clientNamed, type McpClient, projectFileOf } from './clients.ts';
import { settingsFormat } from './formats.ts';
import { backupsOf, readSettings, removeEmptyFolders } from './settings-file.ts';

interface Options {
  readonly name: string;
  readonly project?: boolean;
  readonly yes?: boolean;
}

/** What "mcp install" and the server wrote beside the settings: when the client used it, and after the last one, for launchers. */
function removeTraces({ name }: McpClient, folders: UserFolders): Written[] {
  const use = forgetClientUse(name);
  removeEmptyFolders(use, folders.home);
  const isNeeded = CLIENT_NAMES.map(clientNamed).some((client) => {
    const file = client.file(folders);
    try {
      const text = readSettings(file);
      const entry = text && settingsFormat(client.format).entryIn(text, file, [client.key, 'keepsake']);
      return Boolean(entry);
    } catch {
      // Settings that nobody can read may still name it.
      return true;
    }
  });
  const program = isNeeded ? undefined : removeProgram();
  return program === undefined ? [] : [{ file: program, removed: true }];
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
  const change = (text: string) => format.withoutEntry(text, file, [client.key, name]);
  const found = [{ file, change, isEmpty: format.isEmpty }];
  if (client.name === 'claude-code') {
    const hooks = hooksFile(folders, project);
    const { isEmpty } = settingsFormat('json');
    found.push({ file: hooks, change: (text) => withHooks(text, hooks, undefined), isEmpty });
  }
  const changes = found.flatMap((each) => {
    const text = readSettings(each.file);
    const edit = text === undefined ? undefined : each.change(text);
    if (edit === undefined || edit.before === edit.after) return [];
    const isHollow = (text: string) => {
      const { before, after } = each.change(text);
      return before !== after && each.isEmpty(after);
    };
    // Only what "mcp install" made: what was there before it has a backup that says so.
    const isRemoved = isHollow(edit.before) && backupsOf(each.file).every(isHollow);
    return [{ file: each.file, edit: isRemoved ? { ...edit, after: '' } : edit, isRemoved }];
  });
  if (changes.length === 0) {
    const text = `${client.title} does not know Keepsake.`;
    output.result({ file, changed: false }, { text: () => text, quiet: () => file });
    return;
  }
  await showChanges(changes, yes, context);
  const written = applyChanges(changes, context);
  if (!project && name === 'keepsake') written.push(...removeTraces(client, folders));
  for (const { file: changed, removed } of written)
    if (removed === true) removeEmptyFolders(changed, folders.home);
  output.result(
    { file, changed: true, files: written },
    {
      text: () => [
        `${output.paint('green', '✓')} ${client.title} no longer starts Keepsake. Your memories are untouched.`,
        ...written.map(({ file: changed, backup }) =>
          backup === undefined
            ? `  Removed, because nobody needs it any more: ${changed}`
            : `  The file as it was: ${backup}`,
        ),
      ],
      quiet: () => file,
    },
  );
}

export function defineUninstall(command: Command, context: Context): void {
  command
    .description(
      'Removes Keepsake from the settings of a program: the server, and the hooks of Claude Code. It shows the change, asks and keeps a backup. Memories stay where they are.',
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
