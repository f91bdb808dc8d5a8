/** Extracts the JSON proposal from a model's answer, which may be fenced, surrounded by prose, malformed or truncated. */
import { type ParseError, parse } from 'jsonc-parser';
import {
  checkLessons,
  checkOperation,
  field,
  isObject,
  LESSONS,
  looksLikeOperation,
  type Proposal,
  type ProposedOperation,
} from './proposal.ts';

/** What one session may change at most; a model that proposes more has lost its way. */
export const MOST_OPERATIONS = 50;
const MOST_CHARACTERS = 200_000;
/** Brackets that are looked at before giving up; those that never close cost a look at all that follows. */
const MOST_TRIES = 5_000;
const MOST_UNCLOSED = 100;
const MOST_DEPTH = 32;
/** Where a model ends to think aloud. */
const THOUGHT = /<\/(?:think|thinking|reasoning)>/gi;

interface Found {
  readonly operations: readonly unknown[];
  /** Whether it was a whole proposal, perhaps of nothing. */
  readonly isWhole: boolean;
  readonly summary: unknown;
  readonly isTruncated: boolean;
}

function asProposal(value: unknown, isTruncated: boolean): Found | undefined {
  if (!isObject(value)) return undefined;
  const operations = field(value, 'operations', 'ops', 'memories');
  const summary = field(value, 'summary');
  if (operations === undefined && summary === undefined) return undefined;
  const isWhole = Array.isArray(operations);
  return { operations: Array.isArray(operations) ? operations : [], isWhole, summary, isTruncated };
}

/** One operation, or a list of them. */
function asOperations(value: unknown): readonly unknown[] | undefined {
  if (looksLikeOperation(value)) return [value];
  return Array.isArray(value) && value.some(looksLikeOperation) ? value : undefined;
}

/** Where the value that opens here ends; undefined when it never does, or is not a proposal for its depth. Line breaks inside strings come escaped. */
function valueAt(text: string, start: number): { readonly end: number; readonly json: string } | undefined {
  let depth = 0;
  let isInString = false;
  let json = '';
  let copied = start;
  for (let i = start; i < text.length; i++) {
    const character = text[i]!;
    if (isInString) {
      if (character === '\\') i++;
      else if (character === '"') isInString = false;
      else if (character < ' ') {
        // Models break lines inside strings, which JSON forbids; a parser would take the first line for the whole.
        json += text.slice(copied, i) + JSON.stringify(character).slice(1, -1);
        copied = i + 1;
      }
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') {
      if (++depth > MOST_DEPTH) return undefined;
    } else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return { end: i + 1, json: json + text.slice(copied, i + 1) };
    }
  }
  return undefined;
}

/** Comments and trailing commas are forgiven; a value with any other fault is not used, for it may be half a value. */
function read(json: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(json, errors, { allowTrailingComma: true });
  return errors.length === 0 ? value : undefined;
}

const holdsLessons = (value: unknown): boolean =>
  isObject(value) && Object.keys(LESSONS).some((name) => Array.isArray(field(value, name)));

/** The first whole proposal; without one, every whole operation, as when the answer broke off or came line by line. */
function find(text: string): Found {
  const operations: unknown[] = [];
  let summary: unknown;
  let unclosed = 0;
  let at = nextBracket(text, 0);
  for (let tries = 0; at !== -1 && tries < MOST_TRIES && unclosed < MOST_UNCLOSED; tries++) {
    const found = valueAt(text, at);
    if (found === undefined) {
      unclosed++;
      at = nextBracket(text, at + 1);
      continue;
    }
    const value = read(found.json);
    const proposal = asProposal(value, unclosed > 0);
    if (proposal !== undefined) return proposal;
    const whole = asOperations(value);
    operations.push(...(whole ?? []));
    if (whole === undefined && holdsLessons(value)) summary ??= value;
    at = nextBracket(text, whole === undefined ? at + 1 : found.end);
  }
  return { operations, isWhole: false, summary, isTruncated: unclosed > 0 && operations.length > 0 };
}

function nextBracket(text: string, from: number): number {
  const found = text.slice(from).search(/[{[]/);
  return found === -1 ? -1 : from + found;
}

/** Models that have nothing to propose also say so with an empty list. */
const NOTHING_TO_PROPOSE = /^\s*(?:```\w*)?\s*(?:\[\s*\]|\{\s*\})\s*(?:```)?\s*$/;

/** Never throws. */
export function parseAnswer(answer: string): Proposal {
  const thought = [...answer.matchAll(THOUGHT)].at(-1);
  const begin = thought === undefined ? 0 : thought.index + thought[0].length;
  const text = answer.slice(begin, begin + MOST_CHARACTERS);
  const { operations: given, isWhole, summary, isTruncated } = find(text);
  const operations: ProposedOperation[] = [];
  const malformed: string[] = [];
  for (const value of given.slice(0, MOST_OPERATIONS)) {
    const checked = checkOperation(value);
    if ('operation' in checked) operations.push(checked.operation);
    else malformed.push(checked.malformed);
  }
  const beyondLimit = Math.max(0, given.length - MOST_OPERATIONS);
  const isReadable = given.length > 0 || summary !== undefined || isWhole || NOTHING_TO_PROPOSE.test(text);
  return { operations, malformed, beyondLimit, lessons: checkLessons(summary), isReadable, isTruncated };
}
