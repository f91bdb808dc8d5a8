/** Cuts the text and the labels of a record into the words that the text index holds. */
import type { Scope } from '../../../kernel/scope.ts';
import { splitWords } from '../../common/record-words.ts';
import { storedJson } from '../../common/stored-json.ts';
import type { Words } from '../../search-kernels/text/inverted-index.ts';

/** The fields of a record that the index holds. Removal needs exactly what was inserted. */
export interface Indexed {
  readonly agent: string;
  readonly user: string | null;
  readonly scope: Scope;
  readonly category: string;
  readonly content: string;
  /** JSON, as stored. */
  readonly tags: string;
}

export function wordsOf({ content, category, tags }: Omit<Indexed, 'agent' | 'user' | 'scope'>): Words {
  return splitWords({ content, category, tags: storedJson<string[]>(tags) });
}
