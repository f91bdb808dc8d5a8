/** Exports and imports memory: complete archives, and exports of other systems. */
import type { Caller } from '../kernel/caller.ts';
import {
  type ArchiveSource,
  type ExportOptions,
  type ExportReport,
  IMPORT_FORMATS,
  type ImportFormat,
  type ImportOptions,
  type ImportParts,
  type ImportReport,
  importMemory,
  type LearnChatsOptions,
  type LearnedChats,
  type LearnPlan,
  writeArchive,
} from '../transfer/index.ts';

export type { ImportReport, LearnChatsOptions, LearnedChats, LearnPlan };
export { type ExportOptions, type ExportReport, IMPORT_FORMATS, type ImportFormat, type ImportOptions };

export function workspaceExport(
  source: ArchiveSource,
  file: string,
  options: ExportOptions = {},
): Promise<ExportReport> {
  return writeArchive(source, file, options);
}

export function workspaceImport(
  parts: ImportParts,
  path: string,
  caller: Caller,
  options: ImportOptions = {},
): Promise<ImportReport> {
  return importMemory(parts, path, caller, options);
}
