/** `keepsake keys`: creates, lists and revokes the API keys of the server of this workspace. */
import { type Command, InvalidArgumentError, Option } from 'commander';

import {
  type ApiKey,
  keyState,
  keysCreate,
  keysList,
  keysRevoke,
  keysRotate,
  parseDuration,
} from '../../../administration/keys.ts';
import { defined } from '../../../kernel/defined.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import { ROLES, type Role } from '../../../kernel/scope.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { oneLine } from '../terminal/printable.ts';
import { shortTime } from '../terminal/short-time.ts';
import { type Column, renderTable } from '../terminal/table.ts';

/** A key belongs to a workspace, and must not make one by the way. */
async function refuseMissing(context: Context): Promise<void> {
  const root = await context.missingWorkspace();
  if (root === undefined) return;
  throw new KeepsakeError('NOT_FOUND', `There is no workspace at ${root}.`, {
    hint: 'Create it with "keepsake init", or name another one with --workspace.',
  });
}

/** `90d`; nothing at all is `0s`. */
function duration(text: string): number {
  const ms = /^0+(?:ms|s|m|h|d|w)$/.test(text) ? 0 : parseDuration(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError('Expected a time such as 90d, 12h or 30m.');
}

async function roleOf(agent: string | undefined, { workspace }: Context): Promise<Role | undefined> {
  if (agent === undefined) return undefined;
  const { roleInFile } = await import('../../../administration/agent-definitions.ts');
  const { locate } = await import('../../../administration/target.ts');
  return roleInFile(locate({ workspace }).paths.agentsFolder, agent);
}

interface CreateOptions {
  readonly role?: Role;
  readonly agent?: string;
  readonly user?: string;
  readonly userPrefix?: string;
  readonly expires?: number;
}

function defineCreate(command: Command, context: Context): void {
  const { output } = context;
  command
    .description('Creates a key. Only its hash is stored, so it cannot be shown again.')
    .argument('<name>', 'Name or purpose of the key')
    .addOption(
      new Option(
        '--role <role>',
        'Permissions of the key; default: the role in agents/<agent>.md, else worker',
      ).choices(ROLES),
    )
    .option('--agent <name>', 'The only agent that the key can act for; required for workers and readers')
    .option('--user <id>', 'The only user that the key can act for')
    .option(
      '--user-prefix <prefix>',
      'The key can act only for users whose ids begin with this prefix, for example the users of one tenant',
    )
    .option(
      '--expires <time>',
      'How long it is valid, for example 90d; without it, until it is revoked',
      duration,
    )
    .action(async (name: string, { role: given, agent, user, userPrefix, expires }: CreateOptions) => {
      await refuseMissing(context);
      const role = given ?? (await roleOf(agent, context)) ?? 'worker';
      const expiresAt = expires === undefined ? undefined : context.clock.now() + expires;
      const made = await keysCreate(
        { name, role, ...defined({ agent, user, userPrefix, expiresAt }) },
        context,
      );
      output.result(made, {
        text: () => [
          `${output.paint('green', '✓')} ${made.role} key ${made.id}${agent === undefined ? '' : ` of ${agent}`}`,
          `  ${output.paint('bold', made.key)}`,
        ],
        quiet: () => made.key,
      });
      output.note('Copy it now. It is not stored and cannot be shown again.');
    });
  addExamples(
    command,
    [
      'keepsake keys create laptop --role worker --agent my-agent',
      'keepsake keys create dashboard --role reader --agent my-agent --json',
      'keepsake keys create acme --agent support --user-prefix org/42/',
      'keepsake keys create ops --role admin',
    ],
    context,
  );
}

function userOfKey({ user, userPrefix }: ApiKey): string {
  return oneLine(user ?? (userPrefix === undefined ? 'any' : `${userPrefix}…`));
}

function defineList(command: Command, context: Context): void {
  const { output, clock } = context;
  const columns: Column<ApiKey>[] = [
    { title: 'KEY', cell: ({ id }) => id, paint: 'cyan' },
    { title: 'ROLE', cell: ({ role }) => role },
    { title: 'AGENT', cell: ({ agent }) => oneLine(agent ?? 'any') },
    { title: 'USER', cell: userOfKey },
    { title: 'STATE', cell: (key) => keyState(key, clock.now()) },
    { title: 'EXPIRES', cell: ({ expiresAt }) => maybeTime(expiresAt, clock.now()), paint: 'dim' },
    { title: 'LAST USE', cell: ({ lastUsedAt }) => maybeTime(lastUsedAt, clock.now()), paint: 'dim' },
    { title: 'SINCE', cell: ({ createdAt }) => shortTime(createdAt, clock.now()), paint: 'dim' },
  ];
  command.description('Lists the keys that were created; their secrets are not stored.').action(async () => {
    const isMissing = (await context.missingWorkspace()) !== undefined;
    const keys = isMissing ? [] : await keysList(context);
    output.result(keys, {
      text: () =>
        keys.length === 0
          ? 'No keys exist yet.'
          : renderTable(
              { rows: keys, columns, long: { title: 'NAME', cell: ({ name }) => oneLine(name) } },
              output.width,
              output.paint,
            ),
      quiet: () => keys.map(({ id }) => id),
    });
  });
  addExamples(command, ['keepsake keys list', 'keepsake keys list --json'], context);
}

const maybeTime = (at: number | undefined, now: number): string =>
  at === undefined ? '–' : shortTime(at, now);

function defineRotate(command: Command, context: Context): void {
  const { output } = context;
  command
    .description(
      'Creates a key with the same rights as an existing one. The old key stays valid for a while, so that programs can switch without an interruption.',
    )
    .argument('<key>', 'Id or name of the key, from "keys list"')
    .option(
      '--overlap <time>',
      'How long the old key stays valid; 1d if not given, 0s to end it now',
      duration,
    )
    .action(async (key: string, { overlap }: { overlap?: number }) => {
      await refuseMissing(context);
      const made = await keysRotate(key, overlap, context);
      output.result(made, {
        text: () => [
          `${output.paint('green', '✓')} ${made.role} key ${made.id} (${oneLine(made.name)})`,
          `  ${output.paint('bold', made.key)}`,
        ],
        quiet: () => made.key,
      });
      output.note('Copy it now. It is not stored and cannot be shown again.');
    });
  addExamples(command, ['keepsake keys rotate laptop', 'keepsake keys rotate laptop --overlap 1h'], context);
}

function defineRevoke(command: Command, context: Context): void {
  const { output } = context;
  command
    .description('Revokes a key permanently, also for a running server.')
    .argument('<key>', 'Id or name of the key, from "keys list"')
    .action(async (key: string) => {
      await context.missingWorkspace();
      const revoked = await keysRevoke(key, context);
      output.result(revoked, {
        text: () => `${output.paint('green', '✓')} Revoked ${revoked.id} (${oneLine(revoked.name)})`,
        quiet: () => revoked.id,
      });
    });
  addExamples(command, ['keepsake keys revoke laptop', 'keepsake keys revoke 3f9a1c0b7d42'], context);
}

export function define(parent: Command, context: Context): void {
  parent.description(
    'API keys for "keepsake serve". Only their hashes are stored. A key has a role, and those of workers and readers speak for one agent.',
  );
  defineCreate(parent.command('create').summary('Creates a key and shows it once.'), context);
  defineList(parent.command('list').summary('Lists the keys.'), context);
  defineRotate(parent.command('rotate').summary('Replaces a key, with an overlap.'), context);
  defineRevoke(parent.command('revoke').summary('Revokes a key at once.'), context);
  addExamples(
    parent,
    ['keepsake keys create laptop --role worker --agent my-agent', 'keepsake keys list'],
    context,
  );
}
