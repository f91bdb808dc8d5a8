/** Resolves the name of an embedding model. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { Environment } from './environment.ts';
import type { Config } from './schema.ts';

/** What `"openai"` alone represents: a third of the size, and nearly as good as all 1,536 dimensions. */
const OPENAI_DEFAULT = 'openai/text-embedding-3-small@512';
const OPENAI_URL = 'https://api.openai.com/v1';
const OLLAMA_URL = 'http://localhost:11434/v1';

/** The length of vectors that were not asked to be shorter. */
const NATIVE_DIMENSIONS: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
};

/** Cosines that OpenAI's third generation reaches; other models are in the middle of what is usual. */
const OPENAI_CALIBRATION = { unrelated: 0.15, same: 0.75 } as const;
const USUAL_CALIBRATION = { unrelated: 0.2, same: 0.8 } as const;

export interface ServerChoice {
  readonly kind: 'server';
  readonly id: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** The variable that is missing; undefined when nothing is. */
  readonly missingKey: string | undefined;
  readonly keyHint: string;
  readonly shortenTo: number | undefined;
  readonly dimensions: number | undefined;
  readonly calibration: EmbeddingModel['calibration'];
}

export type EmbeddingChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'static' }
  | { readonly kind: 'local'; readonly name: string }
  | ServerChoice;

type Models = Pick<Config['models'], 'embedding' | 'embeddingUrl'>;

/** The name under which an alias is known. */
export function canonicalName(name: string): string {
  if (name === 'openai' || name === 'openai/text-embedding-3-small') return OPENAI_DEFAULT;
  return name;
}

/**
 * A keepsake.jsonc may come with a repository that somebody else wrote. So the key of OpenAI goes only to OpenAI, or to
 * where the user's own environment says; an address from the file gets a key that was set for just that.
 */
function serverAt(
  provider: 'openai' | 'ollama',
  configured: string | undefined,
  env: Environment,
): { baseUrl: string; keyVariable: string; needsKey: boolean } {
  if (configured !== undefined) {
    return { baseUrl: configured, keyVariable: 'KEEPSAKE_EMBEDDING_API_KEY', needsKey: false };
  }
  if (provider === 'ollama') {
    return { baseUrl: OLLAMA_URL, keyVariable: 'KEEPSAKE_EMBEDDING_API_KEY', needsKey: false };
  }
  const baseUrl = env.OPENAI_BASE_URL?.trim() || OPENAI_URL;
  return { baseUrl, keyVariable: 'OPENAI_API_KEY', needsKey: baseUrl.startsWith(OPENAI_URL) };
}

function serverChoice(
  provider: 'openai' | 'ollama',
  model: string,
  size: number | undefined,
  { embeddingUrl }: Models,
  env: Environment,
): ServerChoice {
  const { baseUrl, keyVariable, needsKey } = serverAt(provider, embeddingUrl, env);
  const apiKey = env[keyVariable]?.trim() || undefined;
  // Ollama's models have the size they have, so a size only says what is expected.
  const shortenTo = provider === 'openai' ? size : undefined;
  return {
    kind: 'server',
    id: `${provider}/${model}${size === undefined ? '' : `@${size}`}`,
    model,
    baseUrl,
    apiKey,
    missingKey: needsKey && apiKey === undefined ? keyVariable : undefined,
    keyHint: `Set the environment variable ${keyVariable} to a key that this server accepts.`,
    shortenTo,
    dimensions: size ?? (provider === 'openai' ? NATIVE_DIMENSIONS[model] : undefined),
    calibration: /^text-embedding-3-/.test(model) ? OPENAI_CALIBRATION : USUAL_CALIBRATION,
  };
}

export function readChoice(models: Models, env: Environment): EmbeddingChoice {
  const name = canonicalName(models.embedding);
  if (name === 'none' || name === 'static') return { kind: name };
  // An @ at the beginning of a name, or before a slash, is part of it, as in "openai/@cf/baai/bge-m3".
  const server = /^(openai|ollama)\/(\S+?)(?:(?<!\/)@([^\s/@]*))?$/.exec(name);
  if (server !== null) {
    const [, provider, model = '', size] = server;
    if (size !== undefined && !/^[1-9]\d{0,4}$/.test(size)) throw wrongSize(name, size);
    return serverChoice(
      provider as 'openai' | 'ollama',
      model,
      size === undefined ? undefined : Number(size),
      models,
      env,
    );
  }
  if (!name.includes('/')) return { kind: 'local', name };
  throw new KeepsakeError('INVALID_CONFIG', `models.embedding: the provider of "${name}" is unknown.`, {
    hint: 'Use "static", "bge-small", "minilm", "openai/<model>", "ollama/<model>" or "none"; any AI SDK model can be passed to createClient.',
  });
}

function wrongSize(name: string, size: string): KeepsakeError {
  return new KeepsakeError(
    'INVALID_CONFIG',
    `models.embedding: the dimensions "${size}" of "${name}" are not a number from 1 to 99999.`,
    { hint: 'Write it as in "openai/text-embedding-3-small@512", or leave it out.' },
  );
}
