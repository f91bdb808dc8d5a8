/** Models by provider, name and address; the package of a provider is loaded when its model is first asked. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { ChatModel } from '../../ports/language-model.ts';
import { findPackage, isAbsent, loadPackage } from '../../runtime/load-package.ts';
import { createChatModel, type Patience } from './chat-model.ts';
import type { SdkLanguageModel } from './sdk-model.ts';
import { watchedFetch } from './watch.ts';

/** The format in which a server is spoken to. */
export type WireFormat = 'openai-responses' | 'openai-chat' | 'anthropic' | 'google' | 'compatible';

export interface ServerModel {
  /** The model as people know it, `provider/model`. */
  readonly id: string;
  readonly format: WireFormat;
  /** The model as the server knows it. */
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly keyHint?: string | undefined;
}

/** Whatever the packages would look up in the environment is given to them, so that they look up nothing. */
interface Settings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly fetch: typeof watchedFetch;
}

const PACKAGES: Readonly<Record<WireFormat, string>> = {
  'openai-responses': '@ai-sdk/openai',
  'openai-chat': '@ai-sdk/openai',
  anthropic: '@ai-sdk/anthropic',
  google: '@ai-sdk/google',
  compatible: '@ai-sdk/openai-compatible',
};

const OPEN: Readonly<Record<WireFormat, (model: string, settings: Settings) => Promise<SdkLanguageModel>>> = {
  'openai-responses': async (model, settings) =>
    loadPackage<typeof import('@ai-sdk/openai')>('@ai-sdk/openai').createOpenAI(settings).responses(model),
  'openai-chat': async (model, settings) =>
    loadPackage<typeof import('@ai-sdk/openai')>('@ai-sdk/openai').createOpenAI(settings).chat(model),
  anthropic: async (model, settings) =>
    loadPackage<typeof import('@ai-sdk/anthropic')>('@ai-sdk/anthropic').createAnthropic(settings)(model),
  google: async (model, settings) =>
    loadPackage<typeof import('@ai-sdk/google')>('@ai-sdk/google').createGoogleGenerativeAI(settings)(model),
  compatible: async (model, { apiKey, ...settings }) => {
    const { createOpenAICompatible } =
      loadPackage<typeof import('@ai-sdk/openai-compatible')>('@ai-sdk/openai-compatible');
    const key = apiKey === '' ? {} : { apiKey };
    return createOpenAICompatible({ ...settings, ...key, name: 'compatible', includeUsage: true })(model);
  },
};

async function open({ id, format, model, baseUrl, apiKey = '' }: ServerModel): Promise<SdkLanguageModel> {
  const settings = { baseURL: baseUrl.replace(/\/+$/, ''), apiKey, fetch: watchedFetch };
  try {
    return await OPEN[format](model, settings);
  } catch (cause) {
    const name = PACKAGES[format];
    if (!isAbsent(cause, name)) throw cause;
    throw notInstalled(id, name, cause);
  }
}

function notInstalled(id: string, name: string, cause: unknown): KeepsakeError {
  return new KeepsakeError('UNSUPPORTED', `The model ${id} needs the package ${name}.`, {
    hint: `Run "npm install ${name}" beside Keepsake or in the project, or "npm install --global ${name}".`,
    cause,
  });
}

/** Refuses a model whose package is missing before anything is said to it; only looks where it is, and loads nothing. */
export function checkInstalled({ id, format }: Pick<ServerModel, 'id' | 'format'>): void {
  const name = PACKAGES[format];
  try {
    findPackage(name);
  } catch (cause) {
    // Any other failure is about something that is there, and is told when it is loaded.
    if ((cause as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') throw notInstalled(id, name, cause);
  }
}

export function createServerModel(server: ServerModel, patience: Patience = {}): ChatModel {
  const { id, format, baseUrl, apiKey, keyHint } = server;
  return createChatModel({
    ...patience,
    id,
    baseUrl,
    apiKey,
    keyHint,
    open: () => open(server),
    systemAnywhere: format === 'openai-responses' || format === 'openai-chat',
    // OpenAI keeps answers for thirty days unless told otherwise; memories are not theirs to keep.
    ...(format === 'openai-responses' ? { providerOptions: { openai: { store: false } } } : {}),
  });
}
