/** Port: usage and cost of language models, for receipts, runs and swarms. */
import type { ChatModel, Usage } from './language-model.ts';

export type ModelRole = 'main' | 'light';

/** One call, as soon as it is over. */
export interface ModelCall {
  /** The model that answered, `provider/model`. */
  readonly model: string;
  /** The role in which it was asked; a model that stands in for the light one counts as light. */
  readonly role: ModelRole;
  /** Undefined when the call failed or was stopped: nobody told what it cost. */
  readonly usage: Usage | undefined;
  /** In dollars at list prices; null when the price or the usage is not known. */
  readonly cost: number | null;
}

export interface ModelTally extends Usage {
  readonly calls: number;
  /** Those of the calls that failed or were stopped; their tokens are not counted. */
  readonly unfinished: number;
  /** In dollars; null as soon as one finished call has no known price. */
  readonly cost: number | null;
}

export interface ModelMeter {
  total(): ModelTally;
  byModel(): Readonly<Record<string, ModelTally>>;
  byRole(): Readonly<Record<ModelRole, ModelTally>>;
}

/** The models of an agent by role, with the account of their calls. */
export interface Models {
  readonly main: ChatModel;
  /** For summaries and extraction. When it fails, the model above it is asked, as with the main one. */
  readonly light: ChatModel;
  readonly meter: ModelMeter;
  /** The same models with an account of their own, e.g. for one run; the calls count here as well. */
  fork(onCall?: (call: ModelCall) => void): Models;
}
