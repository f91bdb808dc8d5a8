/** Which folder of src may import which, and the few exceptions; ARCHITECTURE.md shows the same table. */

/**
 * Folders that hold one layer of memory each, in their order: a layer imports only layers before it, so there are no cycles.
 * They meet through their `index.ts` only. ARCHITECTURE.md lists them in the same order; a new layer is a line in both.
 */
export const LAYERS = [
  'documents',
  'config',
  'workspace',
  'leases',
  'guard',
  'auth',
  'conversation',
  'sections',
  'records',
  'items',
  'knowledge',
  'working',
  'context',
  'learning',
  'transfer',
  'agents',
] as const;

const below = ['kernel', 'ports', 'runtime'];
const belowSurfaces = [...below, ...LAYERS];

/** Folder → folders it may import besides itself. A file directly in src is a folder of its own. */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  ports: ['kernel'],
  runtime: ['kernel'],
  drivers: below,
  models: below,
  ...Object.fromEntries(LAYERS.map((layer, place) => [layer, [...below, ...LAYERS.slice(0, place)]])),
  'verbs.ts': ['kernel', ...LAYERS],
  administration: belowSurfaces,
  client: [...belowSurfaces, 'verbs.ts', 'administration'],
  surfaces: ['kernel', 'runtime', 'verbs.ts', 'administration', 'client'],
  adapters: ['kernel', 'runtime', 'verbs.ts', 'client'],
  testing: ['kernel', 'ports'],
  'index.ts': [...belowSurfaces, 'administration', 'client'],
};

/** Folder → folders of which it may import types only. */
export const TYPES_ONLY: Readonly<Record<string, readonly string[]>> = { testing: LAYERS };

/** Runs in a browser: of the folders below and of the inspector it may import types only, and nobody may import it. */
export const BROWSER = {
  folder: 'surfaces/inspector/page',
  types: [...belowSurfaces, 'surfaces/inspector'] as readonly string[],
};

/** Folders in which every subfolder is on its own: one driver never leans on another, nor does an adapter. */
export const SEPARATE_CHILDREN = ['drivers', 'models', 'adapters'];

/** What the subfolders of such a folder may share; it leans on none of them. */
export const SHARED_CHILDREN = [
  'drivers/common',
  'drivers/search-kernels',
  'drivers/resident-search',
  'adapters/common',
];

/** Subfolders that can be read and tested alone: subfolder → folders it may import besides itself. */
export const SELF_CONTAINED: Readonly<Record<string, readonly string[]>> = {
  'drivers/search-kernels': ['kernel'],
};

/**
 * The folder of a layer that holds its pure decisions: it imports `kernel`, `ports` and itself, nothing of Node and no package.
 * Drivers, which see no other part of a layer, import it to decide as every other driver does.
 */
export const RULES = 'rules';
export const RULES_MAY_IMPORT = ['kernel', 'ports'];
export const RULES_READERS = ['drivers'];

/** The file of a layer that defines its verbs; the list of all verbs imports these, and not whole layers. */
export const VERBS = 'verbs.ts';

/** npm packages that a folder is limited to; the other folders may use any declared dependency. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = { kernel: ['tokenx', 'zod'], ports: [] };

/** Packages that only one folder may import, so that nobody else depends on them by accident. */
export const PACKAGE_HOMES: Readonly<Record<string, string>> = {
  'better-sqlite3': 'drivers/sqlite',
  commander: 'surfaces/cli',
  hono: 'surfaces/http',
  '@hono/node-server': 'surfaces/http',
  // A framework is typed and loaded in its own adapter only, so that nobody needs a framework he does not use.
  ai: 'adapters/ai-sdk',
  '@mastra/core': 'adapters/mastra',
  '@langchain/core': 'adapters/langgraph',
  '@langchain/langgraph-checkpoint': 'adapters/langgraph',
  '@openai/agents-core': 'adapters/openai-agents',
  '@anthropic-ai/sdk': 'adapters/anthropic',
};

export const MAX_LINES = 350;

export type Exceptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Rule → files to which it does not apply, each with its reason. */
export const EXCEPTIONS: Exceptions = {
  drivers: {
    'testing/scripted-model/scripted-model.ts':
      'hands out the same models as are used in earnest, pointed at a server for tests',
  },
  environment: { 'config/load.ts': 'the one place that reads the environment' },
  'time-and-chance': {
    'kernel/clock.ts': 'the system clock itself',
    'drivers/sqlite/file-lock.ts':
      'draws the pauses between tries by lot, which changes when a lock is got, never what is done',
    'models/language/retrying.ts':
      'draws the pauses between tries by lot, which changes when a call is made, never what is asked',
    'surfaces/inspector/page/dom/format.ts': 'the clock of the browser, for all views',
  },
};
