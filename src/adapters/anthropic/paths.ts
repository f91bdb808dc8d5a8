/** Validates paths of the memory tool, which are names in the database below `/memories`. */

export const ROOT = '/memories';

/** The path in its one spelling. Throws with the words of the tool's reference implementation. */
export function checkedPath(given: string): string {
  if (given !== ROOT && !given.startsWith(`${ROOT}/`)) {
    throw new Error(`Path must start with /memories, got: ${given}`);
  }
  const parts: string[] = [];
  for (const part of given.slice(ROOT.length).split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) throw new Error(`Path ${given} would escape /memories directory`);
  }
  return [ROOT, ...parts].join('/');
}

export const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** The folders around a path, without the root. */
export function foldersOf(path: string): string[] {
  const parts = path.slice(ROOT.length + 1).split('/');
  return parts.slice(0, -1).map((_, i) => [ROOT, ...parts.slice(0, i + 1)].join('/'));
}
