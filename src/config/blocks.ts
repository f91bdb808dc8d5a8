/** The blocks that keepsake.jsonc is built from, each key with its meaning, its bounds and its default. */

import type { Source } from '../kernel/record.ts';
import { z } from '../kernel/zod.ts';
import { agentName, durationOrNever, embeddingId, httpUrl, modelId, rerankerId } from './value-types.ts';

/** How many messages of the thread are sent again, by history level. */
export const HISTORY_LIMITS = { low: 10, medium: 50, high: 200, preamble: 0, off: 0 } as const;
export type HistoryLevel = keyof typeof HISTORY_LIMITS;
export const HISTORY_LEVELS = Object.keys(HISTORY_LIMITS) as [HistoryLevel, ...HistoryLevel[]];

const MAX_TOKENS = 100_000_000;

export const memory = z.strictObject({
  enabled: z
    .boolean()
    .describe(
      'Turns on long-term facts: the tools remember, recall and forget, recall at the start of a session, and extraction at its end.',
    )
    .default(false),
  maxEntries: z
    .int()
    .min(1)
    .max(10_000_000)
    .describe(
      'Maximum number of live facts of one agent. Above it, extracted facts with low confidence leave search first.',
    )
    .default(200),
  maxCharsInjected: z
    .int()
    .min(0)
    .max(10_000_000)
    .describe(
      'Maximum number of characters of memory in the system prompt, including the enclosing block. The memory block next to the task has the same limit.',
    )
    .default(2000),
  maxCharsProfile: z
    .int()
    .min(0)
    .max(100_000)
    .describe(
      'Maximum number of characters for the profile of the user in the system prompt, placed before other memory. 0: no profile.',
    )
    .default(0),
  confidenceThreshold: z
    .number()
    .min(0)
    .max(1)
    .describe('Extracted facts with a lower confidence are not stored.')
    .default(0.6),
  minMessagesToExtract: z
    .int()
    .min(0)
    .max(1_000_000)
    .describe('Sessions with fewer user and assistant messages are not reviewed for facts.')
    .default(4),
  dryRun: z
    .boolean()
    .describe('The extractor runs and its events fire, but nothing it proposes is stored.')
    .default(false),
  readOnly: z.boolean().describe('Refuses every write to long-term memory.').default(false),
});

export const history = z
  .union([z.enum(HISTORY_LEVELS), z.literal(false)])
  .transform((level): HistoryLevel => (level === false ? 'off' : level))
  .describe(
    'How much of the conversation each prompt contains: low = 10 messages, medium = 50, high = 200; preamble = the whole of MEMORY.md as one system message, and no messages of earlier runs; off (or false) = nothing, and nothing of a run is stored.',
  );

export const persistentMemory = z
  .boolean()
  .describe(
    'Keeps a MEMORY.md: created at the first start, loaded at later starts, updated with every turn.',
  );

export const contextCompression = z
  .boolean()
  .describe('Summarizes the conversation automatically when it approaches the context limit of the model.');

export const compression = z.strictObject({
  threshold: z
    .number()
    .gt(0)
    .max(1)
    .describe('Used fraction of the context window at which compression starts.')
    .default(0.9),
  policy: z
    .enum(['compactAll', 'summarizeOlder', 'window'])
    .describe(
      'compactAll: the transcript is archived and replaced by a summary. summarizeOlder: only the older part becomes one message. window: the oldest messages are left out.',
    )
    .default('compactAll'),
  contextLength: z
    .int()
    .min(1)
    .max(MAX_TOKENS)
    .describe('Context window in tokens. Default: the window of the main model.')
    .optional(),
  summarizerModel: modelId.describe('Model that writes the summary. Default: the light model.').optional(),
  summarizerTemperature: z.number().min(0).max(2).describe('Temperature of the summary.').optional(),
  summarizerMaxTokens: z
    .int()
    .min(1)
    .max(MAX_TOKENS)
    .describe('Maximum length of the summary, in tokens.')
    .optional(),
});

export const ttl = z.strictObject({
  task_completion: durationOrNever.describe('Results of tasks.').prefault('7d'),
  session_summary: durationOrNever.describe('Summaries of sessions.').prefault('3d'),
  file_index: durationOrNever.describe('Notes kept in files.').prefault('30d'),
  manual: durationOrNever.describe('Memories that a person or an agent stored explicitly.').prefault(null),
  extracted: durationOrNever.describe('Facts that the extractor found.').prefault(null),
  knowledge: durationOrNever.describe('Chunks of external documents.').prefault(null),
  swarm_result: durationOrNever.describe('Final outputs of swarm runs.').prefault(null),
} satisfies Record<Source, z.ZodType>);

export const ranking = z.strictObject({
  profile: z
    .enum(['classic', 'steady'])
    .describe(
      'How age weighs in the formula that orders hits, relevance × recency decay × access boost. steady: records with an expiry (tasks, summaries, notes) lose half of their weight per half-life; facts lose at most 15 % when the query is a question, and at most half when it is a statement. classic: all records lose half per half-life.',
    )
    .default('steady'),
  recencyHalfLifeDays: z
    .number()
    .gt(0)
    .max(36_500)
    .describe('Days after which a memory has lost half of its score.')
    .default(14),
  accessBoostMax: z.number().min(1).max(100).describe('Maximum factor for frequent access.').default(1.5),
  accessRecencyHours: z
    .number()
    .gt(0)
    .max(876_000)
    .describe('Hours after an access during which it counts fully.')
    .default(48),
  candidateMultiplier: z
    .number()
    .min(1)
    .max(100)
    .describe(
      'How many candidates are ranked per requested hit, for the usual ten hits. Larger limits rank more candidates.',
    )
    .default(3),
});

export const guard = z.strictObject({
  enabled: z
    .boolean()
    .describe('Checks every text before it is stored. Refused texts are kept in the quarantine.')
    .default(true),
  secrets: z
    .enum(['redact', 'block', 'allow'])
    .describe(
      'What happens to keys, tokens and passwords in a text. redact: they are replaced before storing. block: the text is refused. allow: the text is stored unchanged.',
    )
    .default('redact'),
});

export const mainModel = modelId.describe('Main language model of agents. "none": no language model.');
export const lightModel = modelId.describe(
  'Cheaper model for summaries and extraction. Default: the main model.',
);

const price = z.strictObject({
  input: z.number().min(0).describe('Dollars per million input tokens.').default(0),
  output: z.number().min(0).describe('Dollars per million output tokens.').default(0),
});

export const models = z.strictObject({
  main: mainModel.default('none'),
  light: lightModel.optional(),
  local: modelId
    .describe(
      'Local model that is tried first for summaries and extraction. If it fails, the light model is used.',
    )
    .optional(),
  heavy: modelId
    .describe('Model that is used when the main model fails. Default: the call fails.')
    .optional(),
  baseUrl: httpUrl
    .describe(
      'Address of an OpenAI-compatible server for "compatible/…", "openai/…" and "ollama/…" models. Its key is read from $KEEPSAKE_MODELS_API_KEY; $OPENAI_API_KEY is never sent to an address from this file.',
    )
    .optional(),
  timeoutMs: z
    .int()
    .min(1000)
    // Node's fetch gives up after five minutes of silence by itself.
    .max(300_000)
    .describe(
      'Timeout for a language model that sends nothing, in milliseconds. An answer that is still streaming is never cut off.',
    )
    .default(120_000),
  retries: z
    .int()
    .min(0)
    .max(10)
    .describe(
      'How often a call of a language model is repeated when the server is busy, fails or cannot be reached.',
    )
    .default(3),
  sampling: z
    .boolean()
    .describe(
      'Session reviews use the model of a connected MCP client if it supports sampling and no language model is configured. The owner of the client pays for the call.',
    )
    .default(false),
  prices: z
    .record(modelId, price)
    .describe('Prices by model id, for models without a built-in price or with a changed price.')
    .default({}),
  embedding: embeddingId
    .describe(
      'Embedding model for search by meaning. "static" is included and needs no network; "bge-small" and "minilm" are stronger and run locally; "openai/…" and "ollama/…" use a server; "none" means full-text search only.',
    )
    .default('static'),
  embeddingUrl: httpUrl
    .describe(
      'Address of an OpenAI-compatible server for "openai/…" and "ollama/…" embeddings. Its key is read from $KEEPSAKE_EMBEDDING_API_KEY; $OPENAI_API_KEY is never sent to an address from this file.',
    )
    .optional(),
  reranker: rerankerId
    .describe(
      'Reranking model, which reads query and memory together and decides the final relevance. "cohere/…", "jina/…" and "voyage/…" are services; "server/…" and "tei/…" are servers of your own at rerankerUrl; "none" is the default.',
    )
    .default('none'),
  rerankerUrl: httpUrl
    .describe(
      'Address of the reranking server, without "/rerank". Its key is read from $KEEPSAKE_RERANKER_API_KEY; the keys of the services are never sent to an address from this file.',
    )
    .optional(),
  lateInteraction: z
    .enum(['none', 'minilm'])
    .describe(
      'Local model that compares questions and memories token by token and improves the order of hits, for English texts in threads. "minilm" needs "keepsake models pull minilm" and onnxruntime-node; SQLite only.',
    )
    .default('none'),
});

export const knowledge = z.strictObject({
  chunkSize: z
    .int()
    .min(1)
    .max(1_000_000)
    .describe('Maximum number of characters in a chunk of an external document.')
    .default(2000),
  chunkOverlap: z
    .int()
    .min(0)
    .max(1_000_000)
    .describe('Number of characters that two neighbouring chunks share; less than chunkSize.')
    .default(100),
  everyLoop: z
    .boolean()
    .describe('Searches external knowledge before every model call of a run instead of once at its start.')
    .default(false),
  allowHosts: z
    .array(z.string().min(1).max(255))
    .describe(
      'Hosts of this machine or its network, with a port if it is not the usual one, whose pages `knowledge add` may fetch. Public hosts are always allowed.',
    )
    .meta({ title: 'list of hosts', examples: [['wiki.internal', 'localhost:3000']] })
    .default([]),
});

export const swarm = z.strictObject({
  agents: z
    .array(agentName)
    .min(1)
    .describe('The agents that work in parallel.')
    .meta({ title: 'list of agent names', examples: [['researcher-1', 'researcher-2']] }),
  lead: agentName.describe('The agent that combines the results: one of the agents, or an additional one.'),
  type: z
    .string()
    .min(1)
    .max(120)
    .describe('Type of the swarm, stored with its results.')
    .default('research'),
  budget: z
    .number()
    .gt(0)
    .max(1_000_000)
    .describe('Maximum cost of a run in dollars. The run stops at 95 % of it.')
    .default(5),
  snapshot: z.boolean().describe('Stores the working memory of a completed run as a record.').default(false),
  cache: z
    .enum(['exact', 'semantic'])
    .describe(
      'Returns an earlier answer without calling a model. exact: for the same task; semantic: also for a task with the same meaning.',
    )
    .optional(),
});

export const server = z.strictObject({
  requestsPerSecond: z
    .int()
    .min(1)
    .max(1_000_000)
    .describe('Maximum requests per second of one key. Short bursts may be twice as large.')
    .default(5000),
  maxConnections: z
    .int()
    .min(1)
    .max(65_535)
    .describe(
      'Maximum number of open connections. More are refused, unless others have not sent a request yet: the oldest of those make room.',
    )
    .default(1024),
  log: z
    .strictObject({
      format: z
        .enum(['text', 'json'])
        .describe('One readable line per entry, or one JSON object per line.')
        .default('text'),
      level: z
        .enum(['debug', 'info', 'warn', 'error', 'off'])
        .describe(
          'Minimum level of log entries. warn: refused and failed requests and lost backends; info: every request.',
        )
        .default('warn'),
    })
    .describe('The log of the server, on stderr. It never contains memories or keys.')
    .prefault({}),
  metrics: z
    .enum(['key', 'loopback'])
    .describe(
      'Who may read /metrics. key: the key of an admin is needed. loopback: programs on the same machine need no key.',
    )
    .default('key'),
  auditDays: z
    .int()
    .min(0)
    .max(36_500)
    .describe(
      'For how many days the server keeps the audit trail: which key changed something, or read the memory of another agent. 0: no audit trail.',
    )
    .default(90),
  folders: z
    .enum(['shared', 'separate'])
    .describe(
      'Whether all servers on one Postgres have the same workspace folder. shared: a server with another folder is refused at its start. separate: each has its own, and refuses sections, notes and archives, which are files.',
    )
    .default('shared'),
});
