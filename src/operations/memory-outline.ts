/** How many memories a list has, and where its pages begin: what a view needs to jump to any place of a long list. */

import { z } from 'zod';
import { defined } from '../kernel/defined.ts';
import { validate } from '../kernel/validate.ts';
import { listInput } from '../records/index.ts';
import { defineOperation } from './operation.ts';

/** Read at a time; between two readings other calls get their turn. */
const READ = 1_000;

const input = listInput.omit({ limit: true, after: true }).extend({
  every: z.int().min(10).max(READ).default(100).describe('How many memories a page has.'),
});

export interface MemoryOutline {
  readonly total: number;
  readonly every: number;
  /** Id of the last memory of each full page: the next one begins after it. */
  readonly anchors: readonly string[];
}

export const memoryOutline = defineOperation({
  name: 'memory.outline',
  summary: 'Counts the memories of a list and says where its pages begin.',
  description:
    'Counts the memories that memory.list would give with the same filters, and names the last memory of each page, to be used as its "after".',
  effect: 'read',
  input,
  run: async ({ records }, given, caller): Promise<MemoryOutline> => {
    const { every, ...filters } = validate(input, given, 'memory.outline');
    const anchors: string[] = [];
    let total = 0;
    for (let after: string | undefined; ; ) {
      const page = await records.list({ ...filters, limit: READ, ...defined({ after }) }, caller);
      for (const { id } of page) {
        total++;
        if (total % every === 0) anchors.push(id);
      }
      if (page.length < READ) return { total, every, anchors };
      after = page.at(-1)!.id;
    }
  },
});
