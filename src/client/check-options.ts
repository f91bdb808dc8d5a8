/** Validates options of clients and agents at run time, for JavaScript callers, and reports misspelt names. */
import { type ConfigInput, type ConfigProblem, HISTORY_LIMITS, parseConfig } from '../config/index.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { EventListener } from '../kernel/events.ts';
import { unknownName } from '../kernel/explain-issue.ts';
import { ROLES } from '../kernel/scope.ts';
import type { EventQuery } from '../ports/event-store.ts';
import type { NewAgentOptions } from './agent.ts';
import type { AgentOptions } from './agent-handle.ts';
import type { Client, ClientOptions, RawSessionOptions } from './create-client.ts';
import { PACKS, SESSION_KINDS } from './run-settings.ts';
import type { StartOptions, SwarmOptions } from './swarm.ts';

interface Kind {
  /** Continues "… must be". */
  readonly is: string;
  readonly accepts: (value: unknown) => boolean;
}

/** One for every option, so that a new one cannot be forgotten here. */
type Kinds<Options> = { readonly [Name in keyof Required<Options>]: Kind };

const text: Kind = { is: 'a text', accepts: (value) => typeof value === 'string' };
const flag: Kind = { is: 'true or false', accepts: (value) => typeof value === 'boolean' };
const anything: Kind = { is: 'given', accepts: () => true };
const callback: Kind = { is: 'a function', accepts: (value) => typeof value === 'function' };
const part: Kind = {
  is: 'an object with methods',
  accepts: (value) => typeof value === 'object' && value !== null,
};
const list: Kind = { is: 'a list', accepts: (value) => Array.isArray(value) };
const name: Kind = {
  is: 'a non-empty string',
  accepts: (value) => typeof value === 'string' && value !== '',
};

function oneOf(choices: readonly (string | boolean)[]): Kind {
  const names = choices.map((choice) => JSON.stringify(choice)).join(', ');
  return { is: `one of ${names}`, accepts: (value) => choices.some((choice) => choice === value) };
}

const CLIENT: Kinds<ClientOptions> = {
  workspace: text,
  create: flag,
  // Explained by the configuration itself, with every key in it.
  config: anything,
  clock: part,
  ids: callback,
  storage: callback,
  guard: part,
  // A model of the AI SDK may also be its name.
  embedding: anything,
  reranker: anything,
  lateInteraction: part,
  via: text,
  onListenerError: callback,
  url: name,
  apiKey: name,
};

/** What a server has of its own. */
const LOCAL = [
  'workspace',
  'create',
  'config',
  'clock',
  'ids',
  'storage',
  'guard',
  'embedding',
  'reranker',
  'lateInteraction',
] as const;

const AGENT: Kinds<AgentOptions> = {
  // These two have rules of their own.
  name: anything,
  user: anything,
  role: oneOf(ROLES.filter((role) => role !== 'admin')),
  history: oneOf([...Object.keys(HISTORY_LIMITS), false]),
  persistentMemory: flag,
  contextCompression: flag,
  startUpBytes: {
    is: 'an integer number of bytes, 0 or more',
    accepts: (value) => Number.isInteger(value) && Number(value) >= 0,
  },
  run: name,
  systemPrompt: text,
  instructions: text,
  rules: text,
  customRulesPrompt: text,
  description: text,
  // A name, or a model in one of several shapes; the registry explains what is wrong with it.
  model: anything,
  light: anything,
  maxLoops: {
    is: '"auto" or an integer of at least 1',
    accepts: (value) => value === 'auto' || (Number.isInteger(value) && Number(value) >= 1),
  },
  tools: list,
  packs: {
    is: `a list of ${PACKS.join(', ')}`,
    accepts: (value) => Array.isArray(value) && value.every((each) => PACKS.includes(each)),
  },
  toolNames: list,
  paths: list,
  allowHosts: list,
  memory: { is: 'an object', accepts: (value) => typeof value === 'object' && value !== null },
  ragEveryLoop: flag,
  memoryChunkSize: {
    is: 'an integer of at least 1',
    accepts: (value) => Number.isInteger(value) && Number(value) >= 1,
  },
  temperature: { is: 'a number', accepts: (value) => typeof value === 'number' },
  longTermMemory: {
    is: 'an object with methods, { docsFolder }, or null',
    accepts: (value) => typeof value === 'object',
  },
};

/** What the systems that people come from call our options, as they write it in Python too. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  agentname: 'name',
  agentdescription: 'description',
  modelname: 'model',
  prompt: 'systemPrompt',
};

const RAW_SESSION: Kinds<RawSessionOptions> = {
  ...{ model: AGENT.model, light: AGENT.light, maxLoops: AGENT.maxLoops, tools: AGENT.tools },
  ...{ packs: AGENT.packs, temperature: AGENT.temperature },
  ...{ systemPrompt: text, instructions: text },
};

export function checkRawSessionOptions(options: unknown): void {
  const call = 'client.session';
  check(options, RAW_SESSION, call, 'client.session({ model: "openai/gpt-5-mini" })');
  checkPrompt(options, call);
}

export function checkClientOptions(options: unknown): void {
  check(options, CLIENT, 'createClient', 'createClient({ workspace: "./memory" })');
  const given = options as ClientOptions;
  const local = LOCAL.find((key) => given[key] !== undefined);
  if (given.url === undefined ? given.apiKey === undefined : local === undefined) return;
  throw given.url === undefined
    ? new KeepsakeError('INVALID_INPUT', 'createClient: apiKey needs a url.', {
        hint: 'For example: createClient({ url: "http://127.0.0.1:4444", apiKey })',
      })
    : new KeepsakeError(
        'INVALID_INPUT',
        `createClient: ${local} cannot be combined with url, because the server decides it.`,
        {
          hint: 'Pass only url and apiKey, or leave out url to open a local workspace.',
        },
      );
}

export function checkAgentOptions(options: unknown): void {
  const example = 'client.agent({ name: "research-agent" })';
  checkAgent(options, AGENT, 'client.agent', example);
  requireName(options, 'client.agent', example);
}

const SWARM: Kinds<SwarmOptions> = {
  // Have rules of their own.
  name: anything,
  agents: anything,
  lead: anything,
  budget: anything,
  cache: anything,
  type: name,
  snapshot: flag,
};
const RUN: Kinds<StartOptions> = {
  task: anything,
  state: anything,
  signal: { is: 'an AbortSignal', accepts: (value) => value instanceof AbortSignal },
  onStart: callback,
};

export function checkSwarmOptions(options: unknown): void {
  const example = 'client.swarm({ name: "market", agents: [{ name: "scout" }], lead: { name: "editor" } })';
  check(options, SWARM, 'client.swarm', example);
}

export function checkStartOptions(options: unknown, call: 'swarm.start' | 'swarm.run'): void {
  const example =
    call === 'swarm.start'
      ? 'swarm.start({ task: "Compare them." })'
      : 'swarm.run("Compare them.", { signal })';
  check(options, RUN, call, example);
}

const NEW_AGENT: Kinds<NewAgentOptions> = {
  ...AGENT,
  client: { is: 'a client', accepts: (value) => typeof (value as Client | null)?.agent === 'function' },
  workspace: text,
};

export function checkNewAgentOptions(options: unknown): void {
  const example = 'new Agent({ name: "research-agent" })';
  checkAgent(options, NEW_AGENT, 'new Agent', example);
  // One that was left out has a default; a variable that turned out to be empty is a mistake.
  if ('name' in (options as object)) requireName(options, 'new Agent', example);
  const { client, workspace } = options as Partial<NewAgentOptions>;
  if (client === undefined || workspace === undefined) return;
  throw new KeepsakeError(
    'INVALID_INPUT',
    'new Agent: client and workspace cannot be combined, because the client has a workspace.',
    {
      hint: 'Pass one of them.',
    },
  );
}

function checkAgent(
  options: unknown,
  kinds: Readonly<Record<string, Kind>>,
  call: string,
  example: string,
): void {
  check(options, kinds, call, example);
  checkPrompt(options, call);
  const { memory } = options as Partial<AgentOptions>;
  if (memory !== undefined) checkMemory(memory, call);
}

function checkPrompt(options: unknown, call: string): void {
  const { instructions, systemPrompt } = options as Partial<AgentOptions>;
  if (instructions === undefined || systemPrompt === undefined) return;
  throw new KeepsakeError('INVALID_INPUT', `${call}: instructions and systemPrompt are the same option.`, {
    hint: 'Pass one of them.',
  });
}

function requireName(options: unknown, call: string, example: string): void {
  if ((options as Partial<AgentOptions>).name !== undefined) return;
  throw new KeepsakeError('INVALID_NAME', `${call} needs the name of the agent.`, {
    hint: `An agent with the same name has the same memory. For example: ${example}`,
  });
}

/** By the schema of keepsake.jsonc, which has the same block. */
function checkMemory(memory: unknown, call: string): void {
  try {
    parseConfig({ memory } as ConfigInput);
  } catch (error) {
    if (!KeepsakeError.is(error) || error.code !== 'INVALID_CONFIG') throw error;
    const problems = error.details.problems as readonly ConfigProblem[];
    const said = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
    throw new KeepsakeError('INVALID_INPUT', `${call}: ${said}.`, {
      hint: 'memory accepts the settings of "memory" in keepsake.jsonc.',
      cause: error,
    });
  }
}

export function checkSessionKind(kind: unknown): void {
  const kinds = oneOf(SESSION_KINDS);
  if (kinds.accepts(kind)) return;
  throw new KeepsakeError('INVALID_INPUT', `The kind of a session must be ${kinds.is}, not ${shown(kind)}.`, {
    hint: 'For example: agent.session({ kind: "task" })',
  });
}

export function checkListener(listener: unknown): EventListener {
  if (typeof listener === 'function') return listener as EventListener;
  throw new KeepsakeError('INVALID_INPUT', `A listener must be a function, not ${shown(listener)}.`, {
    hint: 'For example: client.events.subscribe((event) => console.log(event.type))',
  });
}

const whole: Kind = {
  is: 'a whole number, zero or more',
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};
const EVENTS: Kinds<EventQuery> = { after: whole, limit: whole, agent: text, types: anything };

export function checkEventQuery(query: unknown): void {
  check(query, EVENTS, 'client.events.read', 'client.events.read({ limit: 10 })');
}

export function checkCompressor(compressor: unknown): void {
  const compress = (compressor as { compressIfNeeded?: unknown } | null)?.compressIfNeeded;
  if (compressor === null || typeof compress === 'function') return;
  throw new KeepsakeError('INVALID_INPUT', `Expected a context compressor, not ${shown(compressor)}.`, {
    hint: 'Pass a ContextCompressor, or null to turn compression off.',
  });
}

function check(options: unknown, kinds: Readonly<Record<string, Kind>>, call: string, example: string): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new KeepsakeError('INVALID_INPUT', `${call} expects an object, not ${shown(options)}.`, {
      hint: `For example: ${example}`,
    });
  }
  const known = Object.keys(kinds);
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const kind = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
    if (kind === undefined) {
      const meant = ELSEWHERE[key.replaceAll('_', '').toLowerCase()];
      const said =
        meant !== undefined && known.includes(meant)
          ? `${JSON.stringify(key)} is unknown; did you mean ${JSON.stringify(meant)}?`
          : unknownName(key, known);
      throw new KeepsakeError('INVALID_INPUT', `${call}: ${said}`, {
        hint: `For example: ${example}`,
      });
    }
    if (kind.accepts(value)) continue;
    throw new KeepsakeError('INVALID_INPUT', `${call}: ${key} must be ${kind.is}, not ${shown(value)}.`, {
      hint: `For example: ${example}`,
    });
  }
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 60).toWellFormed()) : String(value);
}
