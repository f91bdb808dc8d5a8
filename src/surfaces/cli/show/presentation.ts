/** What the command line adds to a verb: how its answer looks, what it asks first, and what it does besides. */
import type { Engine } from '../../../client/index.ts';
import type { Caller } from '../../../kernel/caller.ts';
import type { ResultOf } from '../../../kernel/verb.ts';
import type { verbs } from '../../../verbs.ts';
import type { Context } from '../context.ts';

type Verbs = typeof verbs;

/** A flag of the command itself, which the verb does not know. */
interface OwnFlag {
  readonly flags: string;
  readonly description: string;
}

export interface VerbCall {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly input: Readonly<Record<string, unknown>>;
  /** The positional of the kind `path`. */
  readonly path: string | undefined;
  /** All flags by their camelCase names. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly context: Context;
}

export interface ShowOptions {
  /** As named with --agent. */
  readonly agent: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  /** The input that was sent, for remarks such as "the page is full". */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Everything is optional: a verb without a presentation is called as it is and shown by show/generic.ts. */
export interface Presentation<Shown = unknown> {
  /** Help texts where the command does more than its verb. */
  readonly about?: { readonly summary: string; readonly description: string };
  readonly ownFlags?: readonly OwnFlag[];
  /** The question to ask on a terminal before it is done; undefined when there is nothing to ask about. */
  confirm?(call: VerbCall): Promise<string | undefined>;
  /** Instead of calling the verb. */
  run?(call: VerbCall): Promise<Shown>;
  show?(shown: Shown, context: Context, options: ShowOptions): void;
}

/** What a verb answers, by its name in src/verbs.ts. */
export type Answer<Name extends keyof Verbs> = ResultOf<Verbs[Name]>;

export type Presentations = { readonly [Name in keyof Verbs]?: Presentation<Answer<Name>> };

/** For a command that shows something else than the answer of its verb. */
export function ownRun<Shown>(
  presentation: Presentation<Shown> & Required<Pick<Presentation<Shown>, 'run' | 'show'>>,
): Presentation<never> {
  return presentation as Presentation<never>;
}
