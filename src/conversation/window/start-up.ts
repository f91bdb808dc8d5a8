/** What a conversation begins with: the turns that are replayed, and the rest of MEMORY.md as one preamble. */
import type { LogMessage } from '../../ports/log-store.ts';
import { pairWithLog } from '../memory-md/block-messages.ts';
import type { MemoryFileView } from '../memory-md/memory-file-view.ts';
import { type ConversationMessage, isSummary } from '../messages/message.ts';
import { fromLog } from '../messages/message-draft.ts';
import { withoutCovered } from './covered.ts';
import { historyWindow, isUserTurn, replayable } from './history-window.ts';

export const PRELOAD_MARK = '[Persistent Memory - MEMORY.md]';

export interface StartUp {
  /** Messages that are sent again as turns, oldest first. */
  readonly replayed: readonly ConversationMessage[];
  /** MEMORY.md without the replayed turns; null when that leaves nothing to say. */
  readonly preamble: string | null;
  /** Bytes of the file that did not fit into the start-up budget. */
  readonly leftOutBytes: number;
}

export const EMPTY_START: StartUp = { replayed: [], preamble: null, leftOutBytes: 0 };

/** A window may look back for the user's message that leads it, so more is read than it will hold. */
export function lookBack(limit: number): number {
  return limit === 0 ? 0 : limit * 2 + 20;
}

/** Says how much of a file is not in the preamble; it is not part of what was said. */
function leftOutNote(bytes: number, isLogged: boolean): string {
  const where = isLogged ? 'Ask for more context to read them.' : 'They stand in MEMORY.md itself.';
  return `(${Math.ceil(bytes / 1024)} KiB of older messages in this file are left out here. ${where})\n\n`;
}

/** The last of the blocks may be replayed as turns; nothing is said twice and nothing is left out of both. */
export function startFromFile(
  view: MemoryFileView,
  logged: readonly LogMessage[],
  { limit, agent }: { readonly limit: number; readonly agent: string },
): StartUp {
  const candidates = limit === 0 ? [] : view.blocks.slice(-lookBack(limit));
  const messages = pairWithLog(candidates, logged);
  const window = replayable(historyWindow(messages, limit, agent));
  // A window without a user's turn to begin with goes into the preamble instead.
  const replayed = window[0] !== undefined && isUserTurn(window[0], agent) ? window : [];
  const shown = new Set(replayed.map((message) => candidates[messages.indexOf(message)]));
  const rest = view.blocks.filter((block) => !shown.has(block));
  const { skippedBytes, headerText, source } = view;
  const isEmpty = rest.length === 0 && skippedBytes === 0 && view.notes === '';
  const note = skippedBytes > 0 ? leftOutNote(skippedBytes, limit > 0) : '';
  const text = rest.map(({ raw }) => source.slice(raw.start, raw.end)).join('');
  return { replayed, preamble: isEmpty ? null : headerText + note + text, leftOutBytes: skippedBytes };
}

/** Without MEMORY.md there are turns only; summaries that represent older ones go first. */
export function startFromLog(
  logged: readonly LogMessage[],
  { limit, agent }: { readonly limit: number; readonly agent: string },
): StartUp {
  const messages = wholeFromLog(logged);
  const summaries = messages.filter(isSummary);
  const turns = messages.filter((message) => !isSummary(message));
  const window = replayable(historyWindow(turns, limit, agent));
  return { ...EMPTY_START, replayed: [...summaries, ...window] };
}

/** Summaries stand before what follows them, although the log has them after the messages that a compaction kept. */
export function wholeFromLog(logged: readonly LogMessage[]): ConversationMessage[] {
  const messages = withoutCovered(logged.map(fromLog));
  return [...messages.filter(isSummary), ...messages.filter((message) => !isSummary(message))];
}
