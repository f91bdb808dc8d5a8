/** Where a line editor draws its prompt: on stderr while a line is asked for, nowhere while an answer is printed. */
import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';

export class PromptScreen extends Writable {
  readonly isTTY = true;
  readonly #terminal: WriteStream;
  readonly #onResize = (): void => {
    if (this.isShown) this.emit('resize');
  };
  isShown = false;

  constructor(terminal: WriteStream) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
    terminal.on('resize', this.#onResize);
  }

  get columns(): number {
    return this.#terminal.columns;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  override _write(chunk: string | Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    if (this.isShown) this.#terminal.write(chunk);
    done();
  }

  override _destroy(_error: Error | null, done: () => void): void {
    this.#terminal.off('resize', this.#onResize);
    done();
  }
}
