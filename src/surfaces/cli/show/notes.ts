/** How indexing notes looks to a person; the notes are found by `keepsake memory search`. */
import { verbs } from '../../../verbs.ts';
import { indexing } from './knowledge/indexing.ts';
import { indexed } from './knowledge.ts';
import type { Presentations } from './presentation.ts';

export const presentations: Presentations = {
  notesIndex: { run: indexing('Indexing', verbs.notesIndex), show: indexed },
};
