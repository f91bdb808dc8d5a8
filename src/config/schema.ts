/** The one schema of keepsake.jsonc: types, defaults, JSON Schema, documentation and error messages come from here. */

import { checkAgentName, DEFAULT_AGENT_NAME, foldAgentName } from '../kernel/names.ts';
import { z } from '../kernel/zod.ts';
import * as blocks from './blocks.ts';
import { retention } from './retention.ts';
import { MERGED_ONLY, storage } from './storage.ts';
import { agentName } from './value-types.ts';

type WithoutDefaults<S extends z.ZodRawShape> = {
  [K in keyof S]: S[K] extends z.ZodDefault<infer Inner> ? z.ZodOptional<Inner> : S[K];
};

/** The same keys without their defaults, so that an agent's block leaves alone what it does not mention. */
function overridesOf<S extends z.ZodRawShape>(
  block: z.ZodObject<S>,
): z.ZodObject<WithoutDefaults<S>, z.core.$strict> {
  return z.deferred(() => {
    const shape = Object.entries(block.shape).map(([key, field]) => [
      key,
      field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType).optional() : field,
    ]);
    return z.strictObject(Object.fromEntries(shape) as WithoutDefaults<S>);
  });
}

const agent = z.strictObject({
  memory: overridesOf(blocks.memory).describe('Long-term facts of this agent.').optional(),
  history: blocks.history.optional(),
  persistentMemory: blocks.persistentMemory.optional(),
  contextCompression: blocks.contextCompression.optional(),
  compression: overridesOf(blocks.compression)
    .describe('How this agent compresses its conversation.')
    .optional(),
  // No embedding here: the agents of a workspace search one another's records, so they share one vector space.
  models: z
    .strictObject({ main: blocks.mainModel.optional(), light: blocks.lightModel.optional() })
    .describe('Models of this agent.')
    .optional(),
  knowledge: overridesOf(blocks.knowledge).describe('External documents of this agent.').optional(),
});

const agents = z
  .record(agentName, agent)
  .superRefine((byName, context) => {
    const seen = new Map<string, string>();
    for (const name of Object.keys(byName)) {
      const twin = seen.get(foldAgentName(name));
      const message = `differs from agent "${twin}" only in upper and lower case; on some file systems both would share a folder`;
      if (twin !== undefined) context.addIssue({ code: 'custom', path: [name], message });
      seen.set(foldAgentName(name), name);
    }
  })
  .describe('Settings of single agents, by name. Missing settings are inherited from the workspace.');

const swarms = z
  .record(agentName, blocks.swarm)
  .describe(
    'Swarms by name, for "keepsake swarm run": agents of the folder "agents" that work on one task together.',
  );

/** By the key of each block, in the order of the result. */
export const configFields = {
  $schema: z
    .string()
    .describe('Where editors find the JSON Schema of this file; Keepsake ignores it.')
    .optional(),
  name: agentName
    .describe('Default agent, used when a command or call names none.')
    .default(DEFAULT_AGENT_NAME),
  memory: blocks.memory.describe('Long-term facts, off until enabled.').prefault({}),
  history: blocks.history.prefault('low'),
  persistentMemory: blocks.persistentMemory.default(true),
  contextCompression: blocks.contextCompression.default(true),
  compression: blocks.compression.describe('When and how a conversation is compressed.').prefault({}),
  ttl: blocks.ttl
    .describe(
      'How long records of each source stay in search: "7d", "36h", "90m", or null for no expiry. An expired record can still be read by id.',
    )
    .prefault({}),
  ranking: blocks.ranking.describe('Order of search hits.').prefault({}),
  storage: storage.describe('Where memory is stored.').prefault({}),
  models: blocks.models
    .describe('Language, embedding and reranking models, as "provider/model".')
    .prefault({}),
  guard: blocks.guard.describe('Defence against poisoned memories.').prefault({}),
  knowledge: blocks.knowledge.describe('External documents (retrieval-augmented generation).').prefault({}),
  retention: retention
    .describe(
      'How long what is not memory is kept, for "keepsake retention" and, once a day, "keepsake serve": "90d", or null for ever. The age of the audit trail is server.auditDays.',
    )
    .prefault({}),
  server: blocks.server.describe('Settings of "keepsake serve".').prefault({}),
  agents: agents.prefault({}),
  swarms: swarms.prefault({}),
};

const root = z.strictObject(configFields);

/** The overlap of chunks is checked last, because an agent's block may set one of the two numbers only. */
export const configSchema = root.superRefine(({ knowledge, agents: byName }, context) => {
  const check = (path: string[], size: number, overlap: number): void => {
    if (overlap < size) return;
    const message = `${overlap} must be smaller than the chunkSize of ${size}`;
    context.addIssue({ code: 'custom', path: [...path, 'chunkOverlap'], message, params: MERGED_ONLY });
  };
  check(['knowledge'], knowledge.chunkSize, knowledge.chunkOverlap);
  for (const [name, { knowledge: own }] of Object.entries(byName)) {
    if (own === undefined) continue;
    check(
      ['agents', name, 'knowledge'],
      own.chunkSize ?? knowledge.chunkSize,
      own.chunkOverlap ?? knowledge.chunkOverlap,
    );
  }
});

/** A complete configuration: every default filled in, durations in milliseconds, stores resolved. */
export type Config = z.output<typeof configSchema>;
/** What a person may write. */
export type ConfigInput = z.input<typeof configSchema>;

/** The settings that hold for one agent. */
export interface AgentConfig {
  readonly name: string;
  readonly memory: Config['memory'];
  readonly history: blocks.HistoryLevel;
  readonly persistentMemory: boolean;
  readonly contextCompression: boolean;
  readonly compression: Config['compression'];
  readonly models: { readonly main: string; readonly light: string; readonly embedding: string };
  readonly knowledge: Config['knowledge'];
}

type Loose<T> = { [K in keyof T]?: T[K] | undefined };

function overlay<T extends object>(base: T, own: Loose<T> | undefined): T {
  const mentioned = Object.entries(own ?? {}).filter(([, value]) => value !== undefined);
  return { ...base, ...(Object.fromEntries(mentioned) as Partial<T>) };
}

export function resolveAgentConfig(config: Config, name: string): AgentConfig {
  checkAgentName(name);
  // An agent may be called "constructor": only own keys count.
  const own = Object.hasOwn(config.agents, name) ? config.agents[name] : undefined;
  const main = own?.models?.main ?? config.models.main;
  return {
    name,
    memory: overlay(config.memory, own?.memory),
    history: own?.history ?? config.history,
    persistentMemory: own?.persistentMemory ?? config.persistentMemory,
    contextCompression: own?.contextCompression ?? config.contextCompression,
    compression: overlay(config.compression, own?.compression),
    models: {
      main,
      light: own?.models?.light ?? config.models.light ?? main,
      embedding: config.models.embedding,
    },
    knowledge: overlay(config.knowledge, own?.knowledge),
  };
}
