/** What a run has of its conversation in memory: the loaded part of MEMORY.md as one text, and the turns. */
import { type Block, parseTranscript, unparse } from '../formats/memory-md.ts';
import { messageKey } from '../memory-md/block-messages.ts';
import { asBlock, type HandEdit } from '../memory-md/seen-blocks.ts';
import {
  type ConversationMessage,
  contentText,
  isSummary,
  type MessageContent,
} from '../messages/message.ts';
import { historyWindow } from './history-window.ts';
import type { StartUp } from './start-up.ts';

export class History {
  readonly #agent: string;
  #preamble: string | null = null;
  #turns: ConversationMessage[] = [];
  /** Whether the turns come from an export instead of from this conversation. */
  #isLoaded = false;

  constructor(agent: string) {
    this.#agent = agent;
  }

  get preamble(): string | null {
    return this.#preamble;
  }

  get turns(): readonly ConversationMessage[] {
    return this.#turns;
  }

  begin({ preamble, replayed }: Pick<StartUp, 'preamble' | 'replayed'>): void {
    this.#preamble = preamble;
    this.#turns = [...replayed];
    this.#isLoaded = false;
  }

  add(messages: readonly ConversationMessage[]): void {
    this.#turns.push(...messages);
  }

  /** Takes the turns of an export; the preamble stays. */
  replaceTurns(turns: readonly ConversationMessage[]): void {
    this.#turns = [...turns];
    this.#isLoaded = true;
  }

  /**
   * Keeps at most `limit` turns before the first open prompt, as a restart would. Older ones go into the preamble where
   * there is one to be kept, and leave the history of this run where only the log has them.
   */
  fit(limit: number, open: ReadonlySet<string>, keepsFile: boolean): void {
    if (this.#isLoaded || limit <= 0 || this.#turns.length <= limit) return;
    const firstOpen = this.#turns.findIndex(({ id }) => open.has(id));
    const end = firstOpen === -1 ? this.#turns.length : firstOpen;
    const room = Math.max(0, limit - (this.#turns.length - end));
    const before = this.#turns.slice(0, end);
    // MEMORY.md has summaries among its blocks; without a file they always lead.
    const leading = keepsFile ? [] : before.filter(isSummary);
    const rest = keepsFile ? before : before.filter((turn) => !isSummary(turn));
    const kept = new Set(historyWindow(rest, room, this.#agent));
    if (keepsFile) this.#movePreamble(rest.filter((turn) => !kept.has(turn)));
    this.#turns = [...leading, ...rest.filter((turn) => kept.has(turn)), ...this.#turns.slice(end)];
  }

  #movePreamble(turns: readonly ConversationMessage[]): void {
    if (turns.length === 0) return;
    const { source, header, blocks } = parseTranscript(this.#preamble ?? '');
    this.#preamble = unparse({ source, header, blocks: [...blocks, ...turns.map(asBlock)] });
  }

  /** The stored conversation with what this run has beyond it; an export that was loaded represents itself. */
  over(stored: readonly ConversationMessage[]): readonly ConversationMessage[] {
    if (this.#isLoaded) return this.#turns;
    const keyOf = (message: ConversationMessage): string => messageKey(asBlock(message));
    // Where nothing is logged, this run still knows the parts of which the file has the text.
    const own = new Map(this.#turns.map((message) => [keyOf(message), message]));
    const known = new Set(stored.map(keyOf));
    const unstored = this.#turns.filter((turn) => turn.seq === undefined && !known.has(keyOf(turn)));
    return [...stored.map((message) => own.get(keyOf(message)) ?? message), ...unstored];
  }

  /** The turns that stay when these ids are covered by a summary, or else all but the newest `keepLast`. */
  staying(covers: readonly string[] | undefined, keepLast: number): readonly ConversationMessage[] {
    if (covers === undefined) return historyWindow(this.#turns, keepLast, this.#agent);
    const covered = new Set(covers);
    return this.#turns.filter(({ id }) => !covered.has(id));
  }

  /** Characters of the preamble and of these turns. */
  lengthWith(turns: readonly ConversationMessage[]): number {
    const start = this.#preamble?.length ?? 0;
    return turns.reduce((sum, { content }) => sum + contentText(content).length, start);
  }

  /** Changes a turn, or removes it when `content` is null. False when it is not among the turns. */
  change(id: string, content: MessageContent | null): boolean {
    const index = this.#turns.findIndex((message) => message.id === id);
    if (index === -1) return false;
    if (content === null) this.#turns.splice(index, 1);
    else this.#turns[index] = { ...this.#turns[index]!, content };
    return true;
  }

  /** A person changed a block in MEMORY.md, or took it out. */
  follow({ before, after }: HandEdit): void {
    const key = messageKey(before);
    const turn = this.#turns.findLast((message) => messageKey(asBlock(message)) === key);
    if (turn !== undefined) {
      this.change(turn.id, after);
      return;
    }
    const { source, header, blocks } = parseTranscript(this.#preamble ?? '');
    const place = blocks.findLastIndex((block) => messageKey(block) === key);
    if (place === -1) return;
    const rest: Block[] = [...blocks];
    rest.splice(place, 1, ...(after === null ? [] : [{ ...before, text: after }]));
    this.#preamble = unparse({ source, header, blocks: rest });
  }

  /** The same for a block of the preamble. */
  changePreamble({ before, after }: { readonly before: string; readonly after: string }): void {
    this.#preamble = this.#preamble?.replace(before, () => after) ?? null;
  }
}
