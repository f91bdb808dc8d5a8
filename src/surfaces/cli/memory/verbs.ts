/** `keepsake memory …`: which operation is behind each verb, which of its fields come without a flag, and how it is shown. */
import type { z } from 'zod';
import { type Operation, operations } from '../../../operations/index.ts';
import type { Context } from '../context.ts';
import * as show from './show.ts';

export interface Positional {
  /** Key of the operation's input. */
  readonly key: string;
  /** `text`: the words are joined, may be given by the flag instead, and "-" reads them from stdin. */
  readonly kind: 'id' | 'text';
}

export interface Verb {
  readonly operation: Operation;
  readonly positionals: readonly Positional[];
  /** Whose eyes and hands it uses without --agent: the owner's, who sees all, or the default agent's. */
  readonly actsAs: 'owner' | 'default-agent';
  readonly examples: readonly string[];
  show(result: unknown, context: Context, options: ShowOptions): void;
}

export interface ShowOptions {
  readonly agent: string | undefined;
  readonly explain: boolean;
  /** The input as it was sent, for remarks such as "the page is full". */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Ties the type of an operation's output to the function that shows it. */
function verb<Output>(
  operation: Operation<z.ZodType, Output>,
  rest: Omit<Verb, 'operation' | 'show'> & {
    show: (result: Output, context: Context, options: ShowOptions) => void;
  },
): Verb {
  return { ...rest, operation, show: rest.show as Verb['show'] };
}

const byId: readonly Positional[] = [{ key: 'id', kind: 'id' }];

export const VERBS: readonly Verb[] = [
  verb(operations.memoryAdd, {
    positionals: [{ key: 'content', kind: 'text' }],
    actsAs: 'default-agent',
    examples: [
      'keepsake memory add "Prefers short answers."',
      'keepsake memory add --agent my-agent --category preference --content "Likes Python."',
      'git log -1 --format=%B | keepsake memory add --tags release -',
    ],
    show: show.added,
  }),
  verb(operations.memorySearch, {
    positionals: [{ key: 'query', kind: 'text' }],
    actsAs: 'owner',
    examples: [
      'keepsake memory search "python"',
      'keepsake memory search --agent my-agent --query "python" --limit 3',
      'keepsake memory search "python" --explain',
    ],
    show: show.found,
  }),
  verb(operations.memoryList, {
    positionals: [],
    actsAs: 'owner',
    examples: [
      'keepsake memory list --agent my-agent',
      'keepsake memory list --category preference --since 2026-11-01',
      'keepsake memory list --state expired --json',
    ],
    show: show.listed,
  }),
  verb(operations.memoryGet, {
    positionals: byId,
    actsAs: 'owner',
    examples: ['keepsake memory get <id>', 'keepsake memory get <id> --json'],
    show: show.whole,
  }),
  verb(operations.memoryUpdate, {
    positionals: [...byId, { key: 'content', kind: 'text' }],
    actsAs: 'owner',
    examples: [
      'keepsake memory update <id> "Prefers answers of two sentences."',
      'keepsake memory update <id> --pinned --tags style',
      'keepsake memory update <id> --expires-at 2027-01-01',
    ],
    show: show.changed,
  }),
  verb(operations.memoryForget, {
    positionals: byId,
    actsAs: 'owner',
    examples: ['keepsake memory forget <id>', 'keepsake memory forget <id> --yes'],
    show: show.forgotten,
  }),
  verb(operations.memoryHistory, {
    positionals: byId,
    actsAs: 'owner',
    examples: ['keepsake memory history <id>'],
    show: show.versions,
  }),
  verb(operations.memoryUndo, {
    positionals: byId,
    actsAs: 'owner',
    examples: ['keepsake memory undo <id>', 'keepsake memory undo <id> --version 1'],
    show: show.changed,
  }),
];
