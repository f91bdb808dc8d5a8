/** What a person plainly asks to keep, found by rules alone: in four languages, because a wrong memory is worse than a missing one. */
import { separateInjected } from '../context/index.ts';
import { ENGLISH } from './plain-languages/english.ts';
import { FRENCH } from './plain-languages/french.ts';
import { GERMAN } from './plain-languages/german.ts';
import type { PlainLanguage } from './plain-languages/language.ts';
import { SPANISH } from './plain-languages/spanish.ts';

export interface PlainStatement {
  readonly content: string;
  /** `request`: the user asked to keep it. `proposal`: it reads like something to keep. */
  readonly kind: 'request' | 'proposal';
}

const LANGUAGES: readonly PlainLanguage[] = [ENGLISH, GERMAN, FRENCH, SPANISH];

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

const isQuestion = (sentence: string): boolean => /\?\s*$/.test(sentence);

function statementIn(sentence: string, language: PlainLanguage): PlainStatement | undefined {
  const requested = firstMatch(sentence, language.requests);
  if (requested !== undefined) {
    const asksWhether = isQuestion(sentence) && !language.asksFor.test(sentence);
    return asksWhether ? undefined : toStatement(requested, 'request', language);
  }
  const proposed = firstMatch(sentence, language.proposals);
  if (proposed === undefined || isQuestion(sentence) || language.passing.test(proposed)) return undefined;
  return toStatement(proposed, 'proposal', language);
}

function toStatement(
  said: string,
  kind: PlainStatement['kind'],
  { notMeant, sentence }: PlainLanguage,
): PlainStatement | undefined {
  const isOne = said.split(/\s+/).length >= 2 && said.length <= LONGEST_STATEMENT && !notMeant.test(said);
  if (!isOne) return undefined;
  const text = said
    .replace(/\s*\?\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\s*[.!]*$/, '.');
  return { content: sentence(text), kind };
}

/** In the order in which the user said them. */
export function plainStatements(userTexts: readonly string[]): readonly PlainStatement[] {
  const found = new Map<string, PlainStatement>();
  for (const text of userTexts) {
    for (const line of typedLines(text)) {
      for (const sentence of line.trim().split(SENTENCE_END)) {
        for (const language of LANGUAGES) {
          const statement = statementIn(sentence, language);
          if (statement === undefined) continue;
          found.set(statement.content.toLowerCase(), statement);
          break;
        }
      }
    }
  }
  return [...found.values()].slice(-MOST_STATEMENTS);
}
