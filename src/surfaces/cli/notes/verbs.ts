/** `keepsake notes …`: indexes notes; they are found by `keepsake memory search`. */
import { verbs } from '../../../verbs.ts';
import { indexing } from '../knowledge/indexing.ts';
import { indexed } from '../knowledge/show.ts';
import { ownVerb, type VerbGroup } from '../verbs/verb.ts';

export const notesVerbs: VerbGroup = {
  description: 'Indexes the notes in agents/<name>/notes, so that memory search finds them.',
  whose: 'Whose notes they are; else the default agent',
  verbs: [
    ownVerb(verbs.notesIndex, {
      positionals: [],
      actsAs: 'owner',
      examples: ['keepsake notes index', 'keepsake notes index --agent my-agent'],
      run: indexing('Indexing', verbs.notesIndex),
      show: indexed,
    }),
  ],
  examples: ['keepsake notes index'],
};
