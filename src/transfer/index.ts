/** Moves memory: complete archives of a workspace, and imports from other systems. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { LanguageModelInput } from '../config/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { validate } from '../kernel/validate.ts';
import { z } from '../kernel/zod.ts';
import { type ArchiveReport, type TakeInParts, takeInArchive } from './archive/import.ts';
import { FOREIGN_FORMATS, type ForeignFormat } from './foreign/foreign.ts';
import {
  type ForeignOptions,
  type ForeignParts,
  type ForeignReport,
  takeInForeign,
} from './foreign/import.ts';
import type { LearnChatsOptions } from './foreign/learn-chats.ts';
import { beginningOf, readForeign } from './foreign/read-foreign.ts';

export type { ArchiveReport } from './archive/import.ts';
export {
  type ArchiveSource,
  type ExportOptions,
  type ExportReport,
  writeArchive,
} from './archive/write-archive.ts';
export type { ForeignReport } from './foreign/import.ts';
export type { LearnChatsOptions, LearnedChats, LearnPlan } from './foreign/learn-chats.ts';
export {
  type MigrateProgress,
  type MoveOptions,
  type MoveReport,
  moveStorage,
  type TargetState,
  targetState,
} from './migrate/migrate.ts';
export { type Kind, type Seal, type Seals, sealsOf } from './migrate/seals.ts';

export const IMPORT_FORMATS = ['keepsake', ...FOREIGN_FORMATS] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export interface ImportOptions extends ForeignOptions {
  /** What it is; found out from the content if not given. */
  readonly from?: ImportFormat | undefined;
}

const callback = <Call>() => z.custom<Call>((value) => typeof value === 'function').optional();

const learnOptions = z.strictObject({
  model: z.custom<LanguageModelInput>((value) => value !== null && value !== '').optional(),
  maxCalls: z.int().min(1).max(1_000_000).optional(),
  onPlan: callback<NonNullable<LearnChatsOptions['onPlan']>>(),
  onProgress: callback<NonNullable<LearnChatsOptions['onProgress']>>(),
});

const importOptions = z.strictObject({
  from: z.enum(IMPORT_FORMATS).optional(),
  dryRun: z.boolean().optional(),
  signal: z.instanceof(AbortSignal).optional(),
  onProgress: callback<NonNullable<ForeignOptions['onProgress']>>(),
  learn: z.union([z.boolean(), learnOptions]).optional(),
});

export type ImportReport = ArchiveReport | ForeignReport;
export type ImportParts = TakeInParts & ForeignParts;

const GZIP_START = '\u001f\u008b';

async function formatOf(path: string, wanted: ImportFormat | undefined): Promise<ImportFormat | undefined> {
  if (wanted !== undefined) return wanted;
  try {
    if ((await stat(path)).isDirectory()) return undefined;
    return (await beginningOf(path)).startsWith(GZIP_START) ? 'keepsake' : undefined;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    throw new KeepsakeError(isMissing ? 'NOT_FOUND' : 'PERMISSION', `${path} cannot be read (${code}).`, {
      hint: isMissing ? 'Correct the name.' : 'Check that you may read it.',
      cause,
    });
  }
}

function nothingToLearn(reason: string): KeepsakeError {
  return new KeepsakeError('INVALID_INPUT', `${reason}, so there is nothing to review.`, {
    hint: 'Learning is for chats, such as those of ChatGPT and Claude. Import this one without it.',
  });
}

/** Brings a file or folder in; `caller` is who it is for, unless an archive says so itself. */
export async function importMemory(
  parts: ImportParts,
  file: string,
  caller: Caller,
  given: ImportOptions = {},
): Promise<ImportReport> {
  const { from, ...options } = validate(importOptions, given, 'import');
  const path = resolve(file);
  const format = await formatOf(path, from);
  if (format === 'keepsake') {
    const { learn = false, ...others } = options;
    if (learn !== false) throw nothingToLearn('An archive of Keepsake holds what was learned already');
    return takeInArchive(parts, path, others);
  }
  const foreign = await readForeign(path, format as ForeignFormat | undefined);
  if ((options.learn ?? false) !== false && foreign.conversations.length === 0)
    throw nothingToLearn('There are no chats in it');
  return takeInForeign(parts, foreign, caller, options);
}
