/** Terminal keys for a line editor; pasted text (bracketed paste) is one input. */
import { EventEmitter } from 'node:events';
import { StringDecoder } from 'node:string_decoder';
import type { ReadStream } from 'node:tty';

const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';

/** Tells the terminal to mark what is pasted, or not to. */
export const MARK_PASTES = '\u001b[?2004h';
export const DO_NOT_MARK_PASTES = '\u001b[?2004l';

/** What `readline` needs of an input. Data is emitted at once, so that keys and pasted text keep their order. */
export class TerminalKeys extends EventEmitter {
  readonly isTTY = true;
  readonly #input: ReadStream;
  readonly #decoder = new StringDecoder('utf8');
  readonly #onPaste: (text: string) => void;
  readonly #listener = (bytes: Buffer): void => this.#take(this.#decoder.write(bytes));
  /** The beginning of a mark whose rest has not arrived. */
  #held = '';
  #pasted: string | undefined;

  constructor(input: ReadStream, onPaste: (text: string) => void) {
    super();
    this.#input = input;
    this.#onPaste = onPaste;
    input.on('data', this.#listener);
    input.once('end', () => this.emit('end'));
  }

  setRawMode(isRaw: boolean): this {
    this.#input.setRawMode(isRaw);
    return this;
  }

  resume(): this {
    this.#input.resume();
    return this;
  }

  pause(): this {
    this.#input.pause();
    return this;
  }

  #take(arrived: string): void {
    let text = this.#held + arrived;
    this.#held = '';
    while (text !== '') {
      if (this.#pasted === undefined) text = this.#takeKeys(text);
      else text = this.#takePasted(text);
    }
  }

  /** Returns what follows the mark of a paste. */
  #takeKeys(text: string): string {
    const start = text.indexOf(PASTE_START);
    if (start >= 0) {
      if (start > 0) this.emit('data', text.slice(0, start));
      this.#pasted = '';
      return text.slice(start + PASTE_START.length);
    }
    const held = heldBack(text);
    this.#held = text.slice(text.length - held);
    if (held < text.length) this.emit('data', text.slice(0, text.length - held));
    return '';
  }

  #takePasted(text: string): string {
    const all = this.#pasted + text;
    const end = all.indexOf(PASTE_END);
    this.#pasted = end < 0 ? all : undefined;
    if (end < 0) return '';
    this.#onPaste(all.slice(0, end));
    return all.slice(end + PASTE_END.length);
  }
}

/** How much of the end may be the beginning of a mark. The escape key alone is not held back. */
function heldBack(text: string): number {
  for (let length = Math.min(PASTE_START.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(PASTE_START.slice(0, length))) return length === 1 && text.length === 1 ? 0 : length;
  }
  return 0;
}
