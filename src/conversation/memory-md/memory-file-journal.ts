/** The journal of MEMORY.md: records a change before it is made, and completes or reverts it after a crash. */
import type { HeldDocument } from '../../documents/index.ts';
import { systemClock } from '../../kernel/clock.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { LogMessage, LogStore, MessageDraft, MessageEdit } from '../../ports/log-store.ts';
import type { ArchiveFiles } from '../archives/archive-files.ts';
import { parseTranscript, writeBlock } from '../formats/memory-md.ts';
import { contentText, type MessageContent } from '../messages/message.ts';

/** Blocks were about to be added at `offset`. */
export interface AppendEntry {
  readonly op: 'append';
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  /** What stands between the end of the file and the first block. */
  readonly gap: string;
  /** The messages in the log that the blocks come from. */
  readonly ids: readonly string[];
  readonly at: number;
}

/** What the log gets once the file is in place. */
export interface LogChanges {
  readonly messages: readonly MessageDraft[];
  readonly edits: readonly MessageEdit[];
  /** The view of the thread begins after this seq; null leaves it as it is. */
  readonly boundary: number | null;
}

/** The file was about to be replaced, perhaps after it was archived. */
export interface ReplaceEntry {
  readonly op: 'replace';
  readonly oldHash: string;
  readonly newHash: string;
  /** Id in the header of the new file, unless the old one has it too: it outlives an edit by hand, a hash does not. */
  readonly conversationId: string | null;
  readonly archive: { readonly name: string; readonly hash: string } | null;
  readonly log: LogChanges;
}

export type JournalEntry = AppendEntry | ReplaceEntry;

const toJournal = (entry: JournalEntry): JsonObject => entry as unknown as JsonObject;
const fromJournal = (entry: JsonObject): JournalEntry => entry as unknown as JournalEntry;

export interface JournalParts {
  readonly archives: ArchiveFiles;
  /** What the notes about this file are kept under. */
  readonly key: string;
  readonly agent: string;
  readonly thread: string;
  readonly log: LogStore;
  /** Removes temporary files that a crash left beside the file and its archives. */
  readonly sweep: () => Promise<void>;
}

/** A file that still ends where the note says is repaired only if it was not touched later than this. */
const CRASH_WINDOW_MS = 2_000;

/** Every method is called under the lock of the file. */
export class MemoryFileJournal {
  readonly #parts: JournalParts;
  /** The last note that this process saw through itself; it needs no second look. */
  #settled: string | undefined;

  constructor(parts: JournalParts) {
    this.#parts = parts;
  }

  /** Completes or undoes what a process that died left half done. */
  async recover(held: HeldDocument): Promise<void> {
    const noted = await this.#parts.log.journal(this.#parts.key);
    if (noted === null || JSON.stringify(noted) === this.#settled) return;
    const entry = fromJournal(noted);
    if (entry.op === 'append') {
      this.#settled = JSON.stringify(await this.#recoverAppend(held, entry));
    } else {
      await this.settleReplacement(held, entry);
      await this.#parts.sweep();
    }
  }

  /** Logs messages together with the note that their blocks are about to be added. */
  noteAppend(entry: AppendEntry, drafts: readonly MessageDraft[]): Promise<readonly LogMessage[]> {
    return this.#parts.log.append(drafts, { journal: { key: this.#parts.key, entry: toJournal(entry) } });
  }

  /** The blocks are there. The note stays, because taking it away would cost as much as the message itself. */
  appended(entry: AppendEntry): void {
    this.#settled = JSON.stringify(entry);
  }

  /** Only a file without any of our bytes lets the log forget them; else the note stays, and the next process repairs it. */
  async takeBack(held: HeldDocument, { offset, ids }: AppendEntry): Promise<void> {
    try {
      const { size } = await held.facts();
      if (size !== offset) return;
      await this.#parts.log.retract(ids, { journal: { key: this.#parts.key, entry: null } });
    } catch {
      // The error that led here matters more.
    }
  }

  noteReplacement(entry: ReplaceEntry): Promise<void> {
    return this.#note(entry);
  }

  /** The file itself shows whether it was replaced; the log follows it. */
  async settleReplacement(held: HeldDocument, entry: ReplaceEntry): Promise<void> {
    const { text, hash } = await held.read();
    const { conversationId } = parseTranscript(text).header;
    const hasNewId = entry.conversationId !== null && entry.conversationId === conversationId;
    if (hasNewId || hash === entry.newHash) await this.finish(entry.log);
    else if (hash === entry.oldHash) await this.undo(entry);
    // A person changed or removed it meanwhile. The archive may hold the only copy, so it stays.
    else await this.#note(null);
  }

  /** The file was not replaced. */
  async undo({ archive }: ReplaceEntry): Promise<void> {
    if (archive !== null) await this.#parts.archives.discard(archive.name, archive.hash).catch(unlessOurs);
    await this.#note(null);
  }

  /** The file is in place, and the log follows. Doing it twice does no harm: each part of it gives the same result again. */
  async finish({ messages, edits, boundary }: LogChanges): Promise<readonly LogMessage[]> {
    const { agent, thread, key, log } = this.#parts;
    if (edits.length > 0) await log.edit(edits).catch(unlessGone);
    return log.append(messages, {
      journal: { key, entry: null },
      ...(boundary === null ? {} : { boundary: { agent, thread, seq: boundary } }),
    });
  }

  /** At a clean end: without a note, nothing that a person does to the file later can be taken for a crash. */
  async clear(): Promise<void> {
    const noted = await this.#parts.log.journal(this.#parts.key);
    if (noted !== null && JSON.stringify(noted) === this.#settled) await this.#note(null);
    this.#settled = undefined;
  }

  get isClear(): boolean {
    return this.#settled === undefined;
  }

  /** The log has the messages; the file may have all, some or none of their bytes. Resolves to the note that stays. */
  async #recoverAppend(held: HeldDocument, entry: AppendEntry): Promise<AppendEntry> {
    const { size, mtimeMs } = await held.facts();
    const { offset, length } = entry;
    if (size < offset || size >= offset + length) return entry;
    if (size === offset && mtimeMs > entry.at + CRASH_WINDOW_MS) return entry;
    const text = await this.#textOf(entry);
    if (text === undefined) return entry;
    if (size === offset) {
      await held.append(text, { ifSize: offset });
      return entry;
    }
    const found = await held.readRange(offset, size - offset);
    if (Buffer.compare(Buffer.from(text).subarray(0, found.length), found) !== 0) return entry;
    // Noted again, because truncating changes the time that distinguishes a crash from an edit by hand.
    const again = { ...entry, at: systemClock.now() };
    await this.#note(again);
    await held.truncate(offset);
    await held.append(text, { ifSize: offset });
    return again;
  }

  /** Undefined when the log no longer has them as they were: then what was to be written is unknown. */
  async #textOf({ ids, gap, length }: AppendEntry): Promise<string | undefined> {
    const blocks: string[] = [];
    for (const id of ids) {
      const message = await this.#parts.log.get(id);
      if (message === null || message.deletedAt !== null) return undefined;
      const { role, at, content } = message;
      blocks.push(writeBlock({ role, at, text: contentText(content as MessageContent) }));
    }
    const text = gap + blocks.join('');
    return Buffer.byteLength(text) === length ? text : undefined;
  }

  async #note(entry: JournalEntry | null): Promise<void> {
    const { key, log } = this.#parts;
    await log.append([], { journal: { key, entry: entry === null ? null : toJournal(entry) } });
  }
}

/** A copy too many in an archive folder that cannot be reached must not stop the conversation. */
function unlessOurs(error: unknown): void {
  if (!KeepsakeError.is(error)) throw error;
}

/** A message that the log does not have needs no change there. */
function unlessGone(error: unknown): void {
  if (!KeepsakeError.is(error) || error.code !== 'NOT_FOUND') throw error;
}
