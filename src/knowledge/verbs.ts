/** The verbs of external documents and of notes in files. */

import { count, scope, text, time } from '../kernel/schema-parts.ts';
import { type CliPositional, defineVerb } from '../kernel/verb.ts';
import { z } from '../kernel/zod.ts';
import { memoryOutputs, requireQuery } from '../records/index.ts';
import {
  addKnowledgeInput,
  nothingInput,
  pathInput,
  searchKnowledgeInput,
  storeKnowledgeInput,
} from './inputs.ts';
import type { KnowledgeService } from './knowledge-service.ts';
import type { NotesService } from './notes-service.ts';

export interface KnowledgeServices {
  readonly knowledge: KnowledgeService;
  readonly notes: NotesService;
}

type Knowledge = Pick<KnowledgeServices, 'knowledge'>;

const byPath: readonly CliPositional[] = [{ key: 'path', kind: 'id' }];
const indexed = z.strictObject({
  files: count,
  added: count.describe('Chunks.'),
  updated: count,
  removed: count,
  skipped: z.array(z.strictObject({ path: text, reason: text })),
});

export const knowledgeAdd = defineVerb({
  name: 'knowledge.add',
  summary: 'Indexes a folder, a file or a web page.',
  description:
    'Splits the Markdown, text, HTML, PDF, Office and code files of a folder, of a pattern such as "docs/**/*.md", or one page of the web into chunks that can be searched and cited. A second call reads only what changed and erases what is gone from disk. Hidden and git-ignored files are left out.',
  effect: 'write',
  // Reads files of the server, although only below the workspace.
  role: 'lead',
  needsAgent: true,
  input: addKnowledgeInput,
  output: indexed,
  run: ({ knowledge }: Knowledge, input, caller, options) => knowledge.add(input, caller, options),
  sdk: { positionals: ['path'], progress: true },
  cli: {
    ...{ positionals: byPath, actsAs: 'default-agent' },
    examples: [
      'keepsake knowledge add docs',
      'keepsake knowledge add manual.pdf --agent my-agent',
      'keepsake knowledge add ../handbook --scope swarm',
      'keepsake knowledge add https://example.org/manual.html',
    ],
  },
});

export const knowledgeSearch = defineVerb({
  name: 'knowledge.search',
  summary: 'Finds passages of documents by their text.',
  description:
    'Finds passages of external documents for a question in plain words, best first, each with its citation: file and lines, or page.',
  effect: 'read',
  role: 'reader',
  input: searchKnowledgeInput,
  output: memoryOutputs.hit
    .extend({
      citation: text.describe('File and lines, or page, slide, chapter, or sheet and rows.'),
      also: text.array().describe('Other places that say exactly the same.'),
    })
    .array(),
  run: async ({ knowledge }: Knowledge, input, caller) => {
    requireQuery(searchKnowledgeInput, 'knowledge.search', input.query);
    return knowledge.search(input, caller);
  },
  sdk: { positionals: ['query'] },
  rest: [{ route: 'GET /v1/knowledge/search', renamed: { q: 'query' } }],
  cli: {
    ...{ positionals: [{ key: 'query', kind: 'text' }], nothing: [] },
    examples: [
      'keepsake knowledge search "how do I rotate the keys"',
      'keepsake knowledge search "rotate keys" --limit 3 --json',
      'keepsake knowledge search "rotate keys" --path "docs/**/*.md"',
    ],
  },
});

export const knowledgeList = defineVerb({
  name: 'knowledge.list',
  summary: 'Lists the folders and files that were added.',
  description: 'Lists every folder or file that was added, with its files and their number of chunks.',
  effect: 'read',
  role: 'reader',
  input: nothingInput,
  output: z.array(
    z.strictObject({
      ...{ agent: text, root: text, scope, chunks: count },
      files: z.array(z.strictObject({ path: text, chunks: count, updatedAt: time })),
    }),
  ),
  run: ({ knowledge }: Knowledge, _input, caller) => knowledge.list(caller),
  cli: { nothing: [], examples: ['keepsake knowledge list', 'keepsake knowledge list --json'] },
});

export const knowledgeRefresh = defineVerb({
  name: 'knowledge.refresh',
  summary: 'Updates the index of all added documents.',
  description:
    'Reads all added folders and files again: new and changed files are indexed, missing files are erased from memory. If a folder no longer exists, this is reported and its chunks are kept.',
  effect: 'write',
  role: 'worker',
  input: nothingInput,
  output: indexed,
  run: ({ knowledge }: Knowledge, _input, caller, options) => knowledge.refresh(caller, options),
  sdk: { progress: true },
  cli: { examples: ['keepsake knowledge refresh', 'keepsake knowledge refresh --agent my-agent'] },
});

export const knowledgeRemove = defineVerb({
  name: 'knowledge.remove',
  summary: 'Removes a folder or a file from memory.',
  description:
    'Erases the chunks of a file, or of all files of a folder, permanently. The files themselves are not changed.',
  effect: 'destroy',
  role: 'worker',
  input: pathInput,
  output: z.strictObject({ files: count, removed: count }),
  run: ({ knowledge }: Knowledge, input, caller) => knowledge.remove(input, caller),
  sdk: { positionals: ['path'] },
  cli: {
    positionals: byPath,
    examples: [
      'keepsake knowledge remove docs --agent my-agent',
      'keepsake knowledge remove docs/old.md --all-agents --yes',
    ],
  },
});

export const knowledgeStore = defineVerb({
  name: 'knowledge.store',
  summary: 'Stores a text that is not in a file.',
  description:
    'Stores a text as external knowledge, split into chunks if it is long, and returns the id of the first. The url or title in its metadata is cited.',
  effect: 'write',
  role: 'worker',
  needsAgent: true,
  input: storeKnowledgeInput,
  output: z.strictObject({ id: text, chunks: count }),
  run: ({ knowledge }: Knowledge, input, caller) => knowledge.store(input, caller),
  sdk: { positionals: ['text'] },
  cli: {
    ...{ positionals: [{ key: 'text', kind: 'text' }], actsAs: 'default-agent' },
    examples: [
      'keepsake knowledge store "The support line is open from 9 to 5."',
      `curl -s https://example.org/faq.txt | keepsake knowledge store --metadata '{"url":"https://example.org/faq.txt"}' -`,
    ],
  },
});

export const notesIndex = defineVerb({
  name: 'notes.index',
  summary: 'Indexes the notes that agents keep in files.',
  description:
    'Makes agents/<name>/notes/**/*.md searchable in the memory of the agent: of one agent, or of all when the owner asks. Reads only what changed; notes that are gone are erased from memory.',
  effect: 'write',
  role: 'worker',
  input: nothingInput,
  output: indexed,
  run: ({ notes }: KnowledgeServices, _input, caller, options) => notes.index(caller, options),
  sdk: { progress: true },
  cli: { examples: ['keepsake notes index', 'keepsake notes index --agent my-agent'] },
});
