/** The hooks of the plugin for Claude Code, written into its settings for those who do not use the plugin. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { withValue } from '../../../../administration/edit-jsonc.ts';
import type { UserFolders } from '../../../../administration/user-folders.ts';
import { packageRoot } from '../../../../runtime/package-root.ts';
import { jsonSettings } from './json-settings.ts';
import { cannotChange, type Edit, isObject } from './settings-format.ts';

interface HookCommand {
  readonly command: string;
  readonly args: readonly string[];
}

interface HookEntry {
  readonly matcher?: string;
  readonly hooks: readonly HookCommand[];
}

/** Not the file that a project shares: paths of this machine mean nothing to others. */
export function hooksFile({ home, claude }: UserFolders, project: boolean): string {
  return project
    ? join(process.cwd(), '.claude', 'settings.local.json')
    : join(claude ?? join(home, '.claude'), 'settings.json');
}

/** Those of the plugin, which calls a launcher instead of the program itself. */
function pluginHooks(): Readonly<Record<string, readonly HookEntry[]>> {
  const file = new URL('integrations/claude-code/hooks/hooks.json', packageRoot());
  return (JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, HookEntry[]> }).hooks;
}

/** Whoever wrote it, with whatever path. */
function isOurs(entry: unknown): boolean {
  const hooks = isObject(entry) && Array.isArray(entry.hooks) ? (entry.hooks as unknown[]) : [];
  return hooks.some(
    (hook) =>
      isObject(hook) &&
      Array.isArray(hook.args) &&
      hook.args[1] === 'hook' &&
      /[\\/]bin[\\/]keepsake\.js$/.test(String(hook.args[0])),
  );
}

function listsIn(text: string, file: string): Record<string, unknown> {
  const hooks = text.trim() === '' ? {} : ((parse(text) as Record<string, unknown> | undefined)?.hooks ?? {});
  if (!isObject(hooks)) throw cannotChange(file, '"hooks" is not an object');
  return hooks;
}

function listOf(lists: Record<string, unknown>, event: string, file: string): readonly unknown[] {
  const list = lists[event] ?? [];
  if (!Array.isArray(list)) throw cannotChange(file, `"hooks.${event}" is not a list`);
  return list;
}

/** The plugin brings the same hooks; both together would do everything twice. */
export function hasPlugin(text: string | undefined): boolean {
  const settings = parse(text ?? '{}') as { enabledPlugins?: Record<string, unknown> } | undefined;
  return Object.entries(settings?.enabledPlugins ?? {}).some(
    ([name, on]) => name.startsWith('keepsake@') && on === true,
  );
}

/** `command` starts Keepsake; undefined takes the hooks out. */
export function withHooks(
  text: string | undefined,
  file: string,
  command: { readonly node: string; readonly script: string; readonly args: readonly string[] } | undefined,
): Edit {
  const before = text ?? '';
  // Refuses a file that is not JSON, before anything is changed in it.
  jsonSettings.entryIn(before, file, ['hooks', '']);
  let after = before.trim() === '' ? '{}\n' : before;
  for (const [event, entries] of Object.entries(pluginHooks())) {
    const present = listOf(listsIn(after, file), event, file);
    const others = present.filter((entry) => !isOurs(entry));
    const own = entries.map((entry) => ({
      ...entry,
      hooks: entry.hooks.map(({ args, ...rest }) => ({
        ...rest,
        command: command?.node,
        args: [command?.script, ...args.slice(1, 3), ...(command?.args ?? [])],
      })),
    }));
    const wanted = command === undefined ? others : [...others, ...own];
    if (JSON.stringify(wanted) === JSON.stringify(present)) continue;
    after = withValue(after, ['hooks', event], wanted.length === 0 ? undefined : wanted);
  }
  return { before, after: command === undefined && before.trim() === '' ? before : after };
}
