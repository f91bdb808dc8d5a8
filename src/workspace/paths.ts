/** Where everything in a workspace lives: the one place that turns agent names into paths. */
import { createHash } from 'node:crypto';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CONFIG_FILES, type Config, DEFAULT_DATABASE } from '../config/index.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { checkAgentName } from '../kernel/names.ts';

/** Files about users, in the folder of an agent. */
export const USER_FOLDER = 'users';
export const USER_SECTIONS = '.memory.md';

export const userHash = (user: string): string =>
  createHash('sha256').update(`user ${user}`, 'utf8').digest('hex').slice(0, 32);

export interface WorkspacePaths {
  readonly root: string;
  readonly configFile: string;
  readonly agentsFolder: string;
  readonly dataFolder: string;
  /** The SQLite file; outside of the workspace only when the configuration gives an absolute path. */
  readonly database: string;
  /** Definition of an agent: frontmatter and prompt. */
  agentFile(agent: string): string;
  /** Curated sections of an agent, or of an agent and a user: an id is not a name of a file, so a hash of it stands there. */
  sectionsFile(agent: string, user?: string): string;
  agentFolder(agent: string): string;
  /** Interaction log of an agent. */
  memoryFile(agent: string): string;
  archiveFolder(agent: string): string;
  /** Where conversations are exported to when no path is given. */
  exportFolder(agent: string): string;
  notesFolder(agent: string): string;
  soulFile(agent: string): string;
}

/**
 * Joins and makes sure that the result lies below the root. Only the text of the path is compared: symbolic links are
 * the business of whoever opens the file, at the moment of opening.
 */
export function pathInside(root: string, ...parts: readonly string[]): string {
  const path = join(root, ...parts);
  const way = relative(root, path);
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw new KeepsakeError('FORBIDDEN', `${path} is not inside the workspace ${root}.`, {
      hint: 'Use a path below the root of the workspace.',
      details: { path, root },
    });
  }
  return path;
}

export function workspacePaths(root: string, config?: Pick<Config, 'storage'>): WorkspacePaths {
  const base = resolve(root);
  const file = config?.storage.sqlite.file ?? DEFAULT_DATABASE;
  const ofAgent = (...parts: string[]) => {
    return (agent: string) => pathInside(base, 'agents', checkAgentName(agent), ...parts);
  };
  const besideAgents = (extension: string) => {
    return (agent: string) => pathInside(base, 'agents', `${checkAgentName(agent)}${extension}`);
  };
  return {
    root: base,
    configFile: pathInside(base, CONFIG_FILES[0]),
    agentsFolder: pathInside(base, 'agents'),
    dataFolder: pathInside(base, 'data'),
    database: isAbsolute(file) ? resolve(file) : pathInside(base, file),
    agentFile: besideAgents('.md'),
    sectionsFile: (agent, user) =>
      user === undefined
        ? besideAgents('.memory.md')(agent)
        : ofAgent(USER_FOLDER, `${userHash(user)}${USER_SECTIONS}`)(agent),
    agentFolder: ofAgent(),
    memoryFile: ofAgent('MEMORY.md'),
    archiveFolder: ofAgent('archive'),
    exportFolder: ofAgent('exports'),
    notesFolder: ofAgent('notes'),
    soulFile: ofAgent('SOUL.md'),
  };
}
