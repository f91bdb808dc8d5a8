/** Every agent that a workspace knows: it remembers or said something, has a file, a setting or a key, or works in a swarm. */
import { readdir } from 'node:fs/promises';
import { keysFile } from '../administration/keys.ts';
import { KeyFile, type KeyFileParts } from '../auth/index.ts';
import type { Config } from '../config/index.ts';
import type { Storage } from '../ports/storage.ts';
import type { workspacePaths } from '../workspace/index.ts';

export interface KnownAgentsParts extends Pick<KeyFileParts, 'lock' | 'clock'> {
  readonly storage: Pick<Storage, 'records' | 'log' | 'runs'>;
  readonly config: Pick<Config, 'name' | 'agents' | 'swarms'>;
  readonly paths: Pick<ReturnType<typeof workspacePaths>, 'root' | 'agentsFolder' | 'dataFolder'>;
  /** Those that programs of this process work with. */
  readonly opened: ReadonlySet<string>;
}

/** Enough for everybody who worked in a swarm lately. */
const RECENT_RUNS = 200;

export async function knownAgents(parts: KnownAgentsParts): Promise<readonly string[]> {
  const { storage, config, paths, opened, lock, clock } = parts;
  const keyFile = new KeyFile({ path: keysFile(paths), root: paths.root, lock, clock });
  const [remembering, speaking, runs, files, keys] = await Promise.all([
    storage.records.agents(),
    storage.log.threads(),
    // Redis may be unavailable; whoever is known otherwise is still known.
    storage.runs.list({ limit: RECENT_RUNS }).catch(() => []),
    readdir(paths.agentsFolder).catch(() => []),
    keyFile.list().catch(() => []),
  ]);
  return [
    ...new Set([
      ...opened,
      ...[config.name, ...Object.keys(config.agents)],
      ...Object.values(config.swarms).flatMap(({ agents, lead }) => [...agents, lead]),
      ...remembering.map(({ name }) => name),
      ...speaking.map(({ agent }) => agent),
      ...runs.flatMap(({ participants }) => participants.map(({ name }) => name)),
      ...files.map((file) => file.replace(/(\.memory)?\.md$/i, '')),
      ...keys.flatMap(({ agent }) => agent ?? []),
    ]),
  ].sort();
}
