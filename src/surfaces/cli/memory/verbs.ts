/** `keepsake memory …`: which operation is behind each verb, which of its fields come without a flag, and how it is shown. */
import { operations } from '../../../operations/index.ts';
import { oneLine } from '../terminal/printable.ts';
import { truncate } from '../terminal/width.ts';
import { type Positional, type VerbCall, type VerbGroup, verb } from '../verbs/verb.ts';
import * as show from './show.ts';

const byId: readonly Positional[] = [{ key: 'id', kind: 'id' }];

/** Shows what is about to be erased; a look in passing must not count as an access. */
async function askBeforeForgetting({ engine, caller, input }: VerbCall): Promise<string | undefined> {
  const { storage, clock } = engine;
  const record = await storage.records.get(String(input.id), caller.viewer, clock.now());
  if (record === null || record.state === 'forgotten') return undefined;
  return `Forget "${truncate(oneLine(record.content), 60)}" for good? This cannot be undone.`;
}

const verbs = [
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
    ownFlags: [{ flags: '--explain', description: 'Show every factor of each score' }],
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
    confirm: askBeforeForgetting,
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

export const memoryVerbs: VerbGroup = {
  description:
    'Adds, finds, changes and forgets memories. Without --agent, reading covers the whole workspace.',
  whose: 'Whose memory it is; else the default agent',
  verbs,
  examples: [
    'keepsake memory add "Prefers short answers."',
    'keepsake memory search "answers"',
    'keepsake memory list --agent my-agent',
  ],
  knownAgents: async ({ storage }) => (await storage.records.agents()).map(({ name }) => name),
};
