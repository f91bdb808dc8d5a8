/** The receipt of a prompt: what it contains, why, what it cost, and what was left out. Plain JSON without content. */

import type { MemoryRecord, Origin, Source } from '../kernel/record.ts';
import type { Factors, MemoryHit } from '../records/index.ts';
import { shortId } from './entry.ts';

export const SLOTS = [
  'clock',
  'profile',
  'memory',
  'sections',
  'soul',
  'instructions',
  'rules',
  'customRules',
  'persistentMemory',
  'history',
  'pastKnowledge',
  'threads',
  'documents',
  'task',
  'progress',
] as const;
export type Slot = (typeof SLOTS)[number];

export interface SlotReceipt {
  readonly slot: Slot;
  readonly characters: number;
  /** An estimate; the exact number is the model's own. */
  readonly tokens: number;
  /** How many characters the slot may hold; null when nothing limits it here. */
  readonly budget: number | null;
  /** Entries of memory, or messages. */
  readonly entries: number;
}

/** Why a memory is in the prompt. */
export interface MemoryReceipt {
  readonly id: string;
  /** As the model saw it. */
  readonly shortId: string;
  readonly slot: Slot;
  /** Standing memory always holds; the rest was found for the task. */
  readonly kind: 'standing' | 'relevant';
  readonly category: string;
  readonly source: Source;
  readonly origin: Origin;
  readonly characters: number;
  readonly relevance: number | null;
  readonly score: number | null;
  readonly factors: Factors | null;
  readonly explain: string;
}

export type DropReason = 'budget' | 'duplicate' | 'threshold' | 'raw session';

export interface DropReceipt {
  /** Id of the memory, or the citation of a document; null for a text that is neither. */
  readonly id: string | null;
  readonly slot: Slot;
  readonly reason: DropReason;
  readonly characters: number;
  readonly relevance: number | null;
}

export interface Receipt {
  readonly version: 1;
  readonly at: number;
  /** Null for a session without an agent, which gets no memory. */
  readonly agent: string | null;
  readonly session: string | null;
  readonly model: string | null;
  readonly slots: readonly SlotReceipt[];
  readonly memories: readonly MemoryReceipt[];
  /** Citations of the included documents. */
  readonly documents: readonly string[];
  readonly dropped: readonly DropReceipt[];
  readonly total: { readonly messages: number; readonly characters: number; readonly tokens: number };
}

const isHit = (record: MemoryRecord): record is MemoryHit => 'relevance' in record;

export function relevanceOf(record: MemoryRecord): number | null {
  return isHit(record) ? record.relevance : null;
}

export function memoryReceipt(record: MemoryRecord, slot: Slot, characters: number): MemoryReceipt {
  const { id, category, source, origin } = record;
  const named = { id, shortId: shortId(id), slot, category, source, origin, characters };
  if (isHit(record)) {
    const { relevance, score, factors, explain } = record;
    return { ...named, kind: 'relevant', relevance, score, factors, explain };
  }
  const why = record.pinned ? 'pinned' : `every ${category} holds`;
  const explain = `Standing memory: ${why}, whatever the task is.`;
  return { ...named, kind: 'standing', relevance: null, score: null, factors: null, explain };
}

/** The whole id of a memory that the model named by the short one it was shown. */
export function shownId(receipt: Receipt, named: string): string | undefined {
  const wanted = named.trim().replace(/^[#[(]+|[\])]+$/g, '');
  return receipt.memories.find(({ id, shortId: short }) => id === wanted || short === wanted)?.id;
}
