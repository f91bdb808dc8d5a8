/** Finds the files of a folder to index: no links, hidden files or files that git ignores. */
import { lstat, readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { type IgnoreRules, parseIgnoreRules } from './ignore-rules.ts';

export interface Skipped {
  readonly path: string;
  readonly reason: string;
}

export interface Walked {
  /** Absolute, in the order of their names. */
  readonly files: readonly string[];
  /** Links and folders that could not be read. Hidden and ignored ones are not worth a word. */
  readonly skipped: readonly Skipped[];
  /** Folders about whose files nothing is known. */
  readonly unknown: readonly string[];
}

interface FolderRules {
  readonly folder: string;
  readonly rules: IgnoreRules;
}

const NEVER = new Set(['node_modules', '__pycache__']);
const MAX_DEPTH = 100;

/** What is explicitly asked for is walked, even if git ignores it. */
export async function walk(root: string, signal?: AbortSignal): Promise<Walked> {
  const files: string[] = [];
  const skipped: Skipped[] = [];
  const unknown: string[] = [];
  const visit = async (folder: string, above: readonly FolderRules[], depth: number): Promise<void> => {
    signal?.throwIfAborted();
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      // A folder that went away while we walked has no files, as opposed to one that we may not see.
      if (error.code !== 'ENOENT') {
        skipped.push({ path: folder, reason: `The folder cannot be read (${error.code}).` });
        unknown.push(folder);
      }
      return [];
    });
    const own = await rulesOf(folder);
    const rules = own === undefined ? above : [...above, { folder, rules: own }];
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.') || NEVER.has(entry.name) || isIgnored(path, entry.isDirectory(), rules))
        continue;
      if (entry.isSymbolicLink())
        skipped.push({ path, reason: 'It is a symbolic link; links are not followed.' });
      else if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && depth < MAX_DEPTH) await visit(path, rules, depth + 1);
    }
  };
  await visit(root, await rulesAbove(root), 0);
  return { files, skipped, unknown };
}

function isIgnored(path: string, isFolder: boolean, rules: readonly FolderRules[]): boolean {
  for (const { folder, rules: own } of rules.toReversed()) {
    const verdict = own.verdict(relative(folder, path).split(sep), isFolder);
    if (verdict !== undefined) return verdict === 'ignored';
  }
  return false;
}

/** Those of the repository that the folder is in, from its top down to the parent. */
async function rulesAbove(root: string): Promise<FolderRules[]> {
  const parents: string[] = [];
  for (let folder = root; ; folder = dirname(folder)) {
    if (folder !== root) parents.unshift(folder);
    if (await exists(join(folder, '.git'))) break;
    // No repository, so the files above mean others.
    if (folder === dirname(folder)) return [];
  }
  const all = await Promise.all(parents.map(async (folder) => ({ folder, rules: await rulesOf(folder) })));
  return all.flatMap(({ folder, rules }) => (rules === undefined ? [] : [{ folder, rules }]));
}

async function rulesOf(folder: string): Promise<IgnoreRules | undefined> {
  const path = join(folder, '.gitignore');
  const facts = await lstat(path).catch(() => undefined);
  // A link or a monster is not a list of patterns.
  if (facts === undefined || !facts.isFile() || facts.size > 1024 * 1024) return undefined;
  return parseIgnoreRules(await readFile(path, 'utf8').catch(() => ''));
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
