/** How a hook ends: one JSON object on stdout and exit code 0, whatever happened and however long it would have taken. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { printable } from '../../terminal/printable.ts';

const EMPTY = '{}';
/** For what comes after the answer: counting, closing. Claude Code waits for the process to end. */
const GRACE_MS = 1_000;

export class HookEnding {
  readonly #context: Context;
  #hasAnswered = false;

  constructor(context: Context) {
    this.#context = context;
    // Whatever escapes everything else; the listener of the command line would end with another code.
    process.prependListener('uncaughtException', (error) => this.fail(error));
  }

  /** Prints it; the second answer of two is not printed. */
  answer(output: object): Promise<void> {
    if (this.#hasAnswered) return Promise.resolve();
    this.#hasAnswered = true;
    return new Promise((resolve) => {
      process.stdout.write(`${JSON.stringify(output)}\n`, () => resolve());
    });
  }

  /** For whoever reads the log of Claude Code; a hook that fails is not the user's business. */
  note(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#context.output.note(`keepsake hook: ${printable(message)}`);
  }

  fail(error: unknown): void {
    this.note(error);
    if (!this.#hasAnswered) process.stdout.write(`${EMPTY}\n`);
    process.exit(0);
  }

  /** Does the rest, for a while. */
  async leave(rest: () => Promise<unknown>): Promise<never> {
    await Promise.race([rest().catch((error: unknown) => this.note(error)), pause(GRACE_MS)]);
    process.exit(0);
  }
}
