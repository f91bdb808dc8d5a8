/** Reads an archive line by line, and refuses a damaged one with the number of the line. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { KeepsakeError } from '../../kernel/errors.ts';
import { explainIssue } from '../../kernel/explain-issue.ts';
import { type ArchiveLine, archiveLine, type Counts, FORMAT, type LineOf, VERSION } from './lines.ts';

/** The longest memory with a long history stays well below. */
const LONGEST_LINE = 256 * 1024 * 1024;
const LINE_FEED = 10;

interface RawLine {
  readonly number: number;
  /** With its line feed. */
  readonly bytes: Buffer;
}

function damaged(file: string, line: number, problem: string, cause?: unknown): KeepsakeError {
  return new KeepsakeError('CORRUPT', `${file} is damaged at line ${line}: ${problem}`, {
    hint: 'Nothing was imported. Export again, or copy the archive again from where it came.',
    details: { line },
    cause,
  });
}

/** Lines as they are stored; each is short-lived, so that memory stays flat. */
async function* rawLines(file: string): AsyncGenerator<RawLine> {
  const source = createReadStream(file);
  const unpacked = source.pipe(createGunzip());
  source.on('error', (error) => unpacked.destroy(error));
  let number = 1;
  let waiting: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of unpacked as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = part.indexOf(LINE_FEED); at !== -1; at = part.indexOf(LINE_FEED, from)) {
        yield { number, bytes: Buffer.concat([...waiting, part.subarray(from, at + 1)]) };
        waiting = [];
        length = 0;
        from = at + 1;
        number++;
      }
      waiting.push(part.subarray(from));
      length += part.length - from;
      if (length > LONGEST_LINE) throw damaged(file, number, 'it is too long.');
    }
  } catch (error) {
    throw KeepsakeError.is(error) ? error : unreadable(file, number, error);
  } finally {
    source.destroy();
  }
  if (length > 0) throw damaged(file, number, 'it breaks off.');
}

function unreadable(file: string, line: number, cause: unknown): KeepsakeError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (code.startsWith('Z_')) return damaged(file, line, 'it cannot be unpacked.', cause);
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  return new KeepsakeError(isMissing ? 'NOT_FOUND' : 'STORAGE_FAILED', `${file} cannot be read (${code}).`, {
    hint: isMissing ? 'Correct the name.' : 'Check that the file exists and that you can read it.',
    cause,
  });
}

function parse(file: string, { number, bytes }: RawLine): ArchiveLine {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw damaged(file, number, 'it is not valid JSON.', cause);
  }
  if (number === 1) refuseOthers(file, value);
  const result = archiveLine.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  throw damaged(file, number, `${where}${explainIssue(issue, value, [])}`);
}

function refuseOthers(file: string, value: unknown): void {
  const { format, version } = (value ?? {}) as { format?: unknown; version?: unknown };
  if (format !== FORMAT) {
    throw new KeepsakeError('INVALID_INPUT', `${file} is not a Keepsake archive.`, {
      hint: 'Make one with "keepsake export", or say with --from what it is.',
    });
  }
  if (version === VERSION) return;
  throw new KeepsakeError(
    'TOO_NEW',
    `${file} is an archive of version ${String(version)}; this Keepsake reads ${VERSION}.`,
    {
      hint: 'Update Keepsake, then import it again.',
    },
  );
}

/** Every line but the last, which only seals the others. */
export async function* readArchive(file: string): AsyncGenerator<Exclude<ArchiveLine, LineOf<'end'>>> {
  for await (const raw of rawLines(file)) {
    const line = parse(file, raw);
    if (line.kind === 'end') return;
    yield line;
  }
}

/** Reads all of it once and keeps nothing: counts, order and checksum are right, or it throws. */
export async function checkArchive(file: string): Promise<{ manifest: LineOf<'manifest'>; counts: Counts }> {
  const hash = createHash('sha256');
  const counts: Counts = { records: 0, messages: 0, files: 0 };
  let manifest: LineOf<'manifest'> | undefined;
  let end: LineOf<'end'> | undefined;
  let pieces: { path: string; next: number; size: number } | undefined;
  let last = 0;
  for await (const raw of rawLines(file)) {
    last = raw.number;
    const line = parse(file, raw);
    if (end !== undefined) throw damaged(file, last, 'something follows the end.');
    if ((line.kind === 'manifest') !== (last === 1)) throw damaged(file, last, 'it is out of place.');
    if (line.kind === 'manifest') manifest = line;
    if (line.kind === 'record') counts.records++;
    if (line.kind === 'message') counts.messages++;
    if (line.kind === 'item') counts.items = (counts.items ?? 0) + 1;
    if (line.kind === 'file') {
      const begun = pieces !== undefined && pieces.next < pieces.size ? pieces : undefined;
      const expected = begun?.path === line.path ? begun.next : 0;
      if (line.offset !== expected || (begun !== undefined && begun.path !== line.path)) {
        throw damaged(file, last, 'a piece of a file is missing.');
      }
      if (line.offset === 0) counts.files++;
      const bytes = Buffer.byteLength(line.base64, 'base64');
      pieces = { path: line.path, next: line.offset + bytes, size: line.size };
    }
    if (line.kind === 'end') end = line;
    else hash.update(raw.bytes);
  }
  if (manifest === undefined || end === undefined) throw damaged(file, last + 1, 'the end is missing.');
  if (end.sha256 !== hash.digest('hex') || JSON.stringify(end.counts) !== JSON.stringify(counts)) {
    throw damaged(file, last, 'the checksum does not match the content.');
  }
  return { manifest, counts };
}
