/** `keepsake hook`: what Claude Code calls when something happens in a session. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { Client } from '../../../client/index.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { enterProject, PROJECT_FLAG } from '../per-project.ts';
import { readStdin } from '../read-stdin.ts';
import { continueInBackground } from './hook/background.ts';
import { HookEnding } from './hook/finish.ts';

/** Answers of tools come along, and some are long. */
const MOST = { megabytes: 64, hint: 'It is not looked at.' };

interface Options {
  readonly agent?: string;
  readonly background?: boolean;
  readonly perProject?: boolean;
}

async function answer(event: string | undefined, options: Options, context: Context): Promise<never> {
  const { agent, background = false, perProject = false } = options;
  const ending = new HookEnding(context);
  let client: Client | undefined;
  let after: (() => Promise<unknown>) | undefined;
  try {
    const { answerHook, budgetOf } = await import('../../hooks/index.ts');
    const budget = budgetOf(event, background);
    const otherwise = perProject ? await enterProject(context.workspace) : undefined;
    const request = {
      event,
      agent,
      otherwise,
      workspace: context.workspace,
      read: async () => (process.stdin.isTTY ? '' : readStdin(() => {}, MOST)),
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
    await ending.answer({});
  }
  return ending.leave(async () => {
    await after?.();
    await client?.close();
  });
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Answers a hook of Claude Code. Reads what happened as JSON from stdin and answers with JSON. Whatever goes wrong, it answers {} and ends with 0, because memory must never be in the way.',
    )
    .argument(
      '[event]',
      'One of session-start, user-prompt-submit, post-tool-use, pre-compact, post-compact, session-end',
    )
    .option('--agent <name>', 'Whose memory it is; else $KEEPSAKE_AGENT, else the default agent')
    .option(...PROJECT_FLAG)
    .addOption(new Option('--background', 'Do the work instead of handing it on').hideHelp())
    .allowUnknownOption()
    .allowExcessArguments()
    .action((event: string | undefined, options: Options) => answer(event, options, context));
  addExamples(
    command,
    ['keepsake hook session-start', 'keepsake hook user-prompt-submit --agent my-agent'],
    context,
  );
}
