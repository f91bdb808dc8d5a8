/** The verbs of long-term memory. */

import type { Clock } from '../kernel/clock.ts';
import { withWholeText } from '../kernel/validate.ts';
import { type CliPositional, defineVerb } from '../kernel/verb.ts';
import type { z } from '../kernel/zod.ts';
import type { Storage } from '../ports/storage.ts';
import { recallWithThreads } from './earlier.ts';
import * as inputs from './inputs.ts';
import * as outputs from './outputs.ts';
import type { RecordService } from './record-service.ts';
import * as tools from './tools.ts';

export interface MemoryServices {
  readonly records: RecordService;
  readonly storage: Storage;
  readonly clock: Clock;
}

type Records = Pick<MemoryServices, 'records'>;

const byId: readonly CliPositional[] = [{ key: 'id', kind: 'id' }];

export const memoryAdd = defineVerb({
  name: 'memory.add',
  summary: 'Stores a memory.',
  description:
    'Stores one durable memory and returns it once it is on disk. The same text twice is stored once. Above the cap, the weakest facts leave search; the answer names them.',
  effect: 'write',
  role: 'worker',
  needsAgent: true,
  input: inputs.addInput,
  output: outputs.addedMemory,
  run: ({ records }: Records, input, caller) =>
    records.add(withWholeText(input, inputs.addInput, 'memory.add'), caller),
  sdk: { rest: 'memory', type: 'NewMemory' },
  rest: [{ route: 'POST /v1/memory', status: 201 }],
  cli: {
    positionals: [{ key: 'content', kind: 'text' }],
    actsAs: 'default-agent',
    examples: [
      'keepsake memory add "Prefers short answers."',
      'keepsake memory add --agent my-agent --category preference --content "Likes Python."',
      'git log -1 --format=%B | keepsake memory add --tags release -',
    ],
  },
  tools: [tools.remember],
});

export const memorySearch = defineVerb({
  name: 'memory.search',
  summary: 'Finds memories by what they say.',
  description:
    'Finds live memories for a question in plain words, best first. Each hit has its relevance (0 to 1), its score, and the factors of that score.',
  effect: 'read',
  role: 'reader',
  input: inputs.searchInput,
  output: outputs.hit.array(),
  run: async ({ records }: Records, input, caller) => {
    inputs.requireQuery(inputs.searchInput, 'memory.search', input.query);
    return records.search(input, caller);
  },
  sdk: { positionals: ['query'], type: 'SearchOptions' },
  rest: [{ route: 'GET /v1/memory/search', renamed: { q: 'query' } }],
  cli: {
    positionals: [{ key: 'query', kind: 'text' }],
    nothing: [],
    examples: [
      'keepsake memory search "python"',
      'keepsake memory search --agent my-agent --query "python" --limit 3',
      'keepsake memory search "python" --explain',
      'keepsake memory search "where does she live" --as-of 2026-01-01',
    ],
  },
  tools: [tools.memorySearch],
});

export const memoryRecall = defineVerb({
  name: 'memory.recall',
  summary: 'Recalls what a task needs.',
  description:
    'Returns what to know before a task: standing memory (pinned, instructions, preferences), which always applies, and the memories relevant to the task, which filters narrow down. Only whole memories, together within a budget of characters. Apart from them, a few turns of earlier threads about the task.',
  effect: 'read',
  role: 'reader',
  input: inputs.recallInput,
  output: outputs.recalledMemory,
  run: recallWithThreads,
  sdk: { positionals: ['task'], type: 'RecallOptions' },
  cli: {
    positionals: [{ key: 'task', kind: 'text' }],
    nothing: { standing: [], relevant: [], earlier: [], notices: [] },
    examples: [
      'keepsake memory recall "Open a pull request for the login fix"',
      'keepsake memory recall "Plan the offsite" --agent my-agent --max-chars 1000 --json',
      'keepsake memory recall "Which hotel did we choose in Lisbon?" --agent my-agent --user dana --threads 1',
    ],
  },
  tools: [tools.recall],
});

export const memoryStanding = defineVerb({
  name: 'memory.standing',
  summary: 'Shows the memories that always apply.',
  description:
    'Shows the memories that apply whatever the task is: pinned ones first, then instructions and preferences by confidence and recency. Only whole memories, within a budget of characters.',
  effect: 'read',
  role: 'reader',
  input: inputs.standingInput,
  output: outputs.standingMemory,
  run: ({ records }: Records, input, caller) => records.standing(input, caller),
  sdk: { type: 'StandingOptions' },
  cli: { nothing: { memories: [], leftOut: 0 }, examples: ['keepsake memory standing --agent my-agent'] },
});

export const memoryList = defineVerb({
  name: 'memory.list',
  summary: 'Lists memories, newest first.',
  description:
    'Lists memories, newest first, a page at a time, by category, source, scope, tag, time or state.',
  effect: 'read',
  role: 'reader',
  input: inputs.listInput,
  output: outputs.record.array(),
  run: ({ records }: Records, input, caller) => records.list(input, caller),
  sdk: { type: 'ListOptions' },
  rest: [{ route: 'GET /v1/memory', paged: true }],
  cli: {
    nothing: [],
    examples: [
      'keepsake memory list --agent my-agent',
      'keepsake memory list --category preference --since 2026-11-01',
      'keepsake memory list --state expired --json',
    ],
  },
  tools: [tools.listMemories],
});

export const memoryGet = defineVerb({
  name: 'memory.get',
  summary: 'Shows one memory in full.',
  description:
    'Shows one memory in full, also when it has expired. Counts as an access, which raises it in later searches, unless `peek` is true.',
  effect: 'read',
  role: 'reader',
  input: inputs.getInput,
  output: outputs.record,
  run: ({ records }: Records, input, caller) => records.get(input, caller),
  sdk: { positionals: ['id'] },
  rest: [{ route: 'GET /v1/memory/:id' }],
  cli: { positionals: byId, examples: ['keepsake memory get <id>', 'keepsake memory get <id> --json'] },
  tools: [tools.getMemory, tools.memoryGet],
});

export const memoryUpdate = defineVerb({
  name: 'memory.update',
  summary: 'Changes a memory.',
  description:
    'Changes the given fields of a memory. The previous version stays in its history and can be restored.',
  effect: 'write',
  role: 'worker',
  input: inputs.updateInput,
  output: outputs.updatedMemory,
  run: ({ records }: Records, input, caller) =>
    records.update(withWholeText(input, inputs.updateInput, 'memory.update'), caller),
  sdk: { positionals: ['id'], rest: 'changes', type: 'MemoryChanges' },
  rest: [{ route: 'PATCH /v1/memory/:id' }],
  cli: {
    positionals: [...byId, { key: 'content', kind: 'text' }],
    examples: [
      'keepsake memory update <id> "Prefers answers of two sentences."',
      'keepsake memory update <id> --pinned --tags style',
      'keepsake memory update <id> --expires-at 2027-01-01',
    ],
  },
  tools: [tools.updateMemory],
});

export const memoryPromote = defineVerb({
  name: 'memory.promote',
  summary: 'Shares a memory with the swarm.',
  description: 'Makes a private memory visible to all agents. Only its owner can.',
  effect: 'write',
  role: 'worker',
  input: inputs.promoteInput,
  output: outputs.updatedMemory,
  run: ({ records }: Records, input, caller) => records.update({ ...input, scope: 'swarm' }, caller),
  sdk: { positionals: ['id'] },
  cli: { positionals: byId, examples: ['keepsake memory promote <id>'] },
});

export const memoryForget = defineVerb({
  name: 'memory.forget',
  summary: 'Erases a memory permanently.',
  description:
    'Erases the content of a memory from every table, index and free page, with all of its versions, and reports what was erased. Cannot be undone.',
  effect: 'destroy',
  role: 'worker',
  input: inputs.idInput,
  output: outputs.forgottenMemory,
  run: ({ records }: Records, input, caller) => records.forget(input, caller),
  sdk: { positionals: ['id'] },
  rest: [{ route: 'DELETE /v1/memory/:id' }],
  cli: { positionals: byId, examples: ['keepsake memory forget <id>', 'keepsake memory forget <id> --yes'] },
  tools: [tools.forget, tools.memoryDelete],
});

export const memoryForgetExpired = defineVerb({
  name: 'memory.forgetExpired',
  summary: 'Erases expired memories permanently.',
  description:
    'Expired memories leave search but stay readable by id until this call erases them. With dryRun it only reports which ones.',
  effect: 'destroy',
  role: 'worker',
  input: inputs.pruneInput,
  output: outputs.prunedMemories,
  run: ({ records }: Records, input, caller) => records.forgetExpired(input, caller),
  sdk: { type: 'ForgetExpiredOptions' },
  cli: {
    examples: [
      'keepsake memory forget-expired',
      'keepsake memory forget-expired --dry-run',
      'keepsake memory forget-expired --source session_summary --yes',
    ],
  },
});

export const memoryHistory = defineVerb({
  name: 'memory.history',
  summary: 'Shows every version of a memory.',
  description: 'Shows every version of a memory, oldest first, with who changed it and when.',
  effect: 'read',
  role: 'reader',
  input: inputs.idInput,
  output: outputs.recordVersion.array(),
  run: ({ records }: Records, input, caller) => records.history(input, caller),
  sdk: { positionals: ['id'] },
  rest: [{ route: 'GET /v1/memory/:id/history' }],
  cli: { positionals: byId, examples: ['keepsake memory history <id>'] },
});

export const memoryUndo = defineVerb({
  name: 'memory.undo',
  summary: 'Undoes the last change of a memory.',
  description:
    'Restores the version before the last change, or a given one, as a new version. The history keeps both.',
  effect: 'write',
  role: 'worker',
  input: inputs.undoInput,
  output: outputs.updatedMemory,
  run: ({ records }: Records, input, caller) => records.undo(input, caller),
  sdk: { positionals: ['id'], type: 'UndoOptions' },
  cli: {
    positionals: byId,
    examples: ['keepsake memory undo <id>', 'keepsake memory undo <id> --version 1'],
  },
});

export const memoryOutline = defineVerb({
  name: 'memory.outline',
  summary: 'Counts the memories of a list and says where its pages begin.',
  description:
    'Counts the memories that memory.list returns with the same filters, and names the last memory of each page, for its "after".',
  effect: 'read',
  role: 'reader',
  input: inputs.outlineInput,
  output: outputs.memoryOutline,
  run: async ({ records }: Records, input: z.output<typeof inputs.outlineInput>, caller) => {
    const { outlineOf } = await import('./outline.ts');
    return outlineOf(records, input, caller);
  },
  cli: false,
});

export const memoryStats = defineVerb({
  name: 'memory.stats',
  summary: 'Shows statistics of memory.',
  description:
    'Shows how memory grew, how often a recall found something, and what prompts cost, day by day, with the live memories by agent, source and category. Covers all agents, so it is for the owner.',
  effect: 'read',
  role: 'admin',
  input: inputs.statsInput,
  output: outputs.memoryStats,
  run: async (services: MemoryServices, input, caller) => {
    const { memoryStatsOf } = await import('./stats.ts');
    return memoryStatsOf(services, input, caller);
  },
  cli: {
    without: ['agent'],
    examples: ['keepsake memory stats', 'keepsake memory stats --days 7 --json'],
  },
});
