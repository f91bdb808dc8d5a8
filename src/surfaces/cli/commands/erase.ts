/** `keepsake erase`: erases everything of a user or an agent, and verifies the receipt. */
import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { defined } from '../../../kernel/defined.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import { callVerb, type ResultOf } from '../../../kernel/verb.ts';
import { verbs } from '../../../verbs.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { confirm, someoneIsThere } from '../terminal/confirm.ts';
import { oneLine } from '../terminal/printable.ts';
import { counted } from '../terminal/sizes.ts';
import { requireWorkspace } from './run/require-workspace.ts';
import { rewriteStorage } from './vacuum.ts';

interface Options {
  readonly user?: string;
  readonly agent?: string;
  readonly userPrefix?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly compact?: boolean;
}

const OWNER = { viewer: { role: 'admin' }, via: 'cli' } as const;

const total = (layers: object): number =>
  (Object.values(layers) as number[]).reduce((sum, number) => sum + number, 0);

/** One of each layer, and several. */
const LAYERS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  records: ['memory', 'memories'],
  messages: ['message', 'messages'],
  events: ['event', 'events'],
  quarantined: ['refused write', 'refused writes'],
  marks: ['counter or mark', 'counters and marks'],
  items: ['item', 'items'],
  files: ['file', 'files'],
  runs: ['swarm run', 'swarm runs'],
};

/** Layers that hold nothing are left out. */
function listed(layers: object): string {
  const parts = (Object.entries(layers) as [string, number][])
    .filter(([, number]) => number > 0)
    .map(([layer, number]) => counted(number, ...(LAYERS[layer] ?? ([layer, layer] as const))));
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

function subjectOf({ user, userPrefix, agent }: Options): string {
  if (user !== undefined) return `the user ${oneLine(user)}`;
  return userPrefix === undefined
    ? `the agent ${oneLine(agent ?? '')}`
    : `every user whose id begins with ${oneLine(userPrefix)}`;
}

/** Without this check, a flag without a value would use the next flag as the id, and the receipt would be about nobody. */
function idOf(text: string): string {
  if (!/^--[a-z-]+$/.test(text)) return text;
  throw new InvalidArgumentError('Expected an id, not a flag.');
}

async function erase(options: Options, context: Context): Promise<void> {
  const { yes = false, dryRun = false, compact = false, ...named } = options;
  const { output } = context;
  await requireWorkspace(context);
  const engine = await context.open();
  const input = defined(named);
  if (compact && !dryRun && Object.keys(input).length === 0) return rewriteStorage(engine, context);
  const found = await callVerb(verbs.eraseRun, engine, { ...input, dryRun: true }, OWNER);
  const sum = found.reduce((all, { found: layers }) => all + total(layers), 0);
  if (!dryRun && !yes) {
    if (!someoneIsThere()) {
      throw new KeepsakeError(
        'INVALID_INPUT',
        'Nothing was erased, because stdin is not a terminal and --yes was not given.',
        {
          hint: 'Look at it with --dry-run, then repeat the command with --yes.',
        },
      );
    }
    await confirm(`Erase ${sum} entries of ${subjectOf(named)}? This cannot be undone.`);
  }
  const done = dryRun ? found : await callVerb(verbs.eraseRun, engine, { ...input, compact }, OWNER);
  output.result(done, {
    text: () =>
      done.length === 0
        ? ['Nothing is stored about any user whose id begins with this.']
        : done.flatMap(({ found: layers, receipt }) => [
            dryRun
              ? `Would erase ${listed(layers)}.`
              : `${output.paint('green', '✓')} Erased ${listed(layers)}. Receipt ${receipt!.id}`,
            ...(receipt?.backups ?? []).map(
              ({ file, ageDays }) =>
                `  ${file} still contains it (${ageDays} days old); delete this backup manually`,
            ),
          ]),
    quiet: () => done.flatMap(({ receipt }) => receipt?.id ?? []),
  });
  for (const place of new Set(done.flatMap(({ remains }) => remains)))
    output.note(`Erased text can remain in: ${place}`);
}

function defineVerify(command: Command, context: Context): void {
  const { output } = context;
  command
    .description(
      'Checks that this workspace signed a receipt, and that nothing of the named subject is stored.',
    )
    .argument('<receipt>', 'File with the JSON of the receipt')
    .option('--user <id>', 'The user that was erased')
    .option('--agent <name>', 'The agent that was erased')
    .action(async (file: string) => {
      // "erase" itself has the same options, and commander gives it the values wherever they stand.
      const { user, agent } = command.optsWithGlobals<Options>();
      const named = { user, agent };
      await requireWorkspace(context);
      const engine = await context.open();
      const answers: Verified[] = [];
      for (const receipt of await readReceipts(file)) {
        answers.push(await callVerb(verbs.eraseVerify, engine, { receipt, ...defined(named) }, OWNER));
      }
      const isGood = ({ genuine, left, verified }: Verified): boolean =>
        genuine && (left === null || verified);
      if (!answers.every(isGood)) context.exitCode = 1;
      output.result(answers.length === 1 ? answers[0] : answers, {
        text: () => answers.flatMap(verifiedLines),
        quiet: () => answers.map(({ verified }) => String(verified)),
      });
    });
  addExamples(command, ['keepsake erase verify receipt.json --user dana@example.com'], context);
}

type Verified = ResultOf<typeof verbs.eraseVerify>;

function verifiedLines({ genuine, left, verified }: Verified): string[] {
  return [
    genuine ? 'The receipt is genuine.' : 'The receipt was changed, or signed by another workspace.',
    left === null
      ? 'Add --user or --agent to check that nothing of it is stored.'
      : `Still stored: ${listed(left)}.`,
    ...(genuine && left !== null && total(left) === 0 && !verified
      ? ['The receipt belongs to another user or agent.']
      : []),
  ];
}

/** The JSON of one erasure, or what "keepsake erase --json" printed about one or several. */
async function readReceipts(file: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new KeepsakeError('NOT_FOUND', `${file} cannot be read.`, {
      hint: 'Name the file into which you saved what "keepsake erase --json" printed.',
      cause,
    });
  });
  try {
    const value = JSON.parse(text) as unknown;
    const all = (Array.isArray(value) ? value : [value]) as { receipt?: unknown }[];
    if (all.length === 0) throw new Error('It is empty.');
    return all.map((one) => (one.receipt ?? one) as Record<string, unknown>);
  } catch (cause) {
    throw new KeepsakeError('INVALID_INPUT', `${file} is not the receipt of an erasure.`, {
      hint: 'Save what "keepsake erase --json" prints.',
      cause,
    });
  }
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Erases everything about a user, or of an agent, in every layer, and prints a signed receipt. Run it again after an interruption: it continues where it stopped.',
    )
    .option('--user <id>', 'Everything about this user, with every agent', idOf)
    .option(
      '--user-prefix <prefix>',
      'Every user whose id begins with this, such as those of one tenant',
      idOf,
    )
    .option('--agent <name>', 'Everything of this agent, with all of its users', idOf)
    .option('--dry-run', 'Only count, erase nothing')
    .option(
      '--compact',
      'Rewrite all tables afterwards, so that no page keeps old text (VACUUM FULL on Postgres); alone: only that',
    )
    .option('--yes', 'Do not ask')
    .action((options: Options) => erase(options, context));
  defineVerify(command.command('verify').summary('Checks the receipt of an erasure.'), context);
  addExamples(
    command,
    [
      'keepsake erase --user dana@example.com --dry-run',
      'keepsake erase --user dana@example.com --yes --json > receipt.json',
      'keepsake erase --agent support --yes',
      'keepsake erase --compact',
    ],
    context,
  );
}
