/** Changes one setting in the configuration file of a workspace; comments, order and layout of the file stay as they are. */
import { parse } from 'jsonc-parser';
import { ENVIRONMENT, openFileLock, parseConfig, readEnvironment } from '../config/index.ts';
import { DocumentFile } from '../documents/index.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { withValue } from './edit-jsonc.ts';
import { findTarget, type WorkspaceTarget } from './target.ts';

export interface SetConfigOptions extends WorkspaceTarget {
  /** As in `memory.maxEntries`. */
  readonly key: string;
  /** JSON, or a text without quotes. */
  readonly value: string;
}

export interface ConfigChange {
  readonly file: string;
  readonly key: string;
  readonly value: unknown;
  readonly changed: boolean;
  /** The environment variable that overrides the file. */
  readonly overriddenBy?: string;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Writes a configuration file: the change is made only if the result is valid. */
export async function writeSetting(
  file: string,
  root: string,
  path: readonly string[],
  value: unknown,
): Promise<boolean> {
  const lock = await openFileLock();
  try {
    const document = new DocumentFile({ path: file, root, lock });
    const { changed } = await document.update((text) => {
      const edited = withValue(text, path, value);
      parseConfig(parse(edited, [], { allowTrailingComma: true }) ?? {});
      return edited;
    });
    return changed;
  } finally {
    await lock.close();
  }
}

export async function configSet({ key, value: text, ...target }: SetConfigOptions): Promise<ConfigChange> {
  const { root, configFile } = findTarget(target);
  if (configFile === undefined) {
    throw new KeepsakeError('NOT_FOUND', `${root} has no configuration file to change.`, {
      hint: 'Create one with "keepsake init", or name another workspace with --workspace.',
    });
  }
  const path = key.split('.');
  if (path.includes('')) {
    throw new KeepsakeError('INVALID_INPUT', `${JSON.stringify(key)} is not the name of a setting.`, {
      hint: 'Write it as in models.main; "keepsake config --defaults" lists every setting.',
    });
  }
  const value = parsed(text);
  const changed = await writeSetting(configFile, root, path, value);
  const variable = ENVIRONMENT.find((each) => each.path.join('.') === key)?.name;
  const overriddenBy = variable !== undefined && readEnvironment()[variable]?.trim() ? variable : undefined;
  return { file: configFile, key, value, changed, ...defined({ overriddenBy }) };
}
