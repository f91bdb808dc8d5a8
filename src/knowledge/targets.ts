/** Resolves what to index: a folder, a pattern, a file or a web page, and which of its files no longer exist. */
import { stat } from 'node:fs/promises';
import type { Caller } from '../kernel/caller.ts';
import type { Scope } from '../kernel/scope.ts';
import { isWebAddress } from './chunk-metadata.ts';
import type { IndexTarget } from './file-indexer.ts';
import { isGlob, matchesGlob } from './files/ignore-rules.ts';
import { type Skipped, type Walked, walk } from './files/walk.ts';
import { checkAborted, type IndexJob } from './folder-indexer.ts';
import type { KnownFile } from './known-files.ts';
import { isBelow, type Places } from './places.ts';
import { webAddress } from './web/web-address.ts';

export interface Indexing {
  readonly agent: string;
  /** A path, a pattern or a web address. */
  readonly file: string;
  readonly root: string;
  readonly scope?: Scope | undefined;
}

const SOURCE = 'knowledge';

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** A file may be called "[id].tsx". */
export const isPattern = async (path: string): Promise<boolean> => isGlob(path) && !(await exists(path));

/** The real path of what a caller names, the pattern with a real folder, or the web address. */
export async function whereIs(path: string, places: Places, caller: Caller): Promise<string> {
  if (isWebAddress(path)) return webAddress(path);
  if (!isGlob(path)) return places.find(path, caller);
  return places.find(path, caller).catch((error: unknown) => {
    if ((error as { code?: string }).code !== 'NOT_FOUND') throw error;
    return places.findPattern(path, caller);
  });
}

export async function jobFor(
  what: Indexing,
  known: readonly KnownFile[],
  places: Places,
  signal: AbortSignal | undefined,
): Promise<IndexJob & { readonly folder: string | undefined }> {
  const byPath = new Map(known.map((file) => [file.path, file]));
  const targetOf = (file: string, path: string): IndexTarget => ({
    ...{ agent: what.agent, file, path, root: what.root, source: SOURCE, category: SOURCE },
    scope: what.scope ?? byPath.get(path)?.scope ?? 'agent',
    ...(isWebAddress(path) ? { origin: 'web' as const } : {}),
  });
  if (isWebAddress(what.file))
    return { targets: [targetOf(what.file, what.file)], known, gone: [], skipped: [], folder: undefined };
  const { walked, covers, folder } = await filesOf(what.file, signal);
  const targets: IndexTarget[] = [];
  const skipped: Skipped[] = [];
  for (const { path, reason } of walked.skipped) skipped.push({ path: await places.nameOf(path), reason });
  for (const file of walked.files) {
    const path = await places.nameOf(file);
    const reason = await places.refusal(file);
    if (reason !== undefined) skipped.push({ path, reason });
    else targets.push(targetOf(file, path));
  }
  const present = new Set(targets.map(({ path }) => path));
  const gone: KnownFile[] = [];
  for (const file of known) {
    if (isWebAddress(file.path)) continue;
    const path = await places.pathOf(file.path);
    const isSure = covers(path) && !walked.unknown.some((folder) => isBelow(path, folder));
    if (isSure && !present.has(file.path)) gone.push(file);
  }
  return { targets, known, gone, skipped, folder };
}

/** `covers`: whether a file would be among them if it existed. `folder`: what was walked. */
async function filesOf(
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ walked: Walked; covers: (file: string) => boolean; folder: string | undefined }> {
  const walking = (folder: string): Promise<Walked> =>
    walk(folder, signal).catch((error: unknown) => {
      checkAborted(signal);
      throw error;
    });
  if (await isPattern(path)) {
    const segments = path.split('/');
    const folder = segments.slice(0, segments.findIndex(isGlob)).join('/') || '/';
    const { files, skipped, unknown } = await walking(folder);
    const covers = (file: string): boolean => matchesGlob(path, file);
    return {
      walked: { files: files.filter(covers), skipped: skipped.filter((each) => covers(each.path)), unknown },
      ...{ covers, folder },
    };
  }
  const isFolder = await stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  const walked = isFolder ? await walking(path) : { files: [path], skipped: [], unknown: [] };
  return { walked, covers: (file) => isBelow(file, path), folder: isFolder ? path : undefined };
}
