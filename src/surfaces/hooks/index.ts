/** The hooks of Claude Code; on any error, they answer with an empty object. */

import { locate } from '../../administration/target.ts';
import type { Client, Engine } from '../../client/index.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { identityFrom } from '../mcp/identity.ts';
import type { Hook, HookAnswer } from './hook.ts';
import { NOTHING } from './hook.ts';
import { type HookInput, readHookInput } from './input.ts';
import { postCompact, postToolUse, preCompact, sessionEnd } from './keeping.ts';
import { sessionStart, userPromptSubmit } from './recalling.ts';
import { SessionFile } from './session-file.ts';

const HOOKS: Readonly<Record<string, Hook>> = {
  'session-start': sessionStart,
  'user-prompt-submit': userPromptSubmit,
  'post-tool-use': postToolUse,
  'pre-compact': preCompact,
  'post-compact': postCompact,
  'session-end': sessionEnd,
};

export const HOOK_NAMES = Object.keys(HOOKS);

export interface HookRequest {
  readonly event: string | undefined;
  readonly workspace: string | undefined;
  readonly agent: string | undefined;
  /** Whose memory it is when neither this names one nor the environment. */
  readonly otherwise?: string | undefined;
  /** Stdin, once it is there. */
  readonly read: () => Promise<string>;
  /** Says where the workspace would be if nobody made it yet. */
  readonly isMissing: () => Promise<boolean>;
  /** Hands the input to a process of its own. Undefined in that process. */
  readonly later: ((input: string) => Promise<void>) | undefined;
  /** Handed out as soon as it exists, so that it is closed whatever happens. */
  readonly onClient: (client: Client) => void;
}

/** How long the caller waits; in the background, how long the work may take. */
export function budgetOf(event: string | undefined, isBackground = false): number {
  const { budgetMs, backgroundMs = budgetMs } = hookNamed(event);
  return isBackground ? backgroundMs : budgetMs;
}

/** How long the process may live on after the answer. */
export function graceOf(event: string | undefined): number {
  return hookNamed(event).graceMs ?? 1_000;
}

export function hookNamed(event = ''): Hook {
  const hook = Object.hasOwn(HOOKS, event) ? HOOKS[event] : undefined;
  if (hook !== undefined) return hook;
  throw new KeepsakeError('INVALID_INPUT', `There is no hook ${JSON.stringify(event)}.`, {
    hint: `Choose one of ${HOOK_NAMES.join(', ')}.`,
  });
}

/** Throws what went wrong; whoever prints the answer turns that into `{}`. */
export async function answerHook(request: HookRequest): Promise<HookAnswer> {
  const { event, workspace, agent, otherwise } = request;
  const hook = hookNamed(event);
  const text = await request.read();
  const input = readHookInput(text);
  // A hook runs in every project, also where nobody wants a memory.
  if (await request.isMissing()) return NOTHING;
  const located = locate({ workspace });
  if (!hook.concerns(input, located)) return NOTHING;
  if (hook.backgroundMs !== undefined && request.later !== undefined) {
    await request.later(text);
    return NOTHING;
  }
  const { createClient } = await import('../../client/index.ts');
  const client = createClient({
    via: 'cli',
    // A database that others keep busy must not make anyone wait longer than the answer is worth.
    config: {
      storage: {
        sqlite: { busyTimeoutMs: Math.min(located.config.storage.sqlite.busyTimeoutMs, hook.budgetMs) },
      },
    },
    ...defined({ workspace }),
  });
  request.onClient(client);
  const engine = await client.open();
  return runHook(hook, input, engine, { agent, otherwise, env: engine.env });
}

export interface HookIdentity {
  readonly agent: string | undefined;
  readonly otherwise: string | undefined;
  /** Of the process that the hook was called as. */
  readonly env: Engine['env'];
}

export function runHook(
  hook: Hook,
  input: HookInput,
  engine: Engine,
  { agent, otherwise, env }: HookIdentity,
): Promise<HookAnswer> {
  const viewer = identityFrom({ agent, otherwise: { agent: otherwise } }, { config: engine.config, env });
  const session = input.session_id;
  const caller = { viewer, via: 'cli', ...defined({ session }) } as const;
  const file = new SessionFile(engine.paths.dataFolder, session);
  return hook.run({ engine, caller, input, session: file });
}
