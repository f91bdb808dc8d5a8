/** Output of a command: the result on stdout, as text or JSON; everything else on stderr. */
import { ERROR_TABLE } from '../../kernel/errors.ts';
import { type Paint, painterFor } from './terminal/paint.ts';
import { escapeDriving } from './terminal/printable.ts';
import { wrapRemark } from './terminal/wrap.ts';

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
}

export interface Words {
  /** For people. */
  readonly text: () => string | readonly string[];
  /** With --quiet: the ids or paths that a script wants, or nothing. */
  readonly quiet?: () => string | readonly string[];
}

const NARROWEST = 40;

export class Output {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly paint: Paint;
  readonly paintError: Paint;
  /** Columns of the terminal; undefined when stdout is a file or a pipe, where nothing is cut. */
  readonly width: number | undefined;
  /** The same of stderr. */
  readonly errorWidth: number | undefined;

  constructor({ json, quiet, color }: OutputOptions) {
    this.json = json;
    this.quiet = quiet;
    this.paint = painterFor(process.stdout, color);
    this.paintError = painterFor(process.stderr, color);
    this.width = widthOf(process.stdout);
    this.errorWidth = widthOf(process.stderr);
  }

  result(value: unknown, { text, quiet = () => [] }: Words): void {
    if (this.json) process.stdout.write(`${this.#jsonText(value, 2)}\n`);
    else this.#lines(this.quiet ? quiet() : text());
  }

  /** A terminal gets what would drive it as escapes, which mean the same to a program. */
  #jsonText(value: unknown, indent?: number): string {
    const json = JSON.stringify(value, null, indent);
    return this.width === undefined ? json : escapeDriving(json);
  }

  /** One JSON document in one line, for commands that continue. */
  jsonLine(value: unknown): string {
    return this.#jsonText(value);
  }

  /** A side remark, for example that something was pruned. */
  note(text: string): void {
    if (!this.json) this.warn(text);
  }

  /** What whoever reads the result has to know, also a program that reads it as JSON. */
  warn(text: string): void {
    if (this.quiet) return;
    process.stderr.write(`${this.paintError('dim', wrapRemark(text, this.errorWidth).join('\n'))}\n`);
  }

  #lines(text: string | readonly string[]): void {
    const lines = typeof text === 'string' ? [text] : text;
    if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
  }
}

function widthOf({ isTTY, columns }: NodeJS.WriteStream): number | undefined {
  return isTTY ? Math.max(NARROWEST, columns || 80) : undefined;
}

/** `keepsake … | head` closes the pipe early: nobody is reading, which is not a failure of the command. A full disk is one. */
export function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      if (stream === process.stdout) {
        process.stderr.write(`error: the output could not be written (${error.code ?? error.message}).\n`);
      }
      process.exit(ERROR_TABLE.STORAGE_FAILED.exit);
    });
  }
}
