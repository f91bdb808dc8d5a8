/** The schema of proposals of a review; invalid ones are dropped individually, with a reason. */

export const OPERATIONS = ['add', 'update', 'supersede', 'delete'] as const;
export type OperationKind = (typeof OPERATIONS)[number];

export interface ProposedOperation {
  readonly op: OperationKind;
  /** The memory to change; null for add. */
  readonly id: string | null;
  readonly category: string | null;
  /** Null for delete. */
  readonly content: string | null;
  readonly confidence: number;
  /** Who the model says said it. */
  readonly from: 'user' | 'assistant' | 'tool' | null;
}

/** The four things a session can teach, as they are shown. */
export const LESSONS = {
  mistakes: 'Mistakes',
  patterns: 'Patterns',
  failedApproaches: 'Failed approaches',
  knowledge: 'Knowledge',
} as const;
export type Lessons = { readonly [K in keyof typeof LESSONS]: readonly string[] };

export interface Proposal {
  readonly operations: readonly ProposedOperation[];
  /** Proposals that were none: of the wrong shape. */
  readonly malformed: readonly string[];
  /** Those beyond the most that one session may propose. */
  readonly beyondLimit: number;
  readonly lessons: Lessons;
  /** False for junk: an answer without anything that a review consists of. */
  readonly isReadable: boolean;
  /** Whether the answer broke off; what was open then is not used. */
  readonly isTruncated: boolean;
}

type Checked = { readonly operation: ProposedOperation } | { readonly malformed: string };

const NAMES = new Map<string, OperationKind>([
  ['add', 'add'],
  ['create', 'add'],
  ['update', 'update'],
  ['supersede', 'supersede'],
  ['replace', 'supersede'],
  ['delete', 'delete'],
  ['remove', 'delete'],
  ['forget', 'delete'],
]);

/** A memory is a sentence or two. Whoever proposes a page has not reviewed anything. */
const MOST_CHARACTERS = 2_000;
const MOST_IN_A_LABEL = 128;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own properties only: "__proto__" in an answer is a word like any other. */
export function field(value: Record<string, unknown>, ...names: readonly string[]): unknown {
  const name = names.find((candidate) => Object.hasOwn(value, candidate));
  return name === undefined ? undefined : value[name];
}

const text = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed().trim() : '');

function confidenceOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= 1 ? number : undefined;
}

function categoryOf(value: unknown): string | null {
  const category = text(value);
  return category === '' || category.length > MOST_IN_A_LABEL || /\p{Cc}/u.test(category) ? null : category;
}

export function looksLikeOperation(value: unknown): value is Record<string, unknown> {
  return isObject(value) && typeof field(value, 'op', 'action', 'operation') === 'string';
}

export function checkOperation(value: unknown): Checked {
  if (!isObject(value)) return { malformed: 'not an object' };
  const op = NAMES.get(text(field(value, 'op', 'action', 'operation')).toLowerCase());
  if (op === undefined) return { malformed: 'no known operation' };
  const id = text(field(value, 'id'));
  if (op !== 'add' && id === '') return { malformed: `${op} without an id` };
  const content = text(field(value, 'content'));
  if (op !== 'delete' && content === '') return { malformed: `${op} without content` };
  if (content.length > MOST_CHARACTERS) return { malformed: 'content too long' };
  const confidence = confidenceOf(field(value, 'confidence'));
  if (confidence === undefined) return { malformed: 'no confidence from 0 to 1' };
  const from = text(field(value, 'from')).toLowerCase();
  return {
    operation: {
      op,
      id: op === 'add' ? null : id,
      category: categoryOf(field(value, 'category')),
      content: op === 'delete' ? null : content,
      confidence,
      from: from === 'user' || from === 'assistant' || from === 'tool' ? from : null,
    },
  };
}

const MOST_LESSONS = 10;
const LONGEST_LESSON = 400;

export function checkLessons(value: unknown): Lessons {
  const given = isObject(value) ? value : { knowledge: typeof value === 'string' ? [value] : [] };
  const list = (name: string): string[] => {
    const entries = field(given, name);
    return (Array.isArray(entries) ? entries : [entries])
      .map(text)
      .filter((entry) => entry !== '' && entry.length <= LONGEST_LESSON)
      .slice(0, MOST_LESSONS);
  };
  return {
    mistakes: list('mistakes'),
    patterns: list('patterns'),
    failedApproaches: list('failedApproaches'),
    knowledge: list('knowledge'),
  };
}
