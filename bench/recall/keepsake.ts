// Retriever for public recall benchmarks: every document becomes a memory, every question goes through the SDK's own search.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/index.ts';

interface Document {
  readonly id: string;
  readonly text: string;
  readonly meta?: { readonly session?: string | number; readonly date?: string };
}

/** Options: `embedding` names another model than the default. */
export function create({ embedding = 'static' }: { embedding?: string } = {}) {
  return {
    name: `keepsake ${embedding}`,
    async build(all: readonly Document[]) {
      // A memory says something; some sets contain empty messages.
      const docs = all.filter(({ text }) => text.trim() !== '');
      const workspace = mkdtempSync(join(tmpdir(), 'keepsake-recall-'));
      const client = createClient({
        workspace,
        config: { memory: { maxEntries: 1_000_000 }, models: { embedding } },
      });
      const { memory } = client.agent({ name: 'bench' });
      const ids = new Map<string, string[]>();
      const stored = await Promise.all(
        docs.map(({ text, meta }) => {
          const thread = meta?.session ?? meta?.date;
          return memory.add({ content: text, ...(thread === undefined ? {} : { thread: String(thread) }) });
        }),
      );
      stored.forEach((record, i) => {
        const same = ids.get(record.id) ?? [];
        ids.set(record.id, [...same, (docs[i] as Document).id]);
      });
      return {
        async search(query: string, limit: number) {
          const wanted = Math.min(limit, 1_000);
          const hits = await memory.search(query, { limit: wanted });
          return hits
            .flatMap((hit) => (ids.get(hit.id) ?? []).map((id) => ({ id, score: hit.score })))
            .slice(0, limit);
        },
        async close() {
          await client.close();
          rmSync(workspace, { recursive: true, force: true });
        },
      };
    },
  };
}
