/** The type of a pattern: name, reason and weight. */

/** The families of what the guard looks for; these are the reasons that events and errors carry. */
export const REASONS = [
  'role-marker',
  'order',
  'override-phrase',
  'jailbreak-trigger',
  'prompt-extraction',
  'secret-request',
  'exfiltration',
  'persistence',
  'concealment',
  'fake-authority',
  'output-forcing',
  'tool-abuse',
  'hidden-text',
  'flooding',
] as const;
export type Reason = (typeof REASONS)[number];

interface Common {
  /** Unique; says what it is, for whoever reads `keepsake guard scan`. */
  readonly name: string;
  readonly reason: Reason;
  /** From 1 on a text is refused whoever wrote it; below that it depends on the origin and on what else is found. */
  readonly weight: number;
}

/**
 * Words in order, in one sentence. `IGNORE 4 PRIOR 3 RULES` are three concepts of the lexicon with at most four and three
 * words between them; `say|print` are words themselves; `instruct*` is a beginning.
 */
export interface Phrase extends Common {
  readonly phrase: string;
  /** Not when a negation stands just before: "never ignore previous instructions". */
  readonly unlessNegated?: true;
}

/** A regular expression for what is not made of words. Every repetition in it has a bound, and none is inside another. */
export interface Shape extends Common {
  readonly shape: RegExp;
}

export type Pattern = Phrase | Shape;
