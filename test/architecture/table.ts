/** Which folder of src may import which, and the few exceptions; ARCHITECTURE.md shows the same table. */

/** Folders that hold one layer of memory each; they meet through their `index.ts` only. */
export const LAYERS = [
  'documents',
  'config',
  'workspace',
  'leases',
  'records',
  'knowledge',
  'conversation',
  'sections',
  'working',
  'context',
  'learning',
  'guard',
  'agents',
  'auth',
  'transfer',
] as const;

const below = ['kernel', 'ports'];
const belowSurfaces = [...below, ...LAYERS];

/**
 * The folder of this name inside a layer holds its decisions: pure functions, which drivers may import too. It counts as a
 * folder of its own, the same for all layers, and has no front door.
 */
export const RULES = 'rules';

/** Folder → folders it may import besides itself. A file directly in src is a folder of its own. */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  ports: ['kernel'],
  rules: below,
  drivers: [...below, RULES],
  models: below,
  ...Object.fromEntries(
    LAYERS.map((layer) => [layer, [...belowSurfaces.filter((folder) => folder !== layer), RULES]]),
  ),
  operations: belowSurfaces,
  client: [...belowSurfaces, 'operations'],
  surfaces: ['kernel', 'operations', 'client'],
  adapters: ['kernel', 'operations', 'client'],
  testing: below,
  'index.ts': [...belowSurfaces, 'operations', 'client'],
};

/** Folder → folders of which it may import types only. */
export const TYPES_ONLY: Readonly<Record<string, readonly string[]>> = { testing: LAYERS };

/** Folders in which every subfolder is on its own: one driver never leans on another. */
export const SEPARATE_CHILDREN = ['drivers', 'models'];

/** What the subfolders of such a folder may share; it leans on none of them. */
export const SHARED_CHILDREN = ['drivers/common'];

/** npm packages that a folder is limited to; the other folders may use any declared dependency. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  kernel: ['tokenx', 'zod'],
  ports: [],
  rules: [],
};

/** Packages that only one folder may import, so that nobody else depends on them by accident. */
export const PACKAGE_HOMES: Readonly<Record<string, string>> = {
  'better-sqlite3': 'drivers/sqlite',
  commander: 'surfaces/cli',
  hono: 'surfaces/http',
  '@hono/node-server': 'surfaces/http',
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
  },
};
