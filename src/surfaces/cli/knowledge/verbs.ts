/** `keepsake knowledge …`: which operation is behind each verb, and how it is shown. */
import { verbs } from '../../../verbs.ts';
import { ownVerb, type Positional, type VerbGroup, verb } from '../verbs/verb.ts';
import { indexing } from './indexing.ts';
import { askBeforeRemoving, removing } from './removing.ts';
import * as show from './show.ts';

const byPath: readonly Positional[] = [{ key: 'path', kind: 'id' }];

const verbs = [
  ownVerb(verbs.knowledgeAdd, {
    positionals: byPath,
    actsAs: 'default-agent',
    examples: [
      'keepsake knowledge add docs',
      'keepsake knowledge add manual.pdf --agent my-agent',
      'keepsake knowledge add ../handbook --scope swarm',
    ],
    run: indexing('Indexing', verbs.knowledgeAdd),
    show: show.indexed,
  }),
  verb(verbs.knowledgeSearch, {
    positionals: [{ key: 'query', kind: 'text' }],
    nothing: [],
    actsAs: 'owner',
    ownFlags: [{ flags: '--explain', description: 'Say why each passage is where it is' }],
    examples: [
      'keepsake knowledge search "how do I rotate the keys"',
      'keepsake knowledge search "rotate keys" --limit 3 --json',
    ],
    show: show.found,
  }),
  verb(verbs.knowledgeList, {
    positionals: [],
    nothing: [],
    actsAs: 'owner',
    examples: ['keepsake knowledge list', 'keepsake knowledge list --json'],
    show: show.listed,
  }),
  ownVerb(verbs.knowledgeRefresh, {
    positionals: [],
    actsAs: 'owner',
    examples: ['keepsake knowledge refresh', 'keepsake knowledge refresh --agent my-agent'],
    run: indexing('Refreshing', verbs.knowledgeRefresh),
    show: show.indexed,
  }),
  ownVerb(verbs.knowledgeRemove, {
    positionals: byPath,
    actsAs: 'owner',
    ownFlags: [{ flags: '--all-agents', description: 'Also when it is known to more than one agent' }],
    examples: [
      'keepsake knowledge remove docs --agent my-agent',
      'keepsake knowledge remove docs/old.md --all-agents --yes',
    ],
    confirm: askBeforeRemoving,
    run: removing,
    show: show.removed,
  }),
  verb(verbs.knowledgeStore, {
    positionals: [{ key: 'text', kind: 'text' }],
    actsAs: 'default-agent',
    examples: [
      'keepsake knowledge store "The support line is open from 9 to 5."',
      `curl -s https://example.org/faq.txt | keepsake knowledge store --metadata '{"url":"https://example.org/faq.txt"}' -`,
    ],
    show: show.stored,
  }),
];

export const knowledgeVerbs: VerbGroup = {
  description: 'Indexes external documents and finds passages in them, with file and line.',
  whose: 'Whose knowledge it is; else the default agent',
  verbs,
  examples: ['keepsake knowledge add docs', 'keepsake knowledge search "how do I rotate the keys"'],
};
