/** A receipt as text, for `keepsake why`. */
import type { DropReason, DropReceipt, MemoryReceipt, Receipt, Slot, SlotReceipt } from './receipt.ts';

const NAMES: Readonly<Record<Slot, string>> = {
  clock: 'date and time',
  profile: 'profile of the user',
  memory: 'memory',
  sections: 'section index',
  soul: 'SOUL.md',
  instructions: 'instructions',
  rules: 'rules',
  customRules: 'custom rules',
  persistentMemory: 'MEMORY.md',
  history: 'history',
  pastKnowledge: 'past knowledge',
  threads: 'earlier threads',
  documents: 'documents',
  task: 'task',
  progress: 'this run so far',
};

const REASONS: Readonly<Record<DropReason, string>> = {
  budget: 'no space left in the budget',
  duplicate: 'already in the prompt',
  threshold: 'not relevant enough',
  'raw session': 'the session has no agent, so nothing is injected',
};

export interface RenderOptions {
  /** What a memory says, if the reader should see it; receipts hold no content. */
  readonly contentOf?: (id: string) => string | undefined;
  /** A time as the reader tells it; ISO 8601 in UTC if not given. */
  readonly timeOf?: (at: number) => string;
}

const isoTime = (at: number): string => new Date(at).toISOString();

export function renderReceipt(receipt: Receipt, options: RenderOptions = {}): string {
  const { contentOf, timeOf = isoTime } = options;
  const { at, agent, session, model, total, slots, memories, documents, dropped } = receipt;
  const lines = [
    `Prompt of ${agent ?? 'a session without an agent'}${session === null ? '' : `, session ${session}`}, ${timeOf(at)}`,
    `${model ?? 'unknown model'}: ${total.messages} messages, ${total.characters} characters, about ${total.tokens} tokens`,
    '',
    ...table(slots),
    '',
    memories.length === 0 ? 'No memories were included.' : `Included memories (${memories.length}):`,
    ...memories.flatMap((memory) => memoryLines(memory, contentOf?.(memory.id))),
  ];
  if (documents.length > 0) lines.push('', 'Documents:', ...documents.map((citation) => `  ${citation}`));
  if (dropped.length > 0) lines.push('', `Left out (${dropped.length}):`, ...dropped.map(dropLine));
  return `${lines.join('\n')}\n`;
}

function table(slots: readonly SlotReceipt[]): string[] {
  const rows = slots.map(({ slot, characters, tokens, budget, entries }) => [
    NAMES[slot],
    `${entries}`,
    `${characters}`,
    `~${tokens}`,
    budget === null ? '' : `${budget}`,
  ]);
  const all = [['slot', 'entries', 'characters', 'tokens', 'budget'], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}

function memoryLines(memory: MemoryReceipt, content: string | undefined): string[] {
  const { id, category, slot, score, explain } = memory;
  const rank = score === null ? '' : `, score ${score.toFixed(2)}`;
  const said = content === undefined ? [] : [`    ${content.trim().replace(/[\s\p{Cc}]+/gu, ' ')}`];
  return [`  ${id} (${category}, ${NAMES[slot]}${rank})`, ...said, `    ${explain}`];
}

function dropLine({ id, slot, reason, characters, relevance }: DropReceipt): string {
  const weight = relevance === null ? '' : `, relevance ${relevance.toFixed(2)}`;
  return `  ${id ?? NAMES[slot]} (${NAMES[slot]}, ${characters} characters${weight}): ${REASONS[reason]}`;
}
