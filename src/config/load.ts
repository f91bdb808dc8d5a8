/** Loads the configuration of a workspace: defaults, then the file, then the environment, then what the caller sets. */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { type Environment, environmentSettings, environmentWarnings, variableFor } from './environment.ts';
import { explainIssues, type Locate } from './explain.ts';
import { hasPath, isBlock, mergeSettings, type Settings } from './merge.ts';
import { configError, ProblemList } from './problems.ts';
import { readBlocks } from './read-blocks.ts';
import { type Config, type ConfigInput, configSchema } from './schema.ts';
import { readSource } from './source-file.ts';
import { MERGED_ONLY } from './storage.ts';

/** In order of preference; both may have comments and trailing commas. */
export const CONFIG_FILES = ['keepsake.jsonc', 'keepsake.json'] as const;

export interface LoadOptions {
  /** Root folder of the workspace. */
  readonly workspace: string;
  /** A file other than the one in the root of the workspace; it must exist. */
  readonly file?: string | undefined;
  readonly env?: Environment;
  /** Settings that win over everything else, e.g. from flags or from code. */
  readonly overrides?: ConfigInput;
}

export interface LoadedConfig {
  readonly config: Config;
  /** The file that was read; absent when the workspace has none. */
  readonly file?: string;
  readonly warnings: readonly string[];
}

interface Layer {
  readonly value: unknown;
  readonly locate: Locate;
  readonly problems: ProblemList;
}

/** The only place that looks at the process's environment; everything else is handed it. */
export function readEnvironment(): Environment {
  return { ...process.env };
}

/** Paths of the configuration files in a folder, best first. Anything of that name counts, so that loading can complain. */
export function configFilesIn(folder: string): string[] {
  return CONFIG_FILES.map((name) => join(folder, name)).filter((file) => {
    try {
      return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    } catch (cause) {
      throw new KeepsakeError(
        'PERMISSION',
        `The folder ${folder} cannot be searched for ${CONFIG_FILES[0]}.`,
        {
          hint: 'Change the permissions of the folder, or choose another workspace.',
          cause,
        },
      );
    }
  });
}

/** What is wrong with a layer by itself. */
function problemsOf({ value, locate, problems }: Layer): ProblemList {
  if (problems.total === 0 && readBlocks(value) !== undefined) return problems;
  // One parse per start: compiling a parser for it, as zod does by default, costs more than it saves.
  const result = configSchema.safeParse(value, { jitless: true });
  const issues = (result.error?.issues ?? []).filter(
    (issue) => issue.code !== 'custom' || issue.params?.merged !== MERGED_ONLY.merged,
  );
  const all = new ProblemList();
  all.addAll(problems);
  all.addAll(explainIssues(issues, value, locate));
  all.sortByPlace();
  return all;
}

/** Most workspaces have neither a file nor variables, and a check of nothing takes as long as any other. */
const saysAnything = ({ value, problems }: Layer): boolean =>
  !isBlock(value) || Object.keys(value).length > 0 || problems.total > 0;

const environmentPlace: Locate = (path) => {
  const variable = variableFor(path);
  return defined({ variable });
};

function merge(layers: readonly Layer[]): Config {
  // Each layer by itself first, so that a mistake in the file is not hidden by a variable that happens to cover it.
  const problems = new ProblemList();
  for (const layer of layers) if (saysAnything(layer)) problems.addAll(problemsOf(layer));
  if (problems.total > 0) throw configError(problems);
  const settings = mergeSettings(...layers.map((layer) => layer.value as Settings));
  const read = readBlocks(settings);
  if (read !== undefined) return read;
  const result = configSchema.safeParse(settings, { jitless: true });
  if (result.success) return result.data;
  const locate: Locate = (path, part) => {
    for (let length = path.length; length > 0; length--) {
      const owner = layers.findLast((layer) => hasPath(layer.value, path.slice(0, length)));
      if (owner !== undefined) return owner.locate(path, part);
    }
    return {};
  };
  throw configError(explainIssues(result.error.issues, settings, locate));
}

const inCode = (settings: ConfigInput): Layer => ({
  // Callers without types may hand over anything; what is not a block is left for the schema to refuse.
  value: isBlock(settings) ? mergeSettings(settings) : settings,
  locate: () => ({}),
  problems: new ProblemList(),
});

/** A complete configuration from settings in code alone. */
export function parseConfig(settings: ConfigInput = {}): Config {
  return merge([inCode(settings)]);
}

export function loadConfig({
  workspace,
  file,
  env = readEnvironment(),
  overrides = {},
}: LoadOptions): LoadedConfig {
  const [preferred, ignored] = configFilesIn(workspace);
  const first = file ?? preferred;
  const warnings = environmentWarnings(env);
  if (ignored !== undefined && first === preferred) {
    warnings.push(`${ignored} is ignored because ${preferred} exists too`);
  }
  const layers: Layer[] = [
    { value: environmentSettings(env), locate: environmentPlace, problems: new ProblemList() },
    inCode(overrides),
  ];
  if (first === undefined) return { config: merge(layers), warnings };
  return { config: merge([readSource(first), ...layers]), file: first, warnings };
}
