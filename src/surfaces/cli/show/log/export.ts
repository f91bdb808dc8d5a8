/** `keepsake log export`: the whole conversation into a file of its own, or to stdout. */
import { open, rename, rm } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { KeepsakeError } from '../../../../kernel/errors.ts';
import { callVerb } from '../../../../kernel/verb.ts';
import { verbs } from '../../../../verbs.ts';
import type { VerbCall } from '../presentation.ts';

type Format = 'json' | 'jsonl' | 'yaml' | 'markdown';

export interface Exported {
  /** Null when it goes to stdout. */
  readonly file: string | null;
  readonly format: Format;
  readonly messages: number;
  readonly bytes: number;
  readonly text: string;
}

const FORMATS: Readonly<Record<string, Format>> = {
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.md': 'markdown',
  '.markdown': 'markdown',
};

export function formatFor(file: string | null, given: Format | undefined): Format {
  if (given !== undefined) return given;
  if (file === null) return 'json';
  const ending = extname(file).toLowerCase();
  if (Object.hasOwn(FORMATS, ending)) return FORMATS[ending]!;
  throw new KeepsakeError('INVALID_INPUT', `The format cannot be told from the name ${file}.`, {
    hint: 'Add --format json, jsonl, yaml or markdown, or end the name with .json, .jsonl, .yaml or .md.',
  });
}

export async function exportLog({ engine, caller, input, path, options }: VerbCall): Promise<Exported> {
  const file = path === undefined || path === '-' ? null : resolve(path);
  const format = formatFor(file, input.format as Format | undefined);
  const { messages, text } = await callVerb(verbs.logExport, engine, { format }, caller);
  if (file !== null) await write(file, text, options.force === true);
  return { file, format, messages, bytes: Buffer.byteLength(text), text };
}

/** Only whole files get the name: what is interrupted leaves a file that is there as it was. */
async function write(file: string, text: string, force: boolean): Promise<void> {
  const part = force ? `${file}.part` : file;
  let made = false;
  try {
    // What was said is nobody else's business.
    const handle = await open(part, force ? 'w' : 'wx', 0o600);
    made = true;
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (force) await rename(part, file);
  } catch (error) {
    if (made) await rm(part, { force: true });
    throw problemOf(error, file);
  }
}

function problemOf(cause: unknown, file: string): KeepsakeError {
  const { code = 'UNKNOWN' } = cause as NodeJS.ErrnoException;
  if (code === 'EEXIST') {
    return new KeepsakeError('CONFLICT', `${file} exists already.`, {
      hint: 'Choose another name, or add --force to overwrite it.',
      cause,
    });
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new KeepsakeError('PERMISSION', `${file} may not be written.`, {
      hint: 'Choose another place.',
      cause,
    });
  }
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') {
    return new KeepsakeError('INVALID_INPUT', `${file} cannot be a file (${code}).`, {
      hint: 'Name a file in a folder that exists.',
      cause,
    });
  }
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return new KeepsakeError(
    full ? 'STORAGE_FULL' : 'STORAGE_FAILED',
    `${file} could not be written (${code}).`,
    {
      hint: 'Nothing was exported; the conversation itself is as it was.',
      cause,
    },
  );
}
