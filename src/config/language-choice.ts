/** Resolves the name of a language model to API format, URL and key. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { Environment } from './environment.ts';

type Provider = 'openai' | 'anthropic' | 'google' | 'ollama' | 'compatible';

export interface LanguageChoice {
  readonly id: string;
  readonly format: 'openai-responses' | 'openai-chat' | 'anthropic' | 'google' | 'compatible';
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** The variable that is missing; undefined when nothing is. */
  readonly missingKey: string | undefined;
  readonly keyHint: string;
}

const OPENAI_URL = 'https://api.openai.com/v1';
const ANTHROPIC_URL = 'https://api.anthropic.com';
const GOOGLE_URL = 'https://generativelanguage.googleapis.com';
const OLLAMA_URL = 'http://localhost:11434/v1';

const OWN_KEY = 'KEEPSAKE_MODELS_API_KEY';

interface Server {
  readonly format: LanguageChoice['format'];
  readonly baseUrl: string;
  /** Where the key may be, the first one being the one to recommend. */
  readonly keys: readonly string[];
  readonly needsKey: boolean;
}

const readVariable = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

/** With or without the version at its end, as the packages of the providers differ in what they expect. */
const versioned = (url: string, version: string): string =>
  /\/v\d+(beta)?\/*$/.test(url) ? url : `${url.replace(/\/+$/, '')}/${version}`;

/**
 * A keepsake.jsonc may come with a repository that somebody else wrote. So the key of a provider goes only to that
 * provider, or to where the user's own environment says; an address from the file gets a key that was set for just that.
 */
function serverFor(provider: Provider, configured: string | undefined, env: Environment): Server {
  if (provider === 'anthropic') {
    const baseUrl = versioned(readVariable(env, 'ANTHROPIC_BASE_URL') ?? ANTHROPIC_URL, 'v1');
    return { format: 'anthropic', baseUrl, keys: ['ANTHROPIC_API_KEY'], needsKey: true };
  }
  if (provider === 'google') {
    const baseUrl = versioned(readVariable(env, 'GOOGLE_GEMINI_BASE_URL') ?? GOOGLE_URL, 'v1beta');
    const keys = ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'];
    return { format: 'google', baseUrl, keys, needsKey: true };
  }
  const own = { format: 'compatible', keys: [OWN_KEY], needsKey: false } as const;
  if (configured !== undefined) return { ...own, baseUrl: configured };
  if (provider === 'ollama') return { ...own, baseUrl: OLLAMA_URL };
  if (provider === 'compatible') {
    throw new KeepsakeError('INVALID_CONFIG', 'A model of "compatible/…" needs the address of its server.', {
      hint: 'Set models.baseUrl, e.g. to "http://localhost:1234/v1".',
    });
  }
  const elsewhere = readVariable(env, 'OPENAI_BASE_URL');
  const keys = ['OPENAI_API_KEY'];
  if (elsewhere === undefined || elsewhere.startsWith(OPENAI_URL)) {
    return { format: 'openai-responses', baseUrl: elsewhere ?? OPENAI_URL, keys, needsKey: true };
  }
  // Most servers that stand in for OpenAI know its older API only.
  const format = readVariable(env, 'OPENAI_API_KEY') === undefined ? 'compatible' : 'openai-chat';
  return { format, baseUrl: elsewhere, keys, needsKey: false };
}

/** @returns undefined for "none". */
export function readLanguageChoice(
  name: string,
  baseUrl: string | undefined,
  env: Environment,
): LanguageChoice | undefined {
  if (name === 'none') return undefined;
  const [, provider, model] = /^(openai|anthropic|google|ollama|compatible)\/(\S+)$/.exec(name) ?? [];
  if (provider === undefined || model === undefined) {
    throw new KeepsakeError('INVALID_CONFIG', `The provider of the language model "${name}" is unknown.`, {
      hint: 'Use "openai/<model>", "anthropic/<model>", "google/<model>", "ollama/<model>", "compatible/<model>" with models.baseUrl, or "none"; any AI SDK model can be passed in code.',
    });
  }
  const server = serverFor(provider as Provider, baseUrl, env);
  const apiKey = server.keys.map((key) => readVariable(env, key)).find((key) => key !== undefined);
  return {
    id: name,
    format: server.format,
    model,
    baseUrl: server.baseUrl,
    apiKey,
    missingKey: server.needsKey && apiKey === undefined ? server.keys[0] : undefined,
    keyHint: `Set the environment variable ${server.keys[0]} to a key that this server accepts.`,
  };
}
