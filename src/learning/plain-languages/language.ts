/** What the rules of one language say about a sentence. */

export interface PlainLanguage {
  /** The group `said` is what the user asked to keep. */
  readonly requests: readonly RegExp[];
  /** The group `said` reads like something to keep. */
  readonly proposals: readonly RegExp[];
  /** "Can you remember that …?" asks for it; "Remember that …?" asks whether one does. */
  readonly asksFor: RegExp;
  /** Matches words that look like a request or an order and are neither. */
  readonly notMeant: RegExp;
  /** Holds only for a while. */
  readonly passing: RegExp;
  /** As a sentence of its own. "I" is said by the user, which a reader of the memory could not know. */
  sentence(said: string): string;
}

export const capitalised = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Ignores case, and knows letters beyond a to z. */
export const rule = (pattern: string): RegExp => new RegExp(pattern, 'isu');
