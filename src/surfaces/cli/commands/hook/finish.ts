/** Ends a hook with one JSON object and exit code 0, also after errors and timeouts. */
import { setTimeout as pause } from 'node:timers/promises';
import { written } from '../../../hooks/written.ts';
import type { Context } from '../../context.ts';
import { printable } from '../../terminal/printable.ts';

export class HookEnding {
  readonly #context: Context;
  readonly #event: string | undefined;
  #hasAnswered = false;

  constructor(context: Context, event: string | undefined) {
    this.#context = context;
    this.#event = event;
    // Whatever escapes everything else; the listener of the command line would end with another code.
    process.prependListener('uncaughtException', (error) => this.fail(error));
  }

  /** Prints it; the second answer of two is not printed. */
  answer(output: object): Promise<void> {
    if (this.#hasAnswered) return Promise.resolve();
    this.#hasAnswered = true;
    return new Promise((resolve) => {
      process.stdout.write(written(this.#event, output), () => resolve());
    });
  }

  /** For whoever reads the log of Claude Code; a hook that fails is not the user's business. */
  note(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#context.output.note(`keepsake hook: ${printable(message)}`);
  }

  fail(error: unknown): void {
    this.note(error);
    if (!this.#hasAnswered) process.stdout.write(written(this.#event, {}));
    process.exit(0);
  }

  /** Does the rest, for a while: counting, closing. Claude Code waits for the process to end. */
  async leave(rest: () => Promise<unknown>, graceMs: number): Promise<never> {
    await Promise.race([rest().catch((error: unknown) => this.note(error)), pause(graceMs)]);
    process.exit(0);
  }
}
