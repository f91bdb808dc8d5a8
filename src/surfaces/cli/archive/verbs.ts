/** `keepsake archive …`: the verbs on transcripts that compactions saved. */
import { verbs } from '../../../verbs.ts';
import { oneLine } from '../terminal/printable.ts';
import { type VerbGroup, verb } from '../verbs/verb.ts';
import * as show from './show.ts';

const verbs = [
  verb(verbs.archiveList, {
    positionals: [],
    nothing: [],
    actsAs: 'default-agent',
    examples: ['keepsake archive list', 'keepsake archive list --agent my-agent --json'],
    show: show.listed,
  }),
  verb(verbs.archiveGet, {
    positionals: [{ key: 'name', kind: 'id' }],
    actsAs: 'default-agent',
    examples: ['keepsake archive show history_2026-04-20_14-30-45.md'],
    show: show.whole,
  }),
  verb(verbs.archiveSearch, {
    positionals: [{ key: 'query', kind: 'text' }],
    nothing: [],
    actsAs: 'default-agent',
    examples: ['keepsake archive search "invoice"'],
    show: show.found,
  }),
  verb(verbs.archiveDiff, {
    positionals: [
      { key: 'from', kind: 'id' },
      { key: 'to', kind: 'id' },
    ],
    actsAs: 'default-agent',
    examples: ['keepsake archive diff history_2026-04-20_14-30-45.md'],
    show: show.compared,
  }),
  verb(verbs.archiveRestore, {
    positionals: [{ key: 'name', kind: 'id' }],
    actsAs: 'default-agent',
    examples: [
      'keepsake archive restore history_2026-04-20_14-30-45.md',
      'keepsake archive restore history_2026-04-20_14-30-45.md --yes',
    ],
    confirm: async ({ input, caller }) =>
      `Make ${oneLine(String(input.name))} the active MEMORY.md of ${caller.viewer.agent} again? What is active now is archived first.`,
    show: show.restored,
  }),
];

export const archiveVerbs: VerbGroup = {
  description: 'Shows, searches, compares and brings back the transcripts that compactions saved.',
  whose: 'Whose archives they are; else the default agent',
  verbs,
  examples: ['keepsake archive list', 'keepsake archive search "invoice"'],
};
