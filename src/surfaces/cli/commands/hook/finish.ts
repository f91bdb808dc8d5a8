/** How a hook ends: one JSON object on stdout and exit code 0, whatever happened and however long it would have taken. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { printable } from '../../terminal/printable.ts';

/** Claude Code shows what these print as it is, and the first passes it to the summary as an instruction. */
const SILENT = ['pre-compact', 'post-compact'];

export class HookEnding {
  readonly #context: Context;
  readonly #isSilent: boolean;
  #hasAnswered = false;

  constructor(context: Context, event = '') {
    this.#context = context;
    this.#isSilent = SILENT.includes(event);
    // Whatever escapes everything else; the listener of the command line would end with another code.
    process.prependListener('uncaughtException', (error) => this.fail(error));
  }

  /** Prints it; the second answer of two is not printed. */
  answer(output: object): Promise<void> {
    if (this.#hasAnswered) return Promise.resolve();
    this.#hasAnswered = true;
    return new Promise((resolve) => {
      process.stdout.write(this.#written(output), () => resolve());
    });
  }

  /** For whoever reads the log of Claude Code; a hook that fails is not the user's business. */
  note(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#context.output.note(`keepsake hook: ${printable(message)}`);
  }

  fail(error: unknown): void {
    this.note(error);
    if (!this.#hasAnswered) process.stdout.write(this.#written({}));
    process.exit(0);
  }

  #written(output: object): string {
    return this.#isSilent && Object.keys(output).length === 0 ? '' : `${JSON.stringify(output)}\n`;
  }

  /** Does the rest, for a while: counting, closing. Claude Code waits for the process to end. */
  async leave(rest: () => Promise<unknown>, graceMs: number): Promise<never> {
    await Promise.race([rest().catch((error: unknown) => this.note(error)), pause(graceMs)]);
    process.exit(0);
  }
}
