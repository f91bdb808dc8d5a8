/** What a conversation begins with: the turns that are replayed, and the rest of MEMORY.md as one preamble. */
import type { LogMessage } from '../ports/log-store.ts';
import type { ParsedBlock } from './formats/memory-md.ts';
import { historyWindow } from './history-window.ts';
import { type ConversationMessage, contentText, type MessageContent } from './message.ts';
import type { TranscriptView } from './transcript-file.ts';

export const PRELOAD_MARK = '[Persistent Memory - MEMORY.md]';

export interface StartUp {
  /** Messages that are sent again as turns, oldest first. */
  readonly replayed: readonly ConversationMessage[];
  /** MEMORY.md without the replayed turns; null when that leaves nothing to say. */
  readonly preamble: string | null;
  /** Bytes of the file that did not fit into the start-up budget. */
  readonly leftOutBytes: number;
}

/** Tells a message from another by what the file keeps of it. */
export function messageKey(message: {
  readonly role: string;
  readonly at: number;
  readonly text: string;
}): string {
  return `${message.role}\u0000${Math.floor(message.at / 1000)}\u0000${message.text}`;
}

export function fromLog(message: LogMessage): ConversationMessage {
  const { id, role, content, at, run, metadata, seq } = message;
  return { id, role, content: content as MessageContent, at, run, metadata, seq };
}

/** Blocks as messages. The file decides what was said; the log adds what it cannot hold: ids, runs, structured parts. */
export function pairWithLog(
  blocks: readonly ParsedBlock[],
  logged: readonly LogMessage[],
): { readonly block: ParsedBlock; readonly message: ConversationMessage }[] {
  const byKey = new Map<string, LogMessage[]>();
  for (const message of logged) {
    const key = messageKey({ ...message, text: contentText(message.content as MessageContent) });
    byKey.set(key, [...(byKey.get(key) ?? []), message]);
  }
  return blocks
    .toReversed()
    .map((block, fromEnd) => {
      const known = byKey.get(messageKey(block))?.pop();
      const message: ConversationMessage =
        known === undefined
          ? {
              id: `file_${fromEnd}`,
              role: block.role,
              content: block.text,
              at: block.at,
              run: null,
              metadata: {},
            }
          : fromLog(known);
      return { block, message };
    })
    .reverse();
}

function leftOutNote(bytes: number): string {
  return `(The first ${Math.ceil(bytes / 1024)} KiB of this file are left out here. Ask for more context to read them.)\n\n`;
}

export function startFromFile(view: TranscriptView, logged: readonly LogMessage[], limit: number): StartUp {
  const entries = pairWithLog(view.blocks, logged);
  const replayed = historyWindow(
    entries.map((entry) => entry.message),
    limit,
  );
  const shown = new Set(replayed);
  const rest = entries.filter((entry) => !shown.has(entry.message));
  const text = rest.map(({ block }) => view.source.slice(block.raw.start, block.raw.end)).join('');
  const isEmpty = rest.length === 0 && view.skippedBytes === 0;
  const note = view.skippedBytes > 0 ? leftOutNote(view.skippedBytes) : '';
  return {
    replayed,
    preamble: isEmpty ? null : `${view.headerText}${note}${text}`,
    leftOutBytes: view.skippedBytes,
  };
}

/** Without MEMORY.md there are turns only; a summary that stands for older ones goes first. */
export function startFromLog(logged: readonly LogMessage[], limit: number): StartUp {
  const messages = logged.map(fromLog);
  const summary = messages.findLast((message) => message.metadata.summary === true);
  const replayed = historyWindow(
    messages.filter((message) => message.metadata.summary !== true),
    limit,
  );
  return {
    replayed: summary === undefined ? replayed : [summary, ...replayed],
    preamble: null,
    leftOutBytes: 0,
  };
}
