/** What a hook is: how long it may take, whether there is anything to do, and what it does. */

import type { LocatedWorkspace } from '../../administration/target.ts';
import type { Engine } from '../../client/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { HookInput } from './input.ts';
import type { SessionFile } from './session-file.ts';

export interface HookCall {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly input: HookInput;
  /** What this conversation was shown and told before. */
  readonly session: SessionFile;
}

export interface HookAnswer {
  /** Goes to stdout. */
  readonly output: object;
  /** What may happen once the answer is out. */
  readonly after?: () => Promise<unknown>;
}

export interface Hook {
  /** After this the answer is `{}`. */
  readonly budgetMs: number;
  /** For what comes after the answer. Default: one second. */
  readonly graceMs?: number;
  /** Set for what takes longer than anyone should wait: a process of its own does it, within this time. */
  readonly backgroundMs?: number;
  /** Asked before the database is opened. */
  concerns(input: HookInput, workspace: Pick<LocatedWorkspace, 'paths'>): boolean;
  run(call: HookCall): Promise<HookAnswer>;
}

export const NOTHING: HookAnswer = { output: {} };

export function addContext(hookEventName: string, additionalContext: string): object {
  return { hookSpecificOutput: { hookEventName, additionalContext } };
}
