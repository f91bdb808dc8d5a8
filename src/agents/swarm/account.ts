/** The usage of a run: model calls, cost, and whether it is within its budget. */
import type { ModelCall, ModelTally } from '../../ports/model-meter.ts';
import { NO_TALLY, type RunUsage } from '../../ports/run-store.ts';

/** A run stops a little before its budget is used up, because the calls under way cost something too. */
const STOP_AT = 0.95;

function plus(tally: ModelTally, { usage, cost }: ModelCall): ModelTally {
  if (usage === undefined) return { ...tally, calls: tally.calls + 1, unfinished: tally.unfinished + 1 };
  return {
    calls: tally.calls + 1,
    unfinished: tally.unfinished,
    inputTokens: tally.inputTokens + usage.inputTokens,
    outputTokens: tally.outputTokens + usage.outputTokens,
    cost: tally.cost === null || cost === null ? null : tally.cost + cost,
  };
}

export class RunAccount {
  readonly #budget: number;
  readonly #models = new Map<string, ModelTally>();
  #total = NO_TALLY;
  /** Of the calls whose price is known; the others cannot be held against the budget. */
  #spent = 0;

  /** @param budget in dollars. */
  constructor(budget: number) {
    this.#budget = budget;
  }

  count(call: ModelCall): void {
    this.#total = plus(this.#total, call);
    this.#models.set(call.model, plus(this.#models.get(call.model) ?? NO_TALLY, call));
    this.#spent += call.cost ?? 0;
  }

  get usage(): RunUsage {
    return { ...this.#total, models: Object.fromEntries(this.#models) };
  }

  /** Undefined while there is enough left; else a sentence. */
  get overspent(): string | undefined {
    if (this.#spent < STOP_AT * this.#budget) return undefined;
    return `The run has cost ${dollars(this.#spent)} of its budget of ${dollars(this.#budget)} and was stopped.`;
  }
}

/** Cents, and parts of them where a run costs less than a dollar. */
const dollars = (sum: number): string => `$${sum.toFixed(sum < 1 ? 4 : 2)}`;
