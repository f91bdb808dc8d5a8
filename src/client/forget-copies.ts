/** Where copies of a forgotten memory are looked for: conversations, quarantine, other memories and files of the workspace. */
import { readdir } from 'node:fs/promises';
import { sweepLeftovers } from '../administration/examine-leftovers.ts';
import {
  type ConversationParts,
  type ForgottenMemoryText,
  type ForgottenText,
  forgottenTexts,
  type RedactedCopies,
  redactAll,
  redactCopies,
} from '../conversation/index.ts';
import { queryTerms } from '../kernel/analysis.ts';
import type { Clock } from '../kernel/clock.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Viewer } from '../kernel/scope.ts';
import type { QuarantineEntry } from '../ports/quarantine-store.ts';
import type { Storage } from '../ports/storage.ts';
import type { WorkspacePaths } from '../workspace/index.ts';
import { filesThatHold } from './files-that-hold.ts';

interface Places {
  readonly storage: Pick<Storage, 'log' | 'quarantine' | 'records'>;
  readonly paths: WorkspacePaths;
  readonly clock: Clock;
  readonly partsFor: (agent: string) => ConversationParts;
}

/** All that the quarantine holds. */
const MOST_ENTRIES = 1_000;
/** The best matches of a search hold all of its words. */
const MOST_MEMORIES = 100;

/** One answer for each memory, in their order. */
export async function forgetCopies(
  memories: readonly ForgottenMemoryText[],
  viewer: Viewer,
  places: Places,
): Promise<RedactedCopies[]> {
  const { storage, paths, partsFor } = places;
  const threads = await storage.log.threads();
  const folders = await readdir(paths.agentsFolder, { withFileTypes: true }).catch(() => []);
  const named = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const agents = [...new Set([...threads.map(({ agent }) => agent), ...named])];
  const all = await redactCopies(memories, { agents, viewer }, partsFor);
  await redactQuarantine(memories, viewer, { quarantine: storage.quarantine, all });
  await sweepLeftovers({ root: paths.root, paths });
  const texts = memories.map((memory) => forgottenTexts(memory, viewer, viewer.agent));
  const files = await filesThatHold(texts, paths, viewer);
  for (const [i, found] of all.entries()) {
    const others = await otherMemories(memories[i]!, texts[i]!, viewer, places);
    found.remains = [...new Set([...found.remains, ...others, ...files[i]!])];
  }
  return all;
}

/** An entry stays, without the text: who tried what is evidence that nobody can erase by forgetting a part of it. */
async function redactQuarantine(
  memories: readonly ForgottenMemoryText[],
  viewer: Viewer,
  { quarantine, all }: { readonly quarantine: Storage['quarantine']; readonly all: RedactedCopies[] },
): Promise<void> {
  const redacted: QuarantineEntry[] = [];
  for (const entry of await quarantine.list({ states: ['waiting'], limit: MOST_ENTRIES })) {
    let { content, input } = entry;
    for (const [i, memory] of memories.entries()) {
      const forgotten = forgottenTexts(memory, viewer, entry.agent);
      const whole = JSON.stringify([content, input]);
      if (!forgotten.some((text) => text.isIn(whole))) continue;
      content = redactAll(content, forgotten) as string | null;
      input = redactAll(input, forgotten) as JsonObject | null;
      all[i]!.redacted++;
    }
    if (content !== entry.content || JSON.stringify(input) !== JSON.stringify(entry.input))
      redacted.push({ ...entry, content, input });
  }
  // Oldest first, as they came.
  if (redacted.length > 0) await quarantine.mirror(redacted.reverse());
}

/** Memories that say the same, such as the summary of a session: somebody's own words, which are named and stay. */
async function otherMemories(
  { id, texts }: ForgottenMemoryText,
  forgotten: readonly ForgottenText[],
  viewer: Viewer,
  { storage, clock }: Places,
): Promise<string[]> {
  const terms = [...new Set(texts.flatMap((text) => queryTerms(text)))];
  if (terms.length === 0) return [];
  const found = await storage.records.searchText({
    ...{ viewer, now: clock.now(), filter: {}, terms, limit: MOST_MEMORIES },
  });
  return found
    .map(({ record }) => record)
    .filter((record) => record.id !== id && forgotten.some((text) => text.isIn(record.content)))
    .map((record) => `memory ${record.id}`);
}
