/** The assembler, which builds every prompt: slots in a fixed order, budgets, fences, and a receipt. */

import type { EarlierTurns } from '../conversation/index.ts';
import { neutralise as disarm } from '../guard/index.ts';
import type { MemoryRecord } from '../kernel/record.ts';
import type { ChatMessage } from '../ports/language-model.ts';
import { inShares } from '../records/index.ts';
import { chatText } from './chat-text.ts';
import { type Candidate, type Chosen, choose } from './choosing.ts';
import { clockLine } from './clock-line.ts';
import { earlierCandidate } from './earlier-entry.ts';
import { inOneLine, type Neutralise, quoted, renderEntry } from './entry.ts';
import {
  DOCUMENT_FENCE,
  DOCUMENTS,
  EARLIER_THREADS,
  escapeFence,
  MEMORY_FENCE,
  PAST_KNOWLEDGE,
  PRELOAD_MARK,
  PROFILE_FENCE,
  TASK,
  THREADS_FENCE,
  TRANSCRIPT_FENCE,
} from './fence.ts';
import type { AssembleInput, DocumentHit } from './input.ts';
import { DEFAULT_BUDGETS } from './input.ts';
import {
  type DropReason,
  type DropReceipt,
  type MemoryReceipt,
  memoryReceipt,
  type Receipt,
  relevanceOf,
  type Slot,
  type SlotReceipt,
} from './receipt.ts';
import { roughTokens } from './rough-tokens.ts';
import { SaidAlready } from './said-already.ts';

export interface Assembled {
  readonly messages: readonly ChatMessage[];
  readonly receipt: Receipt;
  /** For the event `memory.recalled`: memories in the prompt, and the characters of their blocks with heading, fence and note. */
  readonly recalled: { readonly entryCount: number; readonly charsInjected: number };
}

export function assemble(input: AssembleInput): Assembled {
  return new Assembly(input).finish();
}

const MEMORY_SLOTS: readonly Slot[] = ['profile', 'memory', 'pastKnowledge'];

/** One prompt in the making. */
class Assembly {
  readonly #input: AssembleInput;
  readonly #neutralise: Neutralise;
  readonly #said = new SaidAlready();
  readonly #shown = new Set<string>();
  readonly #slots: SlotReceipt[] = [];
  readonly #memories: MemoryReceipt[] = [];
  readonly #documents: string[] = [];
  readonly #dropped: DropReceipt[] = [];

  constructor(input: AssembleInput) {
    this.#input = input;
    const { neutralise = disarm } = input;
    // Another neutraliser may do more, but never less.
    this.#neutralise = (text) => escapeFence(neutralise(text));
    // What the run has brought since its task does not count: else the prompt would begin otherwise at every call, and no cache hold.
    for (const message of input.history) this.#said.add(chatText(message));
    for (const text of [input.soul, input.instructions, input.rules, input.customRules, input.task]) {
      this.#said.add(text ?? '');
    }
  }

  finish(): Assembled {
    const { now, model, session, history, progress = [], rules, customRules } = this.#input;
    const messages: ChatMessage[] = [
      ...asMessage('system', this.#systemText()),
      // The documents show rules as messages of the user's, after the system prompt.
      ...asMessage('user', this.#plain('rules', rules)),
      ...asMessage('user', this.#plain('customRules', customRules)),
      ...asMessage('system', this.#persistentMemory()),
      ...this.#turns('history', history),
      ...asMessage('user', this.#taskText()),
      ...this.#turns('progress', progress),
    ];
    const shown = this.#memories;
    return {
      messages,
      recalled: {
        entryCount: shown.length,
        charsInjected: sumOf(
          this.#slots.filter(({ slot }) => MEMORY_SLOTS.includes(slot)),
          'characters',
        ),
      },
      receipt: {
        version: 1,
        at: now,
        agent: this.#agent,
        session: session ?? null,
        model: model ?? null,
        slots: this.#slots,
        memories: shown,
        documents: this.#documents,
        dropped: this.#dropped,
        total: {
          messages: messages.length,
          characters: sumOf(this.#slots, 'characters'),
          tokens: sumOf(this.#slots, 'tokens'),
        },
      },
    };
  }

  get #agent(): string | null {
    return this.#input.agent ?? null;
  }

  #budget<K extends keyof typeof DEFAULT_BUDGETS>(name: K): number {
    return this.#input.budgets?.[name] ?? DEFAULT_BUDGETS[name];
  }

  /** Memory stands before SOUL.md and the instructions: what comes later wins. */
  #systemText(): string {
    const {
      now,
      clock = 'minute',
      timeZone = 'UTC',
      memory,
      sectionsIndex,
      soul,
      instructions,
    } = this.#input;
    // First of all, because what it says is not said again.
    const profile = this.#profile();
    const budget = this.#budget('maxCharsInjected');
    const standing = this.#candidates(memory?.standing ?? []);
    const relevant = this.#candidates(memory?.relevant ?? []);
    // Measured as shown, because date, category and id often are half of a short entry.
    const costOf = ({ item, render }: Candidate<MemoryRecord>) => {
      return { pinned: item.pinned, characters: render().length + 1 };
    };
    const recalled = inShares(standing, relevant, budget - blockLength(MEMORY_FENCE), costOf);
    const parts = [
      this.#plain('clock', clock === 'none' ? '' : clockLine(now, clock, timeZone)),
      profile,
      this.#memory('memory', recalled, budget, ''),
      this.#injected('sections', sectionsIndex),
      this.#plain('soul', soul),
      this.#plain('instructions', instructions),
    ];
    return parts.filter((part) => part !== '').join('\n\n');
  }

  #persistentMemory(): string {
    const startUp = this.#input.startUp ?? '';
    if (startUp === '' || this.#isRaw('persistentMemory', startUp)) return '';
    const text = `${PRELOAD_MARK}\n${TRANSCRIPT_FENCE.wrap(this.#neutralise(startUp))}`;
    return this.#noted('persistentMemory', text);
  }

  /** The task comes last, so that what was found for it is read as its background. */
  #taskText(): string {
    const { task, relevantKnowledge = [], earlier = [], documents = [] } = this.#input;
    const known = this.#memory(
      'pastKnowledge',
      this.#candidates(relevantKnowledge),
      this.#input.budgets?.maxCharsPastKnowledge ?? this.#budget('maxCharsInjected'),
      `${PAST_KNOWLEDGE}\n`,
    );
    const said = this.#earlier(earlier);
    const found = this.#passages(documents);
    const asked = this.#plain('task', task);
    const background = [known, said, found].filter((part) => part !== '');
    if (background.length === 0) return asked;
    return [...background, ...(asked === '' ? [] : [`${TASK}\n${asked}`])].join('\n\n');
  }

  #candidates(records: readonly MemoryRecord[]): readonly Candidate<MemoryRecord>[] {
    return records.map((record) => {
      const { id: key, content, pinned } = record;
      const relevance = relevanceOf(record);
      let text: string | undefined;
      const render = () => {
        text ??= renderEntry(record, this.#neutralise);
        return text;
      };
      return { item: record, key, content, render, relevance, always: pinned || relevance === null };
    });
  }

  #memory(
    slot: Slot,
    candidates: readonly Candidate<MemoryRecord>[],
    budget: number,
    heading: string,
  ): string {
    const chosen = this.#choose(slot, candidates, budget - blockLength(MEMORY_FENCE, heading));
    for (const { item, text } of chosen) this.#memories.push(memoryReceipt(item, slot, text.length));
    if (chosen.length === 0) return '';
    const body = chosen.map(({ text }) => text).join('\n');
    return this.#noted(slot, heading + MEMORY_FENCE.wrap(body), budget, chosen.length);
  }

  #profile(): string {
    const { text = '', sections = [] } = this.#input.profile ?? {};
    if (text === '' || this.#isRaw('profile', text)) return '';
    const memories = sections.flatMap((section) => section.memories);
    for (const record of memories) {
      this.#memories.push(memoryReceipt(record, 'profile', record.content.length));
      this.#shown.add(record.id);
      this.#said.add(record.content);
    }
    return this.#noted('profile', PROFILE_FENCE.wrap(text), null, memories.length);
  }

  /** Apart from facts: what was said then need not hold now. */
  #earlier(exchanges: readonly EarlierTurns[]): string {
    const budget = this.#budget('maxCharsThreads');
    const candidates = exchanges.map((exchange) => earlierCandidate(exchange, this.#neutralise));
    const heading = `${EARLIER_THREADS}\n`;
    const chosen = this.#choose('threads', candidates, budget - blockLength(THREADS_FENCE, heading));
    if (chosen.length === 0) return '';
    const body = chosen.map(({ text }) => text).join('\n');
    return this.#noted('threads', heading + THREADS_FENCE.wrap(body), budget, chosen.length);
  }

  #passages(hits: readonly DocumentHit[]): string {
    const budget = this.#budget('maxCharsDocuments');
    const candidates = hits.map((hit): Candidate<DocumentHit> => {
      const render = () =>
        `- [${inOneLine(hit.citation, this.#neutralise)}] ${quoted(hit.text, this.#neutralise)}`;
      const key = `${hit.citation}\n${hit.text}`;
      return { item: hit, key, content: hit.text, render, relevance: hit.relevance, always: false };
    });
    const heading = `${DOCUMENTS}\n`;
    const chosen = this.#choose('documents', candidates, budget - blockLength(DOCUMENT_FENCE, heading));
    this.#documents.push(...chosen.map(({ item }) => item.citation));
    if (chosen.length === 0) return '';
    const body = chosen.map(({ text }) => text).join('\n');
    return this.#noted('documents', heading + DOCUMENT_FENCE.wrap(body), budget, chosen.length);
  }

  #choose<T>(slot: Slot, candidates: readonly Candidate<T>[], characters: number): readonly Chosen<T>[] {
    if (this.#agent === null) {
      for (const candidate of candidates) this.#drop(slot, candidate, 'raw session');
      return [];
    }
    const limits = { characters, minRelevance: this.#budget('minRelevance') };
    const { chosen, dropped } = choose(candidates, limits, this.#shown, this.#said);
    for (const { candidate, reason } of dropped) this.#drop(slot, candidate, reason);
    return chosen;
  }

  #drop<T>(slot: Slot, { item, content, relevance }: Candidate<T>, reason: DropReason): void {
    const { id, citation } = item as { id?: string; citation?: string };
    this.#dropped.push({ id: id ?? citation ?? null, slot, reason, characters: content.length, relevance });
  }

  /** A session without an identity has no memory, whatever it is handed. */
  #isRaw(slot: Slot, text: string): boolean {
    if (this.#agent !== null) return false;
    this.#dropped.push({ id: null, slot, reason: 'raw session', characters: text.length, relevance: null });
    return true;
  }

  #injected(slot: Slot, text = ''): string {
    return text === '' || this.#isRaw(slot, text) ? '' : this.#noted(slot, text);
  }

  #plain(slot: Slot, text = ''): string {
    return text.trim() === '' ? '' : this.#noted(slot, text);
  }

  #turns(slot: Slot, messages: readonly ChatMessage[]): readonly ChatMessage[] {
    if (messages.length === 0) return messages;
    this.#noted(slot, messages.map(chatText).join(''), null, messages.length);
    return messages;
  }

  #noted(slot: Slot, text: string, budget: number | null = null, entries = 1): string {
    this.#slots.push({ slot, characters: text.length, tokens: roughTokens(text), budget, entries });
    return text;
  }
}

/** Characters of a block besides its entries: a budget counts all that is sent. */
function blockLength(fence: typeof MEMORY_FENCE, heading = ''): number {
  return heading.length + fence.wrap('').length;
}

function asMessage(role: 'system' | 'user', content: string): ChatMessage[] {
  return content === '' ? [] : [{ role, content }];
}

function sumOf(slots: readonly SlotReceipt[], field: 'characters' | 'tokens'): number {
  return slots.reduce((sum, slot) => sum + slot[field], 0);
}
