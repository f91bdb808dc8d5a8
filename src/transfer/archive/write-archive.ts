/** Writes an archive as a compressed stream of JSON lines, with constant memory use. */

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { checkAgentName } from '../../kernel/names.ts';
import { threadsOf } from '../../kernel/threads.ts';
import { checkUserId } from '../../kernel/users.ts';
import { validate } from '../../kernel/validate.ts';
import { z } from '../../kernel/zod.ts';
import type { Storage } from '../../ports/storage.ts';
import type { WorkspacePaths } from '../../workspace/index.ts';
import { archivedThreads, boundaries } from '../boundaries.ts';
import { sectionsAbout } from '../erase/files.ts';
import { itemPages } from '../items.ts';
import { putInPlace } from '../put-in-place.ts';
import { type ArchiveLine, type Counts, FORMAT, VERSION } from './lines.ts';
import { workspaceFiles } from './workspace-files.ts';

export interface ArchiveSource {
  readonly storage: Storage;
  readonly paths: WorkspacePaths;
  readonly clock: Clock;
}

export interface ExportOptions {
  /** Only what belongs to this agent. */
  readonly agent?: string | undefined;
  /** Only what is about this user, with every agent, or with the one that is named too; no files. */
  readonly user?: string | undefined;
  /** Replaces a file that is there. */
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
}

export interface ExportReport extends Counts {
  readonly file: string;
  readonly bytes: number;
}

const exportOptions = z.strictObject({
  agent: z.string().optional(),
  user: z.string().optional(),
  force: z.boolean().optional(),
  signal: z.instanceof(AbortSignal).optional(),
  onProgress: z
    .custom<NonNullable<ExportOptions['onProgress']>>((value) => typeof value === 'function')
    .optional(),
});

const PAGE = 500;

export function requireCopies({ copies }: Storage): NonNullable<Storage['copies']> {
  if (copies !== undefined) return copies;
  throw new KeepsakeError('UNSUPPORTED', 'The engine of this workspace cannot be archived yet.', {
    hint: 'Use the backup of the database itself.',
  });
}

type Whose = Pick<ExportOptions, 'agent' | 'user'>;

async function* records({ storage }: ArchiveSource, { agent, user }: Whose): AsyncGenerator<ArchiveLine> {
  const copies = requireCopies(storage);
  for (let after: string | undefined; ; ) {
    const page = await copies.read({ agent, after, limit: PAGE });
    for (const copy of page) {
      if (user !== undefined && copy.user !== user) continue;
      yield {
        kind: 'record',
        ...copy,
        tags: [...copy.tags],
        earlier: copy.earlier.map((version) => ({ ...version, tags: [...version.tags] })),
      };
    }
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

const threadsFor = ({ agent, user }: Whose) =>
  defined({ agent, prefix: user === undefined ? undefined : threadsOf(user) });

async function* messages({ storage }: ArchiveSource, of: Whose): AsyncGenerator<ArchiveLine> {
  const whose = threadsFor(of);
  for (let after = 0; ; ) {
    const page = await storage.log.read({ ...whose, after, includeDeleted: true, limit: PAGE });
    for (const { seq: _, ...message } of page) yield { kind: 'message', ...message };
    if (page.length < PAGE) break;
    after = page.at(-1)!.seq;
  }
  for await (const boundary of boundaries(storage.log, whose)) yield { kind: 'boundary', ...boundary };
  for await (const thread of archivedThreads(storage.log, whose)) yield { kind: 'archived', ...thread };
}

async function* items({ storage }: ArchiveSource, { agent, user }: Whose): AsyncGenerator<ArchiveLine> {
  for await (const page of itemPages(storage, agent)) {
    for (const { seq: _, ...item } of page) {
      if (user !== undefined && item.user !== user) continue;
      yield { kind: 'item', ...item, namespace: [...item.namespace], texts: [...item.texts] };
    }
  }
}

async function* files({ paths }: ArchiveSource, { agent, user }: Whose): AsyncGenerator<ArchiveLine> {
  const only = user === undefined ? undefined : new Set(await sectionsAbout(user, paths));
  for await (const { path, offset, size, bytes } of workspaceFiles(paths, agent, only)) {
    yield { kind: 'file', path, offset, size, base64: bytes.toString('base64') };
  }
}

async function* lines(source: ArchiveSource, options: ExportOptions, counts: Counts): AsyncGenerator<string> {
  const { agent, signal, onProgress } = options;
  const hash = createHash('sha256');
  const line = (value: ArchiveLine): string => `${JSON.stringify(value)}\n`;
  const sealed = (value: ArchiveLine): string => {
    const written = line(value);
    hash.update(written);
    return written;
  };
  const whose = threadsFor(options);
  const total =
    (await requireCopies(source.storage).count(agent)) + (await source.storage.log.count(whose)) + 1;
  const createdAt = source.clock.now();
  yield sealed({ kind: 'manifest', format: FORMAT, version: VERSION, createdAt, agent: agent ?? null });
  const parts = [records, messages, items, files].map((part) => part(source, options));
  for await (const each of join(...parts)) {
    if (signal?.aborted) throw new KeepsakeError('ABORTED', 'The export was stopped; no file was made.');
    yield sealed(each);
    if (each.kind === 'record') counts.records++;
    if (each.kind === 'message') counts.messages++;
    if (each.kind === 'item') counts.items = (counts.items ?? 0) + 1;
    if (each.kind === 'file' && each.offset === 0) counts.files++;
    onProgress?.({ done: Math.min(counts.records + counts.messages, total - 1), total });
  }
  yield line({ kind: 'end', counts: { ...counts }, sha256: hash.digest('hex') });
  onProgress?.({ done: total, total });
}

async function* join<T>(...sources: AsyncGenerator<T>[]): AsyncGenerator<T> {
  for (const each of sources) yield* each;
}

/** The name appears with the whole archive or not at all. */
export async function writeArchive(
  source: ArchiveSource,
  target: string,
  given: ExportOptions = {},
): Promise<ExportReport> {
  const options = validate(exportOptions, given, 'export');
  if (options.agent !== undefined) checkAgentName(options.agent);
  if (options.user !== undefined) checkUserId(options.user);
  const file = resolve(target);
  const part = `${file}.part`;
  const counts: Counts = { records: 0, messages: 0, files: 0 };
  try {
    if (options.force !== true) await refuseExisting(file);
    // What is remembered is nobody else's business.
    const sink = createWriteStream(part, { mode: 0o600 });
    await pipeline(Readable.from(lines(source, options, counts)), createGzip({ level: 6 }), sink);
    await syncFile(part);
    const { size } = await stat(part);
    if (options.force === true) await rename(part, file);
    else await putInPlace(part, file);
    return { file, bytes: size, ...counts };
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    throw KeepsakeError.is(error) ? error : unwritable(file, error);
  }
}

async function refuseExisting(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined) throw Object.assign(new Error(), { code: 'EEXIST' });
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.sync().finally(() => handle.close());
}

function unwritable(file: string, cause: unknown): KeepsakeError {
  const { code = 'UNKNOWN' } = cause as NodeJS.ErrnoException;
  if (code === 'EEXIST') {
    return new KeepsakeError('CONFLICT', `${file} exists already.`, {
      hint: 'Choose another name, or add --force to overwrite it.',
      cause,
    });
  }
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') {
    return new KeepsakeError('INVALID_INPUT', `${file} cannot be a file (${code}).`, {
      hint: 'Name a file in a folder that exists.',
      cause,
    });
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new KeepsakeError('PERMISSION', `${file} may not be written.`, {
      hint: 'Choose another place.',
      cause,
    });
  }
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const message = cause instanceof Error && code === 'UNKNOWN' ? cause.message : `${file}: ${code}.`;
  return new KeepsakeError(
    isFull ? 'STORAGE_FULL' : 'STORAGE_FAILED',
    `The archive could not be written. ${message}`,
    {
      hint: 'Nothing was exported; the memory itself is as it was.',
      cause,
    },
  );
}
