/** The verbs of items. */

import { count, jsonValue, text, time } from '../kernel/schema-parts.ts';
import { defineVerb } from '../kernel/verb.ts';
import { z } from '../kernel/zod.ts';
import { getInput, listInput, namespacesInput, searchInput, writeInput } from './inputs.ts';
import type { ItemService } from './item-service.ts';

export interface ItemServices {
  readonly items: ItemService;
}

/** A checkpoint of a long conversation, with its files, in one piece. */
const MAX_BODY = 64 * 1024 * 1024;

const revision = text.describe('Changes with every write; for ifRevision.');
const item = {
  agent: text,
  user: text.describe('Empty: of the agent itself.'),
  namespace: z.array(text),
  key: text,
  value: jsonValue,
  seq: count.describe('Place in the order of adding.'),
  revision,
  createdAt: time,
  updatedAt: time,
};

export const itemsGet = defineVerb({
  name: 'items.get',
  summary: 'Reads items by their keys.',
  description:
    'Reads items of one namespace by their exact keys. Keys that do not exist are left out of the answer.',
  effect: 'read',
  role: 'reader',
  needsAgent: true,
  input: getInput,
  output: z.array(z.strictObject(item)),
  run: ({ items }: ItemServices, input, caller) => items.get(input, caller),
  sdk: { positionals: ['namespace', 'keys'], type: 'ItemsGetOptions' },
  cli: false,
});

export const itemsList = defineVerb({
  name: 'items.list',
  summary: 'Lists items in the order of adding.',
  description:
    'Lists the items of a namespace and of those below it, in the order in which they were added, with filters on fields of their values.',
  effect: 'read',
  role: 'reader',
  input: listInput,
  output: z.array(z.strictObject(item)),
  run: ({ items }: ItemServices, input, caller) => items.list(input, caller),
  cli: {
    nothing: [],
    without: ['filter'],
    examples: ['keepsake items list', 'keepsake items list --namespace memories --newest --json'],
  },
});

export const itemsSearch = defineVerb({
  name: 'items.search',
  summary: 'Searches items by meaning and words.',
  description:
    'Ranks the items of a namespace and of those below it for a question, best first. Every item is ranked: there is no threshold. Items that were stored without texts come last, with a score of null.',
  effect: 'read',
  role: 'reader',
  input: searchInput,
  output: z.array(z.strictObject({ ...item, score: z.number().nullable() })),
  run: ({ items }: ItemServices, input, caller) => items.search(input, caller),
  sdk: { positionals: ['query'] },
  cli: {
    nothing: [],
    without: ['filter'],
    positionals: [{ key: 'query', kind: 'text' }],
    examples: ['keepsake items search "what does she eat" --namespace memories'],
  },
});

export const itemsNamespaces = defineVerb({
  name: 'items.namespaces',
  summary: 'Lists the namespaces that have items.',
  description: 'Lists the namespaces that have items, by the labels with which they begin or end.',
  effect: 'read',
  role: 'reader',
  input: namespacesInput,
  output: z.array(z.array(text)),
  run: ({ items }: ItemServices, input, caller) => items.namespaces(input, caller),
  cli: { nothing: [], examples: ['keepsake items namespaces', 'keepsake items namespaces --max-depth 1'] },
});

export const itemsWrite = defineVerb({
  name: 'items.write',
  summary: 'Writes and removes items, all or nothing.',
  description:
    'Puts, removes and clears items in one transaction: all of it is done, or nothing. A condition (ifRevision) that does not hold fails with CONFLICT.',
  effect: 'write',
  role: 'worker',
  needsAgent: true,
  input: writeInput,
  output: z.array(
    z.strictObject({
      outcome: z.enum(['created', 'replaced', 'kept', 'removed', 'absent', 'cleared']),
      revision: revision.nullable(),
      changed: count.describe('How many items were written or removed.'),
    }),
  ),
  maxBody: MAX_BODY,
  run: ({ items }: ItemServices, input, caller) => items.write(input, caller),
  sdk: { positionals: ['writes'] },
  cli: false,
});
