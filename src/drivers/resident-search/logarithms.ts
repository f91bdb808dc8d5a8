/** Logarithms of the engine: those of JavaScript sometimes differ from them in the last bit, and so would scores. */
export type AskLogarithms = (values: readonly number[]) => Promise<readonly number[]>;

/** With more, it starts over: after every change of the store other values are asked for. */
const MOST_KNOWN = 50_000;

export class Logarithms {
  readonly #ask: AskLogarithms;
  #known = new Map<number, number>();

  constructor(ask: AskLogarithms) {
    this.#ask = ask;
  }

  /** Of a value that was asked for before. */
  readonly of = (value: number): number => this.#known.get(value) ?? Math.log(value);

  unknown(values: readonly number[]): number[] {
    return [...new Set(values)].filter((value) => !this.#known.has(value));
  }

  async learn(values: readonly number[]): Promise<void> {
    const logarithms = await this.#ask(values);
    if (this.#known.size > MOST_KNOWN) this.#known = new Map();
    values.forEach((value, i) => {
      this.#known.set(value, logarithms[i]!);
    });
  }
}
