/** Finds and removes a forgotten memory in recorded texts, also if it was escaped or shortened there. */

/** Replaces what was forgotten. */
export const FORGOTTEN_MARK = '[forgotten memory]';
const WHOLE_MARK = '[A memory in this result was forgotten, so the result was erased.]';

/** Shorter texts, such as "yes", appear everywhere; they count only beside the id of the memory. */
const TELLING = 12;
/** Results show long memories in part: the beginning gives them away. */
const BEGINNING = 80;
/** Prompts name a memory by the end of its id. */
const SHORT_ID = 8;
const AT_AN_ID = /(?=mem_\w)/;

/** As JSON has it inside of a text, once and twice. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
const collapsed = (text: string): string => text.replace(/\\+[nrt]|\s+/g, ' ').replace(/\\+(["\\/])/g, '$1');

/** The longest first: the others are parts of it. */
const formsOf = (text: string): string[] => {
  const once = escaped(text);
  return [...new Set([escaped(once), once, text])];
};

export interface ForgottenDetails {
  /** Categories and tags in words of their own; words that many memories share are not worth hiding. */
  readonly labels?: readonly string[];
  /** Whether only texts count that name the memory: others may say the same without knowing it. */
  readonly onlyNamed?: boolean;
}

export class ForgottenText {
  readonly id: string;
  readonly #text: string;
  readonly #forms: readonly string[];
  readonly #needle: string;
  readonly #onlyNamed: boolean;
  readonly #labels: RegExp | undefined;

  constructor(id: string, text: string, { labels = [], onlyNamed = false }: ForgottenDetails = {}) {
    this.id = id;
    this.#text = text.trim();
    this.#forms = formsOf(this.#text);
    this.#needle = collapsed(this.#text).slice(0, BEGINNING).trim();
    this.#onlyNamed = onlyNamed || this.#text.length < TELLING;
    const words = labels.flatMap(formsOf).map((label) => label.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
    if (words.length > 0)
      this.#labels = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`, 'gu');
  }

  isIn(text: string): boolean {
    if (this.#needle === '') return false;
    if (this.#onlyNamed && !text.includes(this.id)) return false;
    return collapsed(text).includes(this.#needle);
  }

  /** The text without it; where it cannot be told from the rest, nothing of the text stays. */
  takenOut(text: string): string {
    const rest = this.#withoutLabels(this.#withoutText(text));
    return this.isIn(rest) ? WHOLE_MARK : rest;
  }

  /** A field of an object that has the id of the memory in another field. */
  takenOutOfField(text: string): string {
    const rest = this.#withoutText(text);
    const isLeft = this.#needle !== '' && collapsed(rest).includes(this.#needle);
    if (isLeft) return FORGOTTEN_MARK;
    return this.#labels === undefined ? rest : rest.replace(this.#labels, FORGOTTEN_MARK);
  }

  #withoutText(text: string): string {
    return this.#forms.reduce((rest, form) => rest.replaceAll(form, FORGOTTEN_MARK), text);
  }

  /** Category and tags are shown between the id of their memory and that of the next, or on one line with the short id. */
  #withoutLabels(text: string): string {
    const labels = this.#labels;
    if (labels === undefined) return text;
    const parts = text
      .split(AT_AN_ID)
      .map((part) => (part.startsWith(this.id) ? part.replace(labels, FORGOTTEN_MARK) : part));
    const short = this.id.slice(-SHORT_ID);
    return parts
      .join('')
      .replace(/^.*$/gm, (line) =>
        line.includes(` · ${short}`) ? line.replace(labels, FORGOTTEN_MARK) : line,
      );
  }
}
