/** The events of an active run. */
import type { Usage } from '../ports/language-model.ts';

export type RunEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly name: string; readonly arguments: unknown }
  | { readonly type: 'toolResult'; readonly name: string; readonly result: string; readonly isError: boolean }
  /** The last one, and only when the run was completed; a run that breaks off throws. */
  | { readonly type: 'done'; readonly answer: Answer };

export interface Answer {
  readonly text: string;
  /** How often the model was asked. */
  readonly loops: number;
  readonly usage: Usage;
  /** In dollars, of the calls for this answer; null when the price of the model is not known. */
  readonly cost: number | null;
  readonly session: string;
}
