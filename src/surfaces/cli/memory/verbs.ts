/** `keepsake memory …`: which operation is behind each verb, which of its fields come without a flag, and how it is shown. */
import { KeepsakeError } from '../../../kernel/errors.ts';
import { callVerb } from '../../../kernel/verb.ts';
import { verbs } from '../../../verbs.ts';
import { someoneIsThere } from '../terminal/confirm.ts';
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

async function expiredOnes({ engine, input, caller }: VerbCall) {
  const { expired } = await callVerb(verbs.memoryForgetExpired, engine, { ...input, dryRun: true }, caller);
  return expired;
}

/** Shows what is about to be erased before it asks. */
async function askBeforePruning(call: VerbCall): Promise<string | undefined> {
  if (call.options.expired !== true || call.options.dryRun === true) return undefined;
  const expired = await expiredOnes(call);
  if (expired.length === 0) return undefined;
  show.aboutToPrune(expired, call.context);
  return `Erase ${expired.length === 1 ? 'it' : `all ${expired.length}`} for good? This cannot be undone.`;
}

/** Without a person to ask and without --yes, it only shows. */
function prune(call: VerbCall): Promise<unknown> {
  const { engine, input, caller, options } = call;
  if (options.expired !== true) {
    throw new KeepsakeError('INVALID_INPUT', 'Say what to prune.', {
      hint: 'Add --expired to erase what has expired.',
    });
  }
  const sure = options.yes === true || someoneIsThere();
  return callVerb(verbs.memoryForgetExpired, engine, sure ? input : { ...input, dryRun: true }, caller);
}

const verbs = [
  verb(verbs.memoryAdd, {
    positionals: [{ key: 'content', kind: 'text' }],
    actsAs: 'default-agent',
    examples: [
      'keepsake memory add "Prefers short answers."',
      'keepsake memory add --agent my-agent --category preference --content "Likes Python."',
      'git log -1 --format=%B | keepsake memory add --tags release -',
    ],
    show: show.added,
  }),
  verb(verbs.memorySearch, {
    positionals: [{ key: 'query', kind: 'text' }],
    nothing: [],
    actsAs: 'owner',
    examples: [
      'keepsake memory search "python"',
      'keepsake memory search --agent my-agent --query "python" --limit 3',
      'keepsake memory search "python" --explain',
      'keepsake memory search "where does she live" --as-of 2026-01-01',
    ],
    ownFlags: [{ flags: '--explain', description: 'Say why each hit is where it is' }],
    show: show.found,
  }),
  verb(verbs.memoryRecall, {
    positionals: [{ key: 'task', kind: 'text' }],
    nothing: { standing: [], relevant: [] },
    actsAs: 'owner',
    examples: [
      'keepsake memory recall "Open a pull request for the login fix"',
      'keepsake memory recall "Plan the offsite" --agent my-agent --max-chars 1000 --json',
    ],
    show: show.recalled,
  }),
  verb(verbs.memoryStanding, {
    positionals: [],
    nothing: { memories: [], leftOut: 0 },
    actsAs: 'owner',
    examples: ['keepsake memory standing --agent my-agent'],
    show: show.standing,
  }),
  verb(verbs.memoryList, {
    positionals: [],
    nothing: [],
    actsAs: 'owner',
    examples: [
      'keepsake memory list --agent my-agent',
      'keepsake memory list --category preference --since 2026-11-01',
      'keepsake memory list --state expired --json',
    ],
    show: show.listed,
  }),
  verb(verbs.memoryGet, {
    positionals: byId,
    actsAs: 'owner',
    examples: ['keepsake memory get <id>', 'keepsake memory get <id> --json'],
    show: show.whole,
  }),
  verb(verbs.memoryUpdate, {
    positionals: [...byId, { key: 'content', kind: 'text' }],
    actsAs: 'owner',
    examples: [
      'keepsake memory update <id> "Prefers answers of two sentences."',
      'keepsake memory update <id> --pinned --tags style',
      'keepsake memory update <id> --expires-at 2027-01-01',
    ],
    show: show.changed,
  }),
  verb(verbs.memoryForget, {
    positionals: byId,
    actsAs: 'owner',
    examples: ['keepsake memory forget <id>', 'keepsake memory forget <id> --yes'],
    confirm: askBeforeForgetting,
    show: show.forgotten,
  }),
  verb(verbs.memoryHistory, {
    positionals: byId,
    actsAs: 'owner',
    examples: ['keepsake memory history <id>'],
    show: show.versions,
  }),
  verb(verbs.memoryUndo, {
    positionals: byId,
    actsAs: 'owner',
    examples: ['keepsake memory undo <id>', 'keepsake memory undo <id> --version 1'],
    show: show.changed,
  }),
  {
    ...verb(verbs.memoryForgetExpired, {
      positionals: [],
      actsAs: 'owner',
      ownFlags: [{ flags: '--expired', description: 'Erase what has expired' }],
      examples: [
        'keepsake memory prune --expired',
        'keepsake memory prune --expired --dry-run',
        'keepsake memory prune --expired --source session_summary --yes',
      ],
      confirm: askBeforePruning,
      show: show.pruned,
    }),
    run: prune,
  },
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
};
