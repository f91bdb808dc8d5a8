/** Copies items from one store to another, page by page. */
import { analyze } from '../kernel/analysis.ts';
import type { ItemCopy, ItemCopyDraft } from '../ports/item-store.ts';
import type { Storage } from '../ports/storage.ts';
import type { Embedder } from '../records/index.ts';

const PAGE = 200;

export async function* itemPages({ items }: Storage, agent?: string): AsyncGenerator<readonly ItemCopy[]> {
  for (let after = 0; ; ) {
    const page = await items.copies({ agent, after, limit: PAGE });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.seq;
  }
}

/** Without a quick model, its texts wait for their vectors until the next search. */
export function toDraft({ texts, ...copy }: Omit<ItemCopy, 'seq'>, embedder?: Embedder): ItemCopyDraft {
  return {
    ...copy,
    texts: texts.map((content) => ({
      ...{ content, words: analyze(content).join(' ') },
      embedding: embedder?.now(content),
    })),
  };
}
