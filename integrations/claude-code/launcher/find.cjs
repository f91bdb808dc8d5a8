// Finds an installed Keepsake by looking at files only: it starts no program and never asks the network.
'use strict';
const { existsSync, readdirSync, readFileSync, realpathSync, statSync } = require('node:fs');
const { homedir } = require('node:os');
const { delimiter, dirname, join, resolve } = require('node:path');

/** @typedef {{ script: string, version: string, from: 'install' | 'project' | 'global' | 'cache', node?: string }} Found */

/** @param {string} file @returns {any} */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The package in this folder, if it is Keepsake and built; another package may have the same name. @param {string} folder */
function packageAt(folder) {
  const manifest = readJson(join(folder, 'package.json'));
  const script = join(folder, 'bin', 'keepsake.js');
  const isKeepsake = manifest?.name === 'keepsake' && manifest.exports?.['./schema.json'] !== undefined;
  if (!isKeepsake || !existsSync(script) || !existsSync(join(folder, 'dist', 'bundle', 'main.cjs')))
    return undefined;
  return { script, version: String(manifest.version) };
}

/** Where "keepsake mcp install" writes which program it is. @param {NodeJS.ProcessEnv} env */
function settingsFolder(env) {
  const home = homedir();
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'keepsake');
  if (process.platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'keepsake');
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'keepsake');
}

/** @param {NodeJS.ProcessEnv} env @returns {Found | undefined} */
function installed(env) {
  const { script, node } = readJson(join(settingsFolder(env), 'program.json')) ?? {};
  if (typeof script !== 'string') return undefined;
  const found = packageAt(dirname(dirname(script)));
  return found && { ...found, from: 'install', ...(typeof node === 'string' ? { node } : {}) };
}

/** @param {string} start @returns {string[]} */
function projectFolders(start) {
  const folders = [];
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    folders.push(join(folder, 'node_modules', 'keepsake'));
    if (folder === dirname(folder)) return folders;
  }
}

/** What is on the PATH, and where npm installs for everybody. @param {NodeJS.ProcessEnv} env @returns {string[]} */
function globalFolders(env) {
  const modules = process.platform === 'win32' ? 'node_modules' : join('lib', 'node_modules');
  const prefixes = [
    env.NPM_CONFIG_PREFIX || env.npm_config_prefix,
    /^\s*prefix\s*=\s*"?([^"\n]+?)"?\s*$/m
      .exec(text(join(homedir(), '.npmrc')))?.[1]
      ?.replace(/^~(?=[\\/])|^\$\{HOME\}/, homedir()),
    process.platform === 'win32' ? dirname(process.execPath) : dirname(dirname(process.execPath)),
    ...(process.platform === 'win32'
      ? [join(env.APPDATA || '', 'npm')]
      : ['/usr/local', '/usr', '/opt/homebrew', join(homedir(), '.npm-global')]),
  ];
  const onPath = (env.PATH || env.Path || '').split(delimiter).flatMap((folder) => {
    if (folder === '' || folder.endsWith(join('node_modules', '.bin'))) return [];
    try {
      return [
        dirname(dirname(realpathSync(join(folder, 'keepsake')))),
        join(folder, 'node_modules', 'keepsake'),
      ];
    } catch {
      return [];
    }
  });
  return [...onPath, ...prefixes.flatMap((prefix) => (prefix ? [join(prefix, modules, 'keepsake')] : []))];
}

/** @param {string} file */
function text(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** What npx fetched earlier, the last first. @param {NodeJS.ProcessEnv} env @returns {string[]} */
function cachedFolders(env) {
  const usual =
    process.platform === 'win32' ? join(env.LOCALAPPDATA || '', 'npm-cache') : join(homedir(), '.npm');
  const cache = join(env.npm_config_cache || env.NPM_CONFIG_CACHE || usual, '_npx');
  try {
    return readdirSync(cache)
      .map((name) => join(cache, name, 'node_modules', 'keepsake'))
      .flatMap((folder) => (existsSync(folder) ? [{ folder, at: statSync(folder).mtimeMs }] : []))
      .sort((a, b) => b.at - a.at)
      .map(({ folder }) => folder);
  } catch {
    return [];
  }
}

/** @param {NodeJS.ProcessEnv} env @param {string} cwd @returns {Found | undefined} */
function findKeepsake(env, cwd) {
  const explicit = installed(env);
  if (explicit !== undefined) return explicit;
  const places = /** @type {const} */ ([
    ['project', () => projectFolders(env.CLAUDE_PROJECT_DIR || cwd)],
    ['global', () => globalFolders(env)],
    ['cache', () => cachedFolders(env)],
  ]);
  for (const [from, folders] of places) {
    for (const folder of folders()) {
      const found = packageAt(folder);
      if (found !== undefined) return { ...found, from };
    }
  }
  return undefined;
}

module.exports = { findKeepsake };
