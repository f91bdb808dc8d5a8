/** What a person plainly asks to keep, found by rules alone. English only: a wrong memory is worse than a missing one. */
import { separateInjected } from '../context/index.ts';

export interface PlainStatement {
  readonly content: string;
  /** `request`: the user asked to keep it. `proposal`: it reads like something to keep. */
  readonly kind: 'request' | 'proposal';
}

/** What may stand before the words that matter. */
const POLITE = String.raw`(?:(?:please|pls|ok(?:ay)?|and|also|oh|thanks|hey|by the way|btw|(?:can|could|will|would) you(?: please)?)[,!]?\s+)*`;
const REQUESTS: readonly RegExp[] = [
  new RegExp(
    String.raw`^${POLITE}(?:remember|keep in mind|bear in mind)(?:\s+that\s+|\s*[:,]\s*)(?<said>.+)$`,
    'is',
  ),
  new RegExp(String.raw`^${POLITE}(?:do not|don['’]t) forget(?:\s+that\s+|\s*[:,]\s*)(?<said>.+)$`, 'is'),
  new RegExp(
    String.raw`^${POLITE}(?:from now on|going forward|in (?:the )?future|for future reference)\s*[,:]?\s+(?<said>.+)$`,
    'is',
  ),
];
const PROPOSALS: readonly RegExp[] = [
  new RegExp(String.raw`^${POLITE}(?<said>(?:always|never)\s+[a-z]+\s+.+)$`, 'is'),
  new RegExp(
    String.raw`^${POLITE}(?<said>(?:we|the team)(?:['’]ve|\s+have)?\s+(?:decided|agreed)\s+(?:to|that|on|against)\s+.+)$`,
    'is',
  ),
  /^no[,.:]?\s+(?<said>(?:it(?:['’]s|\s+is|\s+was)|that(?:['’]s|\s+is)|(?:the|our|my)\s+[\w -]{1,60}?\s+(?:is|are|was|were))\s+[^,]{1,80},\s*not\s+.+)$/is,
];

/** "that time", "that bug we had": a thing that is pointed at, not a statement. */
const POINTED_AT =
  /^(?:time|day|one|thing|bug|issue|error|problem|conversation|discussion|meeting|command|file|thread)s?\b(?=\s+(?:we|i|you|when|where|that|from|about|with|in)\b|[\s.!?]*$)/i;
/** After "always" and "never" an order names a verb in its first form. */
const NOT_AN_ORDER =
  /^(?:always|never)\s+(?:mind|a|an|the|been|seen|had|heard|knew|thought|got|was|is|are|good|nice|happy|glad|fun|ever|again|once|[a-z]+(?:ed|ing)|[a-z]{2,}(?:[^s\W]s|shes|ches|sses))\b/i;
/** Holds only for a while. */
const PASSING =
  /\b(?:for now|right now|this time|today|tonight|for the moment|until (?:i|we|you)|(?:in|for|during) this (?:session|task|pr|pull request|branch|commit|change|file|chat|conversation)|when you are done|when you['’]re done)\b/i;
const LINE_OF_A_PROGRAM =
  /^\s*(?:[>|$#<{}[\]`*/\\]|\/\/|--|\d{2,4}[-:/.]\d{2}|(?:error|warn|info|debug|trace)\b|at\s)/i;
const QUOTED = /^\s*["'“”‘’«»]/;
const SENTENCE_END = /(?<=[.!?])\s+/u;
/** Who types more than this at once has pasted it. */
const LONGEST_TYPED = 1_500;
const LONGEST_STATEMENT = 400;
const MOST_STATEMENTS = 20;

/** The lines that somebody typed: not code, not a quotation, not a pasted page. */
function typedLines(text: string): string[] {
  const { own } = separateInjected(text);
  if (own.length > LONGEST_TYPED) return [];
  return own
    .replaceAll(/```[\s\S]*?(?:```|$)/g, '\n')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !LINE_OF_A_PROGRAM.test(line) && !QUOTED.test(line));
}

function firstMatch(sentence: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const said = pattern.exec(sentence)?.groups?.said?.trim();
    if (said !== undefined && said !== '') return said;
  }
  return undefined;
}

function isStatement(said: string): boolean {
  return said.split(/\s+/).length >= 2 && said.length <= LONGEST_STATEMENT && !POINTED_AT.test(said);
}

function statementIn(sentence: string): PlainStatement | undefined {
  const requested = firstMatch(sentence, REQUESTS);
  if (requested !== undefined) {
    // "Can you remember that …?" asks for it; "Remember that …?" asks whether one does.
    const asks =
      /\?\s*$/.test(sentence) && !/^\W*(?:\w+[,!]?\s+){0,3}(?:can|could|will|would) you\b/i.test(sentence);
    if (asks || !isStatement(requested)) return undefined;
    return { content: written(requested.replace(/\?\s*$/, '.')), kind: 'request' };
  }
  const proposed = firstMatch(sentence, PROPOSALS);
  if (proposed === undefined || /\?\s*$/.test(sentence)) return undefined;
  if (!isStatement(proposed) || NOT_AN_ORDER.test(proposed) || PASSING.test(proposed)) return undefined;
  return { content: written(proposed), kind: 'proposal' };
}

/** As a sentence of its own. "I" is said by the user, which a reader of the memory could not know. */
function written(said: string): string {
  const text = said
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!]*$/, '.');
  if (/\b(?:I|I['’]m|my|me|mine)\b/.test(text)) return `The user says: ${text}`;
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** In the order in which the user said them. */
export function plainStatements(userTexts: readonly string[]): readonly PlainStatement[] {
  const found = new Map<string, PlainStatement>();
  for (const text of userTexts) {
    for (const line of typedLines(text)) {
      for (const sentence of line.trim().split(SENTENCE_END)) {
        const statement = statementIn(sentence);
        if (statement !== undefined) found.set(statement.content.toLowerCase(), statement);
      }
    }
  }
  return [...found.values()].slice(-MOST_STATEMENTS);
}
