/** Reads the content of a store by kind and page, in the order in which it was stored. */
import { defined } from '../../kernel/defined.ts';
import type { KeepsakeEvent } from '../../kernel/events.ts';
import type { LogMessage } from '../../ports/log-store.ts';
import type { QuarantineEntry } from '../../ports/quarantine-store.ts';
import type { FullCopy } from '../../ports/record-copies.ts';
import type { Storage } from '../../ports/storage.ts';
import { requireCopies } from '../archive/write-archive.ts';

const PAGE = 500;

export async function* recordPages(storage: Storage): AsyncGenerator<readonly FullCopy[]> {
  const copies = requireCopies(storage);
  for (let after: string | undefined; ; ) {
    const page = await copies.readFull({ after, limit: PAGE });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

export async function* messagePages({ log }: Storage): AsyncGenerator<readonly LogMessage[]> {
  for (let after = 0; ; ) {
    const page = await log.read({ after, includeDeleted: true, limit: PAGE });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.seq;
  }
}

export async function* eventPages({ events }: Storage): AsyncGenerator<readonly KeepsakeEvent[]> {
  for (let after = 0; ; ) {
    const page = await events.read({ after, limit: PAGE });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.seq;
  }
}

/** The quarantine is bounded, so all of it at once; oldest first. */
export async function quarantined({ quarantine }: Storage): Promise<readonly QuarantineEntry[]> {
  const entries: QuarantineEntry[] = [];
  for (let after: string | undefined; ; ) {
    const page = await quarantine.list({
      states: ['waiting', 'released'],
      limit: PAGE,
      ...defined({ after }),
    });
    entries.push(...page);
    if (page.length < PAGE) return entries.reverse();
    after = page.at(-1)!.id;
  }
}
