/** The only place that knows embedding models by name; each is loaded when it is first needed. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import { packageRoot } from '../runtime/package-root.ts';
import { canonicalName, readChoice, type ServerChoice } from './embedding-choice.ts';
import type { Environment } from './environment.ts';
import { modelFolders } from './model-folders.ts';
import { openFileLock } from './registry.ts';
import type { Config } from './schema.ts';

export interface EmbeddingPlace {
  readonly models: Pick<Config['models'], 'embedding' | 'embeddingUrl'>;
  readonly env: Environment;
  /** Root folder of the workspace. */
  readonly root: string;
}

export interface EmbeddingEntry {
  /** What to write into `models.embedding`. */
  readonly name: string;
  readonly about: string;
  /** Null when only the model itself can tell. */
  readonly dimensions: number | null;
  /** Folder or address. */
  readonly where: string;
  /** Whether its files are on this machine; a server needs none. */
  readonly installed: boolean;
  /** Whether it would work now, as far as can be told without trying. */
  readonly ready: boolean;
  /** What is missing. */
  readonly missing?: string;
  readonly active: boolean;
}

const loadStatic = () => import('../models/static/index.ts');
const loadRemote = () => import('../models/remote/index.ts');
const loadLocal = () => import('../models/onnx/index.ts');

type Remote = Awaited<ReturnType<typeof loadRemote>>;
type Local = Awaited<ReturnType<typeof loadLocal>>;
type PullReport = Awaited<ReturnType<Local['pullModel']>>;

/** An embedding model of the AI SDK, by its shape. */
export type AiSdkEmbedding = Parameters<Remote['createAiSdkEmbedding']>[0];

/** Where the files are; undefined when they are nowhere. The workspace comes first: someone put them there on purpose. */
function installedAt(local: Local, name: string, { root, env }: EmbeddingPlace): string | undefined {
  const model = local.localModel(name);
  const { workspace, cache } = modelFolders(root, env, name);
  return [workspace, cache].find((folder) => local.isInstalled(model, folder));
}

async function openLocal(name: string, place: EmbeddingPlace): Promise<EmbeddingModel> {
  const local = await loadLocal();
  const folder = installedAt(local, name, place);
  if (folder !== undefined) return local.createOnnxEmbedding(local.localModel(name), folder);
  throw new KeepsakeError('NOT_FOUND', `The embedding model "${name}" is not on this machine.`, {
    hint: `Run "keepsake models pull ${name}", or go back to "static" with "keepsake models use static".`,
  });
}

async function openServer(choice: ServerChoice): Promise<EmbeddingModel> {
  if (choice.missingKey !== undefined) {
    throw new KeepsakeError('UNAUTHORIZED', `The embedding model "${choice.id}" needs a key.`, {
      hint: `Set the environment variable ${choice.missingKey}, or go back to "static" with "keepsake models use static".`,
    });
  }
  const { createOpenAiEmbedding } = await loadRemote();
  return createOpenAiEmbedding(choice);
}

/** Refuses to open a workspace whose search by meaning would be lost: in a bundle, the files of the model can be missing. */
export function checkEmbeddingFiles({ models, env }: Pick<EmbeddingPlace, 'models' | 'env'>): void {
  if (readChoice(models, env).kind === 'static') packageRoot();
}

/** The model that the configuration names; undefined for "none". */
export async function openEmbedding(place: EmbeddingPlace): Promise<EmbeddingModel | undefined> {
  const choice = readChoice(place.models, place.env);
  switch (choice.kind) {
    case 'none':
      return undefined;
    case 'static':
      return (await loadStatic()).createStaticModel();
    case 'local':
      return openLocal(choice.name, place);
    case 'server':
      return openServer(choice);
  }
}

/** The id that the vectors of the configured model have, without opening it; undefined for "none". */
export async function embeddingId(place: EmbeddingPlace): Promise<string | undefined> {
  const choice = readChoice(place.models, place.env);
  switch (choice.kind) {
    case 'none':
      return undefined;
    case 'static':
      return (await loadStatic()).createStaticModel().id;
    case 'local':
      return (await loadLocal()).localModel(choice.name).id;
    case 'server':
      return choice.id;
  }
}

/** The model that made vectors with this id; undefined when it is none of ours. */
export async function openStoredEmbedding(
  place: EmbeddingPlace,
  id: string,
): Promise<EmbeddingModel | undefined> {
  if (/^(?:openai|ollama)\//.test(id))
    return openEmbedding({ ...place, models: { ...place.models, embedding: id } });
  const { name } = (await loadLocal()).LOCAL_MODELS.find((model) => model.id === id) ?? {};
  if (name !== undefined) return openLocal(name, place);
  const standard = (await loadStatic()).createStaticModel();
  return standard.id === id ? standard : undefined;
}

/** A model that was passed in code: one of our own kind, or one of the AI SDK. */
export async function adoptEmbedding(given: EmbeddingModel | AiSdkEmbedding): Promise<EmbeddingModel> {
  if ('embed' in given && typeof given.embed === 'function') return given;
  const { createAiSdkEmbedding, isAiSdkEmbeddingModel } = await loadRemote();
  if (isAiSdkEmbeddingModel(given)) return createAiSdkEmbedding(given);
  throw new KeepsakeError('INVALID_INPUT', '`embedding` is not an embedding model.', {
    hint: 'Pass an embedding model of the AI SDK, such as openai.embedding("text-embedding-3-small").',
  });
}

async function staticEntry(): Promise<Omit<EmbeddingEntry, 'active'>> {
  const about = 'the default: English, no network, no warm-up';
  const { createStaticModel } = await loadStatic();
  const shared = { name: 'static', about, where: 'in the package', installed: true };
  try {
    return { ...shared, dimensions: createStaticModel().dimensions, ready: true };
  } catch (error) {
    const missing = error instanceof Error ? error.message : String(error);
    return { ...shared, dimensions: null, ready: false, missing };
  }
}

async function localEntries(place: EmbeddingPlace): Promise<Omit<EmbeddingEntry, 'active'>[]> {
  const local = await loadLocal();
  const hasRuntime = local.isRuntimeInstalled();
  return local.LOCAL_MODELS.map(({ name, about, dimensions }) => {
    const folder = installedAt(local, name, place);
    // Loading it takes a tenth of a second, so only for a model that could use it.
    const broken = hasRuntime && folder !== undefined ? local.runtimeProblem() : undefined;
    const steps = [
      ...(folder === undefined ? [`keepsake models pull ${name}`] : []),
      ...(hasRuntime ? [] : ['npm install onnxruntime-node']),
      ...(broken === undefined ? [] : [`npm install onnxruntime-node, again (${broken})`]),
    ];
    return {
      name,
      about,
      dimensions,
      where: folder ?? modelFolders(place.root, place.env, name).cache,
      installed: folder !== undefined,
      ready: steps.length === 0,
      ...(steps.length === 0 ? {} : { missing: steps.join(' and ') }),
    };
  });
}

function serverEntry(place: EmbeddingPlace, name: string, about: string): Omit<EmbeddingEntry, 'active'> {
  const choice = readChoice({ ...place.models, embedding: name }, place.env) as ServerChoice;
  const { missingKey, dimensions = null, baseUrl } = choice;
  return {
    name,
    about,
    dimensions,
    // An address may carry a password.
    where: baseUrl.replace(/\/\/[^@/]*@/, '//'),
    installed: true,
    ready: missingKey === undefined,
    ...(missingKey === undefined ? {} : { missing: `set $${missingKey}` }),
  };
}

/** Every model that has a name, and the one that is in use even if it has none of its own. */
export async function listEmbeddings(place: EmbeddingPlace): Promise<EmbeddingEntry[]> {
  const inUse = canonicalName(place.models.embedding);
  const openai = canonicalName('openai');
  const entries = [
    await staticEntry(),
    ...(await localEntries(place)),
    serverEntry(place, openai, 'all languages; sends texts to OpenAI'),
    {
      name: 'none',
      about: 'full-text search only',
      dimensions: null,
      where: '',
      installed: true,
      ready: true,
    },
  ];
  if (!entries.some(({ name }) => name === inUse)) {
    const { kind } = readChoice(place.models, place.env);
    if (kind === 'server') entries.push(serverEntry(place, inUse, 'as configured'));
  }
  return entries.map((entry) => ({ ...entry, active: entry.name === inUse }));
}

export interface PullEmbeddingOptions {
  readonly name: string;
  /** A folder, an archive or a file instead of the network. */
  readonly from?: string | undefined;
  /** Into the workspace instead of the cache of the user. */
  readonly here?: boolean;
  readonly onProgress?: (what: string, done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

function hostIn(value: string | undefined, standard: string): string {
  return (value?.trim() || standard).replace(/\/+$/, '');
}

/** Downloads a local model. Mirrors are found by the variables that Hugging Face and npm have for them. */
export async function pullEmbedding(
  { root, env }: Pick<EmbeddingPlace, 'root' | 'env'>,
  { name, here = false, ...options }: PullEmbeddingOptions,
): Promise<PullReport> {
  const { localModel, pullModel } = await loadLocal();
  const model = localModel(name);
  const folders = modelFolders(root, env, name);
  const lock = await openFileLock();
  return pullModel(model, {
    ...options,
    lock,
    folder: here ? folders.workspace : folders.cache,
    hosts: {
      huggingFace: hostIn(env.HF_ENDPOINT, 'https://huggingface.co'),
      npm: hostIn(env.npm_config_registry, 'https://registry.npmjs.org'),
    },
  }).finally(() => lock.close());
}
