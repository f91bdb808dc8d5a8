/** Which compressor the conversation of an agent has: the configured one, until a program chooses another. */
import type { ContextCompressor } from './context-compressor.ts';

export class CompressorChoice {
  readonly #configured: () => Promise<ContextCompressor | null>;
  #chosen: Promise<ContextCompressor | null> | undefined;

  /** `configured` opens the one of the configuration, when it is first asked for; null when compression is off. */
  constructor(configured: () => Promise<ContextCompressor | null>) {
    this.#configured = configured;
  }

  get(): Promise<ContextCompressor | null> {
    this.#chosen ??= this.#configured();
    return this.#chosen;
  }

  /** From the next call of the model on, also in sessions that are open. */
  choose(compressor: ContextCompressor | null): void {
    this.#chosen = Promise.resolve(compressor);
  }
}
