/**
 * A verb: one thing that can be asked of Keepsake, defined once in the layer that owns it. The SDK, REST and OpenAPI, MCP,
 * the tools of agents, the command line and the reference pages are projections of these definitions.
 */

import type { Caller } from './caller.ts';
import { KeepsakeError } from './errors.ts';
import type { Role } from './scope.ts';
import { tracing } from './tracing.ts';
import { validate } from './validate.ts';
import type { z } from './zod.ts';

/** `read` changes nothing that a user would notice; `destroy` cannot be undone. */
export type Effect = 'read' | 'write' | 'destroy';

/** For verbs that take long: how to stop one, and how far it is. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/** A value that nobody may change: what `run` answers with, measured against the output schema. */
export type Immutable<Value> = Value extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Immutable<Value[Key]> }
    : Value;

/** A short REST route beside `POST /v1/<noun>/<verb>`, which every verb has. */
export interface RestRoute {
  /** For example `GET /v1/memory/:id`. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  /** Status of a success. Default 200. */
  readonly status?: number;
  /** Query parameters whose name differs from the input's: `{ q: 'query' }`. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Whether a full page carries a `Link` to the next one. */
  readonly paged?: boolean;
}

export interface CliPositional {
  /** Key of the input; for a path, its name in the help. */
  readonly key: string;
  /**
   * `id`: one word, which has no flag. `text`: the words are joined, the flag works too, and "-" reads stdin.
   * `path`: a file that the command reads or writes itself; not part of the input.
   */
  readonly kind: 'id' | 'text' | 'path';
  /** Of a path; the others are described by the schema. */
  readonly description?: string;
  readonly required?: boolean;
}

/** How the command line offers a verb; flags come from the input schema. */
export interface CliProjection {
  /** Words after `keepsake`, where they are not `<noun> <verb>`. */
  readonly command?: string;
  readonly positionals?: readonly CliPositional[];
  /** Without --agent: the owner, who sees everything (default), or the default agent. */
  readonly actsAs?: 'owner' | 'default-agent';
  /** Flags for which "-" reads stdin. */
  readonly stdinFlags?: readonly string[];
  /** Keys of the input that have no flag; `agent` for a verb that is for the owner only. */
  readonly without?: readonly string[];
  /** Defaults that differ from those of the schema. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  readonly examples?: readonly string[];
  /** The answer before a workspace exists; without one, reading then is an error. */
  readonly nothing?: unknown;
}

/** How the SDK offers a verb. */
export interface SdkProjection {
  /** Keys of the input that are parameters of their own, in order; all others are one object. */
  readonly positionals?: readonly string[];
  /** Name of the parameter that takes the others. Default `options`. */
  readonly rest?: string;
  /** Name of the exported type of that parameter; default: made from the name of the verb. */
  readonly type?: string;
  /** Where the method is, if not at the noun of the verb: `memory.teach` for the verb `swarm.teach`. */
  readonly at?: string;
  /** The method takes `signal` and `onProgress` among its options; `run` gets them as CallOptions. */
  readonly progress?: boolean;
  /** Offered by the client only, although an agent could call it: the answer is about no agent in particular. */
  readonly ownerOnly?: boolean;
}

/** What a tool answers: `text` for a model to read, `structured` for MCP clients. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

/** What a tool knows of its call besides the arguments. */
export interface ToolCall {
  readonly caller: Caller;
  /** The whole id of a memory that a model named by the short one in its prompt. */
  fullId(named: string): Promise<string> | string;
  /** The caller is a project of a person, beside other projects of the same person. */
  readonly isProject: boolean;
}

/** A tool that models call, in agents and through MCP. */
export interface ToolProjection<Input = never, Result = never> {
  readonly name: string;
  /** Tools are offered in packs; an agent or an MCP client chooses which. */
  readonly pack: 'facts' | 'sections' | 'swarm' | 'state';
  /** Its place in the pack: models prefer what comes first. */
  readonly place: number;
  /** `everywhere`: agents and MCP; `mcp`: MCP only, where no prompt shows what the tool would. */
  readonly offered?: 'everywhere' | 'mcp';
  readonly title: string;
  /** For a model. Default: the description of the verb. */
  readonly description?: string;
  /** It replaces or removes something permanently. Default: as the effect of the verb says. */
  readonly destructive?: boolean;
  /** Repeating the call changes nothing more. Default: reads and removals. */
  readonly idempotent?: boolean;
  readonly input: z.ZodObject;
  /** Arguments that exist only for projects (see ToolCall). */
  readonly projectInput?: z.ZodRawShape;
  /** The verb's input made from the arguments. Default: the arguments as they are. */
  toInput?(args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<Input> | Input;
  /** Names of the verb's fields where the tool uses another name, for error messages. */
  readonly renamed?: Readonly<Record<string, string>>;
  readonly output: z.ZodObject;
  answer(result: Result, call: ToolCall & { readonly args: Readonly<Record<string, unknown>> }): ToolAnswer;
}

export interface VerbDefinition<Services, Input extends z.ZodType, Output extends z.ZodType, Result> {
  /** `noun.verb`, the same on every surface. */
  readonly name: `${string}.${string}`;
  /** One line, for lists and help. */
  readonly summary: string;
  /** What a person or a model needs to know to use it well. */
  readonly description: string;
  readonly effect: Effect;
  /** The least role that a key of a server needs to call it. */
  readonly role: Role;
  /** Whether it acts for one agent, so that the owner of the workspace has to name one. Default: no. */
  readonly needsAgent?: boolean;
  readonly input: Input;
  readonly output: Output;
  /** Bytes that a request may have, where the usual limit is too small. */
  readonly maxBody?: number;
  run(services: Services, input: z.output<Input>, caller: Caller, options?: CallOptions): Promise<Result>;
  readonly sdk?: SdkProjection | false;
  readonly rest?: readonly RestRoute[];
  readonly cli?: CliProjection | false;
  // A tool may need less than the whole result; it must not decide what the result is.
  readonly tools?: readonly ToolProjection<z.input<Input>, NoInfer<Result>>[];
}

export type Verb<
  Services = never,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Result = unknown,
> = VerbDefinition<Services, Input, Output, Result>;

/** A verb whose types nobody knows any more: what projections work with. */
// biome-ignore lint/suspicious/noExplicitAny: a list of verbs holds verbs of all types.
export type AnyVerb = VerbDefinition<any, any, any, any>;

/** What a verb answers with. */
export type ResultOf<V> = V extends { run(...args: never[]): Promise<infer Result> } ? Result : never;
/** What a verb takes, before defaults are filled in. */
export type InputOf<V> = V extends { readonly input: infer Input extends z.ZodType } ? z.input<Input> : never;

/** Ties the types together: the input that `run` gets is parsed, and what it answers must fit the output schema. */
export function defineVerb<
  Services,
  Input extends z.ZodType,
  Output extends z.ZodType,
  Result extends Immutable<z.output<Output>>,
>(verb: VerbDefinition<Services, Input, Output, Result>): VerbDefinition<Services, Input, Output, Result> {
  return verb;
}

/** Calls a verb from outside: the one place where input is parsed. */
export async function callVerb<Services, Input extends z.ZodType, Output extends z.ZodType, Result>(
  verb: VerbDefinition<Services, Input, Output, Result>,
  services: Services,
  input: unknown,
  caller: Caller,
  options?: CallOptions,
): Promise<Result> {
  const run = async (): Promise<Result> =>
    verb.run(services, validate(verb.input, input, verb.name), caller, options);
  const found = tracing();
  if (found === undefined) return run();
  const since = performance.now();
  let outcome = 'ok';
  try {
    const { agent, role } = caller.viewer;
    return await found.span(
      `keepsake.${verb.name}`,
      {
        'keepsake.verb': verb.name,
        'keepsake.via': caller.via,
        'keepsake.role': role,
        ...(agent === undefined ? {} : { 'keepsake.agent': agent }),
      },
      run,
    );
  } catch (error) {
    outcome = KeepsakeError.is(error) ? error.code : 'INTERNAL';
    throw error;
  } finally {
    found.counted(verb.name, outcome, performance.now() - since);
  }
}

/** `memory.forgetExpired` → `['memory', 'forget-expired']`: how paths and commands spell a name. */
export function wordsOf({ name }: Pick<AnyVerb, 'name'>): string[] {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).split('.');
}

/** The route that every verb has: `memory.add` → `/v1/memory/add`. */
export function pathOf(verb: Pick<AnyVerb, 'name'>): string {
  return `/v1/${wordsOf(verb).join('/')}`;
}
