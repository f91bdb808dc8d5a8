/** How many memories a list has, and where its pages begin: what a view needs to jump to any place of a long list. */

import type { Caller } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
import type { z } from '../kernel/zod.ts';
import type { outlineInput } from './inputs.ts';
import type { RecordService } from './record-service.ts';

/** Read at a time; between two readings other calls get their turn. */
const READ = 1_000;

export interface MemoryOutline {
  readonly total: number;
  readonly every: number;
  /** Id of the last memory of each full page: the next one begins after it. */
  readonly anchors: readonly string[];
}

export async function outlineOf(
  records: RecordService,
  { every, ...filters }: z.output<typeof outlineInput>,
  caller: Caller,
): Promise<MemoryOutline> {
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
}
