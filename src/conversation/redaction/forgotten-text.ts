/** Finds a forgotten memory in texts that Keepsake recorded, however it was escaped or shortened there, and takes it out. */

/** Stands in the place of what was forgotten. */
export const FORGOTTEN_MARK = '[forgotten memory]';
const WHOLE_MARK = '[A memory in this result was forgotten, so the result was erased.]';

/** Shorter texts, such as "yes", appear everywhere; they count only beside the id of the memory. */
const TELLING = 12;
/** Results show long memories in part: the beginning gives them away. */
const BEGINNING = 80;

/** As JSON has it inside of a text, once and twice. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
const collapsed = (text: string): string => text.replace(/\\+[nrt]|\s+/g, ' ').replace(/\\+(["\\/])/g, '$1');

export class ForgottenText {
  readonly #id: string;
  readonly #text: string;
  readonly #forms: readonly string[];
  readonly #needle: string;

  constructor(id: string, text: string) {
    this.#id = id;
    this.#text = text.trim();
    const once = escaped(this.#text);
    // The longest first: the others are parts of it.
    this.#forms = [...new Set([escaped(once), once, this.#text])];
    this.#needle = collapsed(this.#text).slice(0, BEGINNING).trim();
  }

  isIn(text: string): boolean {
    if (this.#needle === '') return false;
    if (this.#text.length < TELLING && !text.includes(this.#id)) return false;
    return collapsed(text).includes(this.#needle);
  }

  /** The text without it; where it cannot be told from the rest, nothing of the text stays. */
  takenOut(text: string): string {
    let rest = text;
    for (const form of this.#forms) rest = rest.replaceAll(form, FORGOTTEN_MARK);
    return this.isIn(rest) ? WHOLE_MARK : rest;
  }
}
