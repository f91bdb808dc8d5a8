/** The only place that knows rerankers by name; what they need is loaded when one is in use. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { Reranker } from '../ports/reranker.ts';
import type { Environment } from './environment.ts';
import type { Config } from './schema.ts';

const load = () => import('../models/remote/index.ts');

type Loaded = Awaited<ReturnType<typeof load>>;

/** A reranking model of the AI SDK, by its shape. */
export type AiSdkReranker = Parameters<Loaded['createAiSdkReranker']>[0];

/** Where each is, and what its key is called. `server` is any other, at an address of the user's. */
const PROVIDERS = {
  cohere: { baseUrl: 'https://api.cohere.com/v2', key: 'COHERE_API_KEY' },
  jina: { baseUrl: 'https://api.jina.ai/v1', key: 'JINA_API_KEY' },
  voyage: { baseUrl: 'https://api.voyageai.com/v1', key: 'VOYAGE_API_KEY' },
  server: undefined,
  tei: undefined,
} as const;

/** The key for an address from the configuration: a file that came with a repository gets no other. */
const OWN_KEY = 'KEEPSAKE_RERANKER_API_KEY';

export interface RerankerPlace {
  readonly models: Pick<Config['models'], 'reranker' | 'rerankerUrl'>;
  readonly env: Environment;
}

function invalid(message: string, hint: string): KeepsakeError {
  return new KeepsakeError('INVALID_CONFIG', message, { hint });
}

/** The reranker that the configuration names; undefined for "none". */
export async function openReranker({ models, env }: RerankerPlace): Promise<Reranker | undefined> {
  const { reranker: id, rerankerUrl } = models;
  if (id === 'none') return undefined;
  const [provider = '', ...rest] = id.split('/');
  if (!Object.hasOwn(PROVIDERS, provider)) {
    const names = Object.keys(PROVIDERS).map((name) => `"${name}/<model>"`);
    throw invalid(
      `models.reranker: the provider of "${id}" is unknown.`,
      `Use ${names.join(', ')} or "none"; any AI SDK model can be passed to createClient.`,
    );
  }
  const known = PROVIDERS[provider as keyof typeof PROVIDERS];
  const baseUrl = rerankerUrl ?? known?.baseUrl;
  if (baseUrl === undefined) {
    throw invalid(
      `models.reranker: "${id}" needs the address of its server.`,
      'Set models.rerankerUrl, for example to "http://localhost:8080".',
    );
  }
  const keyVariable = rerankerUrl === undefined ? known!.key : OWN_KEY;
  const apiKey = env[keyVariable]?.trim() || undefined;
  const keyHint = `Set the environment variable ${keyVariable} to a key that this server accepts.`;
  // A key that is missing today must not keep anybody from writing; search says that it continued without the reranker.
  if (apiKey === undefined && rerankerUrl === undefined) {
    const error = new KeepsakeError('UNAUTHORIZED', `The reranker "${id}" needs a key.`, { hint: keyHint });
    return { id, rerank: () => Promise.reject(error) };
  }
  const { createHttpReranker } = await load();
  return createHttpReranker({
    ...{ id, baseUrl, apiKey, keyHint },
    model: rest.join('/'),
    format: provider === 'tei' ? 'texts' : 'documents',
  });
}

/** A reranker that was passed in code: one of our own kind, or one of the AI SDK. */
export async function adoptReranker(given: Reranker | AiSdkReranker): Promise<Reranker> {
  if (typeof (given as Partial<Reranker> | null)?.rerank === 'function') return given as Reranker;
  const { createAiSdkReranker, isAiSdkRerankingModel } = await load();
  if (isAiSdkRerankingModel(given)) return createAiSdkReranker(given);
  throw new KeepsakeError('INVALID_INPUT', '`reranker` is not a reranking model.', {
    hint: 'Pass a reranking model of the AI SDK, such as cohere.reranking("rerank-v3.5"), or an object with rerank(query, texts).',
  });
}
