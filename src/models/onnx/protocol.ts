/** The messages between the model and its worker thread. */
import type { ErrorCode } from '../../kernel/errors.ts';
import type { ModelFile } from './catalog.ts';

export interface WorkerSettings {
  readonly name: string;
  readonly folder: string;
  /** Checked before they are opened. */
  readonly files: readonly ModelFile[];
  readonly dimensions: number;
  readonly pooling: 'first' | 'mean';
}

export interface EmbedRequest {
  readonly id: number;
  readonly texts: readonly string[];
  /** Goes before each text. */
  readonly prompt: string;
}

export interface EmbedAnswer {
  readonly id: number;
  readonly vectors?: readonly Float32Array[];
  readonly failure?: { readonly code: ErrorCode; readonly message: string; readonly hint?: string };
}
