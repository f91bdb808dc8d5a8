/** `keepsake hook`: what Claude Code calls when something happens in a session. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { Client } from '../../../client/index.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { enterProject, PROJECT_FLAG } from '../per-project.ts';
import { decodeText, readStdin } from '../read-stdin.ts';
import { continueInBackground } from './hook/background.ts';
import { HookEnding } from './hook/finish.ts';

/** Answers of tools come along, and some are long. */
const MOST = { megabytes: 64, hint: 'It is not looked at.' };

interface Options {
  readonly agent?: string;
  readonly background?: boolean;
  readonly perProject?: boolean;
}

/** What keeps memory from working is said once, when a session starts; a wrong call is the business of whoever wrote it. */
function reportOf(error: unknown): object {
  const isOwn =
    KeepsakeError.is(error) && !['INVALID_INPUT', 'INVALID_NAME', 'NOT_FOUND'].includes(error.code);
  if (!isOwn) return {};
  return {
    systemMessage: `Keepsake is off in this session: ${error.message} "keepsake doctor" says what to do.`,
  };
}

async function inputOf({ stdin }: Context): Promise<string> {
  if (stdin !== undefined) return decodeText(stdin, 'What came in on stdin');
  return process.stdin.isTTY ? '' : readStdin(() => {}, MOST);
}

async function answer(event: string | undefined, options: Options, context: Context): Promise<never> {
  const { agent, background = false, perProject = false } = options;
  const ending = new HookEnding(context, event);
  let client: Client | undefined;
  let after: (() => Promise<unknown>) | undefined;
  let grace = 1_000;
  try {
    const { answerHook, budgetOf, graceOf } = await import('../../hooks/index.ts');
    const budget = budgetOf(event, background);
    grace = graceOf(event);
    const otherwise = perProject ? await enterProject(context.workspace) : undefined;
    const request = {
      event,
      agent,
      otherwise,
      workspace: context.workspace,
      read: () => inputOf(context),
      isMissing: async () => (await context.missingWorkspace()) !== undefined,
      later: background ? undefined : continueInBackground,
      onClient: (opened: Client) => {
        client = opened;
      },
    };
    const late = pause(budget, undefined).then(() => {
      throw new Error(`${event} took longer than ${budget} ms.`);
    });
    const answered = await Promise.race([answerHook(request), late]);
    late.catch(() => {});
    after = answered.after;
    await ending.answer(answered.output);
  } catch (error) {
    ending.note(error);
    await ending.answer(event === 'session-start' ? reportOf(error) : {});
  }
  return ending.leave(async () => {
    await after?.();
    await client?.close();
  }, grace);
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Answers a hook of Claude Code. Reads what happened as JSON from stdin and answers with JSON. On any error it answers {} and exits with 0, so that memory never blocks the session.',
    )
    .argument(
      '[event]',
      'One of session-start, user-prompt-submit, post-tool-use, pre-compact, post-compact, session-end',
    )
    .option('--agent <name>', 'Whose memory it is; else $KEEPSAKE_AGENT, else the default agent')
    .option(...PROJECT_FLAG)
    .addOption(
      new Option(
        '--background',
        'Do the work in this process instead of passing it to the MCP server',
      ).hideHelp(),
    )
    .allowUnknownOption()
    .allowExcessArguments()
    .action((event: string | undefined, options: Options) => answer(event, options, context));
  addExamples(
    command,
    ['keepsake hook session-start', 'keepsake hook user-prompt-submit --agent my-agent'],
    context,
  );
}
