// Puts a program that starts often into few files: a cold start spends its time on finding files, not on running them.
import { rolldown } from 'rolldown';

/** Small packages that are nearly always needed. All others stay outside: native, optional, or large. */
export const WITHIN = ['zod', 'commander', 'jsonc-parser', 'yaml', 'tokenx', 'croner'];

/** A part has the files it names and all that they import, as far as none above it has that: one file instead of dozens. */
const DRIVERS = [
  { name: 'sqlite', test: /drivers[\\/]sqlite[\\/]index\.js$/, priority: 2 },
  { name: 'static', test: /models[\\/]static[\\/]index\.js$/, priority: 1 },
];
const COMMAND_LINE_PARTS = [
  { name: 'start', tags: /** @type {'$initial'[]} */ (['$initial']), priority: 4 },
  {
    name: 'engine',
    test: /(?:client|hooks)[\\/]index\.js$|cli[\\/](?:project|show[\\/]memory|commands[\\/]hook)\.js$/,
    priority: 3,
  },
  ...DRIVERS,
];
const LIBRARY_PARTS = [
  { name: 'kernel', test: /[\\/](?:kernel|ports|rules|drivers[\\/]common)[\\/][^\\/]+\.js$/, priority: 4 },
  { name: 'engine', test: /client[\\/]create-client\.js$/, priority: 3 },
  ...DRIVERS,
];

/** Modules of Node that it loads in several milliseconds, and that many commands do not use. */
const SLOW_BUILTINS = [
  ...['async_hooks', 'child_process', 'crypto', 'fs/promises', 'net', 'os', 'readline/promises'],
  ...['timers/promises', 'worker_threads', 'zlib'],
];

/** Loads a slow module of Node when one of its functions is used, where code of a part would load it at the start. */
const lazyBuiltins = {
  name: 'lazy-builtins',
  /** @param {string} code */
  renderChunk: (code) =>
    code.replace(
      /^let (\w+) = require\("node:([\w/]+)"\);(?:\n\1 = [\w.]+\.__toESM\(\1, 1\);)?$/gm,
      (statement, variable, name) => {
        if (!SLOW_BUILTINS.includes(name)) return statement;
        const uses = [...code.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, 'g'))];
        const used = [...new Set(uses.map(([, key]) => key))];
        const getters = used.map(
          (key) => `get ${key}() { return ${key === 'default' ? 'load()' : `load().${key}`}; }`,
        );
        return `const ${variable} = ((load) => ({ ${getters.join(', ')} }))(() => require("node:${name}"));`;
      },
    ),
};

/** CommonJS, because Node finds, links and starts it in half the time; docs/design/0012 has the figures. */
export const COMMAND_LINE = {
  format: /** @type {const} */ ('cjs'),
  extension: 'cjs',
  parts: COMMAND_LINE_PARTS,
  plugins: [lazyBuiltins],
};
/**
 * The runtime of rolldown makes a `require` of `import.meta.url`, which is undefined once somebody has bundled the library into
 * CommonJS. The packages within require modules of Node only, which need no file to start from.
 */
const requireOfBuiltins = {
  name: 'require-of-builtins',
  /** @param {string} code */
  renderChunk: (code) =>
    code.replace('(() => createRequire(import.meta.url))()', '(name) => process.getBuiltinModule(name)'),
};

/** What programs import; docs/design/0020. */
export const LIBRARY = {
  format: /** @type {const} */ ('esm'),
  extension: 'js',
  parts: LIBRARY_PARTS,
  plugins: [requireOfBuiltins],
};
/** Programs of tests wait at their top level, which CommonJS cannot. */
export const PROGRAM = { format: /** @type {const} */ ('esm'), extension: 'js', parts: [] };

/**
 * @param {{ root: string, programs: Record<string, string>, to: string, as: typeof COMMAND_LINE | typeof LIBRARY | typeof PROGRAM }} options
 * programs: entry files by name
 */
export async function bundle({ root, programs, to, as }) {
  const { format, extension, parts } = as;
  const build = await rolldown({
    input: programs,
    platform: 'node',
    plugins: 'plugins' in as ? as.plugins : [],
    cwd: root,
    // The other form of jsonc-parser looks for its own files at run time.
    resolve: { mainFields: ['module', 'main'] },
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !WITHIN.includes(id),
    // It refuses an old Node, and package.json knows it by the name of a part.
    treeshake: { moduleSideEffects: [{ test: /kernel[\\/]node-version\.[jt]s$/, sideEffects: true }] },
    onLog: (level, log) => {
      // A part holds what one command needs at once and another one later.
      const isMeant = log.code === 'INEFFECTIVE_DYNAMIC_IMPORT' && parts.length > 0;
      if (level === 'warn' && !isMeant) throw new Error(log.message);
    },
  });
  await build.write({
    dir: to,
    format,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name]-[hash].${extension}`,
    // Licences only: Node reads and compares every byte before it takes what it compiled before.
    comments: { legal: true, annotation: false, jsdoc: false },
    ...(parts.length > 0 ? { codeSplitting: { groups: parts } } : {}),
  });
  await build.close();
}
