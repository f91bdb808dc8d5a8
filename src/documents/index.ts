/** Documents: human-editable files that are read, replaced and extended without losing anything. */
export type { DocumentEnd } from './appending.ts';
export {
  type AppendOptions,
  type Change,
  type DocumentBytes,
  type DocumentContent,
  DocumentFile,
  type DocumentOptions,
  type DocumentVersion,
  type HeldDocument,
  type ReplaceOptions,
} from './document-file.ts';
export { storageError } from './errors.ts';
export { nodeFiles } from './files.ts';
export { itemsFromThread, type ThreadLimits, type ThreadProgram } from './limited-thread.ts';
export { ANY } from './swapping.ts';
export { type SweepOptions, sweepTemporaryFiles } from './temporary.ts';
export { ABSENT, hashOf, type LineEnding } from './text.ts';
export { serveItems } from './thread-program.ts';
export { type WholeFile, writeWholeFile } from './whole-file.ts';
