/** Prompts show the end of an id only, to save tokens; a tool that is given one finds the memory that it means. */

import type { Engine } from '../../../client/index.ts';
import type { Caller } from '../../../kernel/caller.ts';
import { defined } from '../../../kernel/defined.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import { operations } from '../../../operations/index.ts';

const SHORT_ID = /^[0-9a-z]{8}$/;
const PAGE = 1_000;
/** Whoever has more than this names a memory by its whole id. */
const PAGES = 20;

/** What is no short id, or that of no memory, stays as it is, for the operation to refuse. */
export async function fullId(named: string, engine: Engine, caller: Caller): Promise<string> {
  if (!SHORT_ID.test(named)) return named;
  const matches: string[] = [];
  let after: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const query = { limit: PAGE, ...defined({ after }) };
    const records = await operations.memoryList.run(engine, query, caller);
    matches.push(...records.map(({ id }) => id).filter((id) => id.endsWith(named)));
    if (records.length < PAGE) break;
    after = records.at(-1)?.id;
  }
  if (matches.length > 1) {
    throw new KeepsakeError('CONFLICT', `${named} is the end of ${matches.length} ids.`, {
      hint: `Name one of ${matches.slice(0, 5).join(', ')}.`,
    });
  }
  return matches[0] ?? named;
}
