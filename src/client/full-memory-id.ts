/** Finds a memory by its short id, which prompts use to save tokens. */
import type { Caller } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { RecordService } from '../records/index.ts';

const SHORT_ID = /^[0-9a-z]{8}$/;
const PAGE = 1_000;
/** An agent with more memories than this has to use whole ids. */
const PAGES = 20;

/** What is not a short id, or matches no memory, stays as it is, for the verb to refuse. */
export async function fullMemoryId(
  named: string,
  { records }: { readonly records: RecordService },
  caller: Caller,
): Promise<string> {
  if (!SHORT_ID.test(named)) return named;
  const matches: string[] = [];
  let after: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const found = await records.list({ limit: PAGE, ...defined({ after }) }, caller);
    matches.push(...found.map(({ id }) => id).filter((id) => id.endsWith(named)));
    if (found.length < PAGE) break;
    after = found.at(-1)?.id;
  }
  if (matches.length > 1) {
    throw new KeepsakeError('CONFLICT', `${named} is the end of ${matches.length} ids.`, {
      hint: `Use one of ${matches.slice(0, 5).join(', ')}.`,
    });
  }
  return matches[0] ?? named;
}
