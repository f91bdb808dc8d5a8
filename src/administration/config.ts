/** The effective settings of a workspace, each with its source. */

import { readFileSync } from 'node:fs';
import { parse } from 'jsonc-parser';
import { ENVIRONMENT, parseConfig, readEnvironment, STORES } from '../config/index.ts';
import { withoutPassword } from '../kernel/addresses.ts';
import { defined } from '../kernel/defined.ts';
import { findTarget, locate, type WorkspaceTarget } from './target.ts';

export interface Setting {
  /** As in `memory.maxEntries`. */
  readonly key: string;
  readonly value: unknown;
  readonly origin: 'default' | 'file' | 'environment';
  /** The environment variable, when it was one. */
  readonly variable?: string;
}

export interface EffectiveConfig {
  readonly workspace: string;
  readonly file?: string;
  readonly settings: readonly Setting[];
  readonly warnings: readonly string[];
}

type Path = readonly string[];

function leavesOf(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, child]) => leavesOf(child, [...path, key]));
}

function holds(tree: unknown, path: Path): boolean {
  let node = tree;
  for (const key of path) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return false;
    node = (node as Record<string, unknown>)[key];
  }
  return true;
}

/** A store that is not mentioned follows the engine as a whole. */
function placesOf(path: Path): Path[] {
  const [block, store, key] = path;
  const follows = block === 'storage' && key !== undefined && (STORES as Path).includes(store!);
  return follows ? [path, ['storage', key]] : [path];
}

/** A key, or a password in an address, is for the server only. */
function masked(value: unknown, path: Path): unknown {
  if (path.at(-1) === 'apiKey') return '***';
  return typeof value === 'string' ? withoutPassword(value, '***') : value;
}

/** Every key with its default, whatever the file and the environment say, or however broken they are. */
export function defaultConfig(target: WorkspaceTarget): EffectiveConfig {
  const settings = leavesOf(parseConfig()).map(
    ({ path, value }): Setting => ({ key: path.join('.'), value, origin: 'default' }),
  );
  return { workspace: findTarget(target).root, settings, warnings: [] };
}

export function workspaceConfig(target: WorkspaceTarget): EffectiveConfig {
  const { root, config, configFile, warnings } = locate(target);
  const env = readEnvironment();
  // It was read and found valid a moment ago; here only its keys matter.
  const written: unknown =
    configFile === undefined ? {} : parse(readFileSync(configFile, 'utf8').replace(/^\ufeff/, ''));
  const { $schema: _, ...meaningful } = config;
  const settings = leavesOf(meaningful).map(({ path, value }): Setting => {
    const shown = { key: path.join('.'), value: masked(value, path) };
    for (const place of placesOf(path)) {
      const variable = ENVIRONMENT.find((each) => each.path.join('.') === place.join('.'))?.name;
      if (variable !== undefined && env[variable]?.trim())
        return { ...shown, origin: 'environment', variable };
      if (holds(written, place)) return { ...shown, origin: 'file' };
    }
    return { ...shown, origin: 'default' };
  });
  return { workspace: root, settings, warnings, ...defined({ file: configFile }) };
}
