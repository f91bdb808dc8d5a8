/** The messages between the model and its worker thread. */
import type { ErrorCode } from '../../kernel/errors.ts';
import type { TextInPlace } from '../../ports/token-model.ts';
import type { ModelFile } from './catalog.ts';

interface OpenSettings {
  readonly name: string;
  readonly folder: string;
  /** Checked before they are opened. */
  readonly files: readonly ModelFile[];
  readonly dimensions: number;
}

/** One vector for each text. */
export interface EmbedSettings extends OpenSettings {
  readonly makes: 'vectors';
  readonly pooling: 'first' | 'mean';
}

/** A vector for each token. */
export interface TokenSettings extends OpenSettings {
  readonly makes: 'tokens';
  readonly passage: number;
  /** File with the directions that are kept. */
  readonly projection: string;
}

export type WorkerSettings = EmbedSettings | TokenSettings;

export interface EmbedTask {
  readonly texts: readonly string[];
  /** Goes before each text. */
  readonly prompt: string;
}

export interface TokenTask {
  readonly texts: readonly TextInPlace[];
}

export interface WorkerRequest {
  readonly id: number;
  readonly task: EmbedTask | TokenTask;
}

export interface WorkerAnswer {
  readonly id: number;
  readonly vectors?: readonly unknown[];
  readonly failure?: { readonly code: ErrorCode; readonly message: string; readonly hint?: string };
}
