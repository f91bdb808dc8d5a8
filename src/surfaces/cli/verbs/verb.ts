/** What a verb of the command line is: an operation, which of its fields come without a flag, and how its answer is shown. */
import type { z } from 'zod';
import type { Engine } from '../../../client/index.ts';
import type { Caller } from '../../../kernel/caller.ts';
import type { AnyVerb } from '../../../kernel/verb.ts';
import { verbs } from '../../../verbs.ts';
import type { Context } from '../context.ts';

export interface Positional {
  /** Key of the operation's input; of a path, its name in the help. */
  readonly key: string;
  /**
   * `id`: one word, with no other place. `text`: the words are joined, may be given by the flag instead, and "-" reads
   * them from stdin. `path`: a file for the command itself, unknown to the operation.
   */
  readonly kind: 'id' | 'text' | 'path';
  /** Of a path; the others are described by the schema. */
  readonly description?: string;
  readonly required?: boolean;
}

/** A flag of the command itself, which the operation does not know. */
interface OwnFlag {
  readonly flags: string;
  readonly description: string;
}

export interface VerbCall {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly input: Readonly<Record<string, unknown>>;
  readonly path: string | undefined;
  /** All flags by their camelCase names. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly context: Context;
}

export interface ShowOptions {
  /** As it was named with --agent. */
  readonly agent: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  /** The input as it was sent, for remarks such as "the page is full". */
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Verb {
  /** Default: the verb of the operation's name. */
  readonly name?: string;
  readonly operation: Operation;
  /** Where the command does more than its operation. */
  readonly about?: { readonly summary: string; readonly description: string };
  readonly positionals: readonly Positional[];
  /** Flags for which "-" means stdin, as it does for a text. */
  readonly stdinFlags?: readonly string[];
  /** Keys of the input that the command fills in itself. */
  readonly without?: readonly string[];
  /** Other defaults than those of the schema. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  readonly ownFlags?: readonly OwnFlag[];
  /** Whose eyes and hands it uses without --agent: the owner's, who sees all, or the default agent's. */
  readonly actsAs: 'owner' | 'default-agent';
  readonly examples: readonly string[];
  /** The answer in a place where nobody made a workspace yet; without one, that is an error. */
  readonly nothing?: unknown;
  /** The question to ask on a terminal before it is done; undefined when there is nothing to ask about. */
  confirm?(call: VerbCall): Promise<string | undefined>;
  /** Instead of the operation alone. */
  run?(call: VerbCall): Promise<unknown>;
  show(result: unknown, context: Context, options: ShowOptions): void;
}

export interface VerbGroup {
  readonly description: string;
  /** What --agent means where the default agent stands in for it. */
  readonly whose: string;
  readonly verbs: readonly Verb[];
  readonly examples: readonly string[];
}

export type Answer<Name extends keyof typeof operations> = Awaited<
  ReturnType<(typeof operations)[Name]['run']>
>;

/** Ties the type of an operation's output to the function that shows it. */
export function verb<Output>(
  operation: Operation<z.ZodType, Output>,
  rest: Omit<Verb, 'operation' | 'show' | 'run'> & {
    show: (result: Output, context: Context, options: ShowOptions) => void;
  },
): Verb {
  return { ...rest, operation, show: rest.show as Verb['show'] };
}

/** The same for a verb that makes something else of the operation's answer. */
export function ownVerb<Output>(
  operation: Operation,
  rest: Omit<Verb, 'operation' | 'show' | 'run'> & {
    run: (call: VerbCall) => Promise<Output>;
    show: (result: Output, context: Context, options: ShowOptions) => void;
  },
): Verb {
  return { ...rest, operation, show: rest.show as Verb['show'] };
}
