/** The blocks that keepsake.jsonc is built from, each key with its meaning, its bounds and its default. */
import { z } from 'zod';
import type { Source } from '../kernel/record.ts';
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
      'Turns long-term facts on: the tools remember, recall and forget, recall at the start, extraction at the end.',
    )
    .default(false),
  maxEntries: z
    .int()
    .min(1)
    .max(10_000_000)
    .describe(
      'How many live facts one agent may have. Beyond it, extracted facts of low confidence leave search first.',
    )
    .default(200),
  maxCharsInjected: z
    .int()
    .min(0)
    .max(10_000_000)
    .describe(
      'How many characters of memory may enter the system prompt, with the block that encloses them; the block beside the task may have as many.',
    )
    .default(2000),
  maxCharsProfile: z
    .int()
    .min(0)
    .max(100_000)
    .describe(
      'How many characters the profile of the user may take in the system prompt, before other memory. 0: no profile.',
    )
    .default(0),
  confidenceThreshold: z
    .number()
    .min(0)
    .max(1)
    .describe('Facts that the extractor is less sure of than this are not stored.')
    .default(0.6),
  minMessagesToExtract: z
    .int()
    .min(0)
    .max(1_000_000)
    .describe('Sessions with fewer user and assistant messages than this are not reviewed for facts.')
    .default(4),
  dryRun: z
    .boolean()
    .describe('The extractor runs and its events fire, but nothing it proposes is stored.')
    .default(false),
  readOnly: z.boolean().describe('Refuses every write to long-term memory, whoever asks.').default(false),
});

export const history = z
  .union([z.enum(HISTORY_LEVELS), z.literal(false)])
  .transform((level): HistoryLevel => (level === false ? 'off' : level))
  .describe(
    'How much of the conversation is sent again: low = 10 messages, medium = 50, high = 200; preamble = the whole of MEMORY.md as one system message, and no messages of earlier runs; off (or false) = nothing, and nothing of a run is stored.',
  );

export const persistentMemory = z
  .boolean()
  .describe('Keeps MEMORY.md: created at the first start, loaded at the next, written with every turn.');

export const contextCompression = z
  .boolean()
  .describe('Summarises the conversation by itself when it nears the context limit of the model.');

export const compression = z.strictObject({
  threshold: z
    .number()
    .gt(0)
    .max(1)
    .describe('Part of the context window that must be in use before compression starts.')
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
    .describe('Context window in tokens; without it, that of the main model.')
    .optional(),
  summarizerModel: modelId.describe('Model that writes the summary; without it, the light model.').optional(),
  summarizerTemperature: z.number().min(0).max(2).describe('Temperature of the summary.').optional(),
  summarizerMaxTokens: z.int().min(1).max(MAX_TOKENS).describe('Longest summary, in tokens.').optional(),
});

export const ttl = z.strictObject({
  task_completion: durationOrNever.describe('Results of tasks.').prefault('7d'),
  session_summary: durationOrNever.describe('Summaries of sessions.').prefault('3d'),
  file_index: durationOrNever.describe('Notes kept in files.').prefault('30d'),
  manual: durationOrNever.describe('What a person or an agent stored on purpose.').prefault(null),
  extracted: durationOrNever.describe('Facts that the extractor found.').prefault(null),
  knowledge: durationOrNever.describe('Chunks of external documents.').prefault(null),
  swarm_result: durationOrNever.describe('Final outputs of swarm runs.').prefault(null),
} satisfies Record<Source, z.ZodType>);

export const ranking = z.strictObject({
  profile: z
    .enum(['classic', 'steady'])
    .describe(
      'How age weighs in the formula that orders hits, relevance × recency decay × access boost. steady: what is bound to expire (tasks, summaries, notes) halves with every half-life, facts lose 15 % at the most when a question is asked, and half when a remark goes on with a conversation. classic: everything halves.',
    )
    .default('steady'),
  recencyHalfLifeDays: z
    .number()
    .gt(0)
    .max(36_500)
    .describe('Days after which a memory has lost half of its score.')
    .default(14),
  accessBoostMax: z
    .number()
    .min(1)
    .max(100)
    .describe('Highest factor that frequent access can earn.')
    .default(1.5),
  accessRecencyHours: z
    .number()
    .gt(0)
    .max(876_000)
    .describe('Hours within which an access counts for the full boost.')
    .default(48),
  candidateMultiplier: z
    .number()
    .min(1)
    .max(100)
    .describe(
      'How many candidates are ranked for each of the ten hits that are usually asked for; more are looked at when more are asked for.',
    )
    .default(3),
});

export const guard = z.strictObject({
  enabled: z
    .boolean()
    .describe('Judges every text before it becomes memory; what is refused waits in quarantine.')
    .default(true),
  secrets: z
    .enum(['redact', 'block', 'allow'])
    .describe(
      'What happens to keys, tokens and passwords in a text. redact: they are replaced before it is stored. block: the text is refused. allow: it is stored as it is.',
    )
    .default('redact'),
});

export const mainModel = modelId.describe('Model that agents think with; "none" for no language model.');
export const lightModel = modelId.describe(
  'Cheap model for summaries and extraction; without it, the main model.',
);

const price = z.strictObject({
  input: z.number().min(0).describe('Dollars per million tokens that the model reads.').default(0),
  output: z.number().min(0).describe('Dollars per million tokens that the model writes.').default(0),
});

export const models = z.strictObject({
  main: mainModel.default('none'),
  light: lightModel.optional(),
  local: modelId
    .describe(
      'Model of your own machine that is asked for summaries and extraction first; the light model when it fails.',
    )
    .optional(),
  heavy: modelId
    .describe('Model that is asked when the main one fails; without it, the call fails.')
    .optional(),
  baseUrl: httpUrl
    .describe(
      'OpenAI-compatible server for "compatible/…", and for "openai/…" and "ollama/…" in place of their own. Its key, if it needs one, is $KEEPSAKE_MODELS_API_KEY; $OPENAI_API_KEY is never sent to an address from this file.',
    )
    .optional(),
  timeoutMs: z
    .int()
    .min(1000)
    // Node's fetch gives up after five minutes of silence by itself.
    .max(300_000)
    .describe(
      'How long a language model may be silent, in milliseconds; an answer that keeps coming is never cut.',
    )
    .default(120_000),
  retries: z
    .int()
    .min(0)
    .max(10)
    .describe(
      'How many times a call of a language model is made again when the server is busy, failing or out of reach.',
    )
    .default(3),
  prices: z
    .record(modelId, price)
    .describe('Prices by model id, for models whose price is not built in or has changed.')
    .default({}),
  embedding: embeddingId
    .describe(
      'Model that makes text searchable by meaning. "static" ships with Keepsake and needs no network; "bge-small" and "minilm" are stronger and local; "openai/…" and "ollama/…" are servers; "none" leaves full-text search.',
    )
    .default('static'),
  embeddingUrl: httpUrl
    .describe(
      'OpenAI-compatible server for "openai/…" and "ollama/…" embeddings. Its key, if it needs one, is $KEEPSAKE_EMBEDDING_API_KEY; $OPENAI_API_KEY is never sent to an address from this file.',
    )
    .optional(),
  reranker: rerankerId
    .describe(
      'Model that reads question and memory together and has the last word on relevance. "cohere/…", "jina/…" and "voyage/…" are services; "server/…" and "tei/…" are servers of your own at rerankerUrl; "none" is the default.',
    )
    .default('none'),
  rerankerUrl: httpUrl
    .describe(
      'Address of the reranking server, without "/rerank". Its key, if it needs one, is $KEEPSAKE_RERANKER_API_KEY; the keys of the services are never sent to an address from this file.',
    )
    .optional(),
});

export const knowledge = z.strictObject({
  chunkSize: z
    .int()
    .min(1)
    .max(1_000_000)
    .describe('Characters in one chunk of an external document.')
    .default(2000),
  chunkOverlap: z
    .int()
    .min(0)
    .max(1_000_000)
    .describe('Characters that a chunk shares with the one before it; smaller than chunkSize.')
    .default(100),
  everyLoop: z
    .boolean()
    .describe('Searches external knowledge at every loop of a run instead of only at its beginning.')
    .default(false),
});

export const swarm = z.strictObject({
  agents: z
    .array(agentName)
    .min(1)
    .describe('The agents that work in parallel.')
    .meta({ title: 'list of agent names', examples: [['researcher-1', 'researcher-2']] }),
  lead: agentName.describe('The agent that combines the results: one of the agents, or another one.'),
  type: z.string().min(1).max(120).describe('Kind of swarm, kept with its results.').default('research'),
  budget: z
    .number()
    .gt(0)
    .max(1_000_000)
    .describe('What a run may cost, in dollars; it stops at 95 % of that.')
    .default(5),
  snapshot: z.boolean().describe('Keeps the working memory of a completed run as a record.').default(false),
  cache: z
    .enum(['exact', 'semantic'])
    .describe(
      'Returns an earlier answer instead of asking a model: for the same task, or also for a task with the same meaning.',
    )
    .optional(),
});

export const server = z.strictObject({
  requestsPerSecond: z
    .int()
    .min(1)
    .max(1_000_000)
    .describe('How many requests one key may make per second; for a moment, twice as many.')
    .default(5000),
  maxConnections: z
    .int()
    .min(1)
    .max(65_535)
    .describe('Maximum number of open connections; more are refused.')
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
          'The least serious entries that are written. warn: refused and failed requests and lost backends; info: every request.',
        )
        .default('warn'),
    })
    .describe('The log of the server, on stderr. It never holds contents of memories or keys.')
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
      'For how many days the server keeps the audit trail: which key changed something, or read the memory of another agent. 0 keeps none.',
    )
    .default(90),
  folders: z
    .enum(['shared', 'separate'])
    .describe(
      'Whether all servers on one Postgres have the same workspace folder. shared: a server with another folder is refused at its start. separate: each has its own, and refuses sections, notes and archives, which are files.',
    )
    .default('shared'),
});
