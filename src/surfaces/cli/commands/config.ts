/** `keepsake config`: shows the settings of a workspace and where each was set; `keepsake config set` changes one. */
import { relative } from 'node:path';
import type { Command } from 'commander';
import { defaultConfig, type Setting, workspaceConfig } from '../../../administration/config.ts';
import { configSet } from '../../../administration/config-set.ts';
import { DAY, HOUR, MINUTE } from '../../../kernel/clock.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { oneLine } from '../terminal/printable.ts';
import { type Column, renderTable } from '../terminal/table.ts';

/** Lifetimes as they are written in the file: "7d" instead of 604800000. */
function lifetime(milliseconds: number): string {
  for (const [unit, letter] of [
    [DAY, 'd'],
    [HOUR, 'h'],
    [MINUTE, 'm'],
    [1000, 's'],
  ] as const) {
    if (milliseconds % unit === 0) return `"${milliseconds / unit}${letter}"`;
  }
  return `"${milliseconds}ms"`;
}

function valueText({ key, value }: Setting): string {
  if (key.startsWith('ttl.') && typeof value === 'number') return lifetime(value);
  return oneLine(JSON.stringify(value) ?? '');
}

function originText({ origin, variable }: Setting, file: string): string {
  if (origin === 'environment') return `$${variable}`;
  return origin === 'file' ? file : '';
}

export function define(command: Command, context: Context): void {
  const { output } = context;
  command
    .description(
      'Shows every setting of the workspace and where it was set: in the file, in the environment, or nowhere (the default).',
    )
    .option('--changed', 'Only settings that differ from the defaults')
    .option('--defaults', 'Every setting with its default, without reading the file')
    .action(({ changed = false, defaults = false }: { changed?: boolean; defaults?: boolean }) => {
      const effective = defaults ? defaultConfig(context) : workspaceConfig(context);
      const settings = effective.settings.filter(({ origin }) => !changed || origin !== 'default');
      const file = effective.file === undefined ? '' : relative(effective.workspace, effective.file);
      const columns: Column<Setting>[] = [
        { title: 'SETTING', cell: ({ key }) => oneLine(key), paint: 'cyan' },
        { title: 'SET BY', cell: (setting) => originText(setting, file) || 'default', paint: 'dim' },
      ];
      output.result(
        { ...effective, settings },
        {
          text: () => [
            output.paint(
              'dim',
              defaults
                ? 'The defaults, without the settings of this workspace.'
                : `workspace ${effective.workspace}${file === '' ? ', no configuration file' : ''}`,
            ),
            ...(settings.length === 0
              ? ['Every setting has its default.']
              : renderTable(
                  { rows: settings, columns, long: { title: 'VALUE', cell: valueText }, leastLong: 8 },
                  output.width,
                  output.paint,
                )),
          ],
          quiet: () => settings.map((setting) => `${setting.key}=${valueText(setting)}`),
        },
      );
      for (const warning of effective.warnings) output.note(`warning: ${warning}`);
    });
  addExamples(
    command,
    ['keepsake config', 'keepsake config --changed', 'keepsake config set models.main openai/gpt-5-mini'],
    context,
  );
  defineSet(command.command('set').summary('Changes a setting in the configuration file.'), context);
}

function defineSet(command: Command, context: Context): void {
  const { output, workspace } = context;
  command
    .description(
      'Changes one setting in keepsake.jsonc. Comments and layout of the file stay, and nothing is written if the result would not be valid. Running servers read the change when they start again.',
    )
    .argument('<key>', 'The setting, for example memory.maxEntries')
    .argument('<value>', 'A text, or JSON for numbers, true, false, null, lists and objects')
    .action(async (key: string, value: string) => {
      const result = await configSet({ workspace, key, value });
      const shown = `${oneLine(key)} = ${oneLine(JSON.stringify(result.value))}`;
      output.result(result, {
        text: () => [
          result.changed
            ? `${output.paint('green', '✓')} ${shown}, in ${result.file}`
            : `${output.paint('green', '✓')} ${shown} already; nothing was changed.`,
        ],
        quiet: () => result.file,
      });
      if (result.overriddenBy !== undefined) {
        output.note(`warning: $${result.overriddenBy} is set and overrides the file.`);
      }
    });
  addExamples(
    command,
    ['keepsake config set models.main openai/gpt-5-mini', 'keepsake config set memory.maxEntries 500'],
    context,
  );
}
