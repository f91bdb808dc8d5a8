/** All verbs, and one more that only tests have: what the SDK makes of a verb that a contributor adds. */
import { z } from 'zod';
import { defineVerb } from '../../../src/kernel/verb.ts';
import type { RecordService } from '../../../src/records/index.ts';
import { verbs as all } from '../../../src/verbs.ts';

const memoryCountWords = defineVerb({
  name: 'memory.countWords',
  summary: 'Counts the words of a memory.',
  description: 'Counts the words of one memory, in files such as notes/**/*.md too.',
  effect: 'read',
  role: 'reader',
  input: z.strictObject({
    id: z.string().describe('Id of the memory.'),
    atLeast: z.int().default(1).describe('Only words with so many letters.'),
    language: z.enum(['de', 'en']).optional().describe('Where words end.'),
  }),
  output: z.strictObject({ words: z.int() }),
  run: async ({ records }: { readonly records: RecordService }, { id, atLeast }, caller) => {
    const { content } = await records.get({ id }, caller);
    return { words: content.split(/\s+/).filter((word) => word.length >= atLeast).length };
  },
  sdk: { positionals: ['id'] },
});

export const verbs = { ...all, memoryCountWords };
