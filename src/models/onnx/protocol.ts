/** What the model and its worker thread say to each other. */
import type { ErrorCode } from '../../kernel/errors.ts';

export interface WorkerSettings {
  readonly name: string;
  readonly modelFile: string;
  readonly tokenizerFile: string;
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
