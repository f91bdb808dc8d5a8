/** Keeps MEMORY.md on disk consistent with the log, also after a crash. */
import {
  ABSENT,
  type DocumentEnd,
  type DocumentFile,
  type HeldDocument,
  hashOf,
} from '../../documents/index.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { LogMessage, MessageDraft } from '../../ports/log-store.ts';
import { gapBefore, writeBlock, writeHeader } from '../formats/memory-md.ts';
import type { AppendEntry, LogChanges, ReplaceEntry } from './memory-file-journal.ts';
import { type JournalParts, MemoryFileJournal } from './memory-file-journal.ts';
import { type MemoryFileView, readWithin, viewOf } from './memory-file-view.ts';

export interface MemoryFileParts extends JournalParts {
  readonly document: DocumentFile;
  readonly clock: Clock;
  readonly newConversationId: () => string;
}

export interface Replacement {
  readonly text: string;
  /** What is saved in the archive before; absent when nothing is. */
  readonly archived?: string;
  readonly log: LogChanges;
}

/** May run again when a person saves the file meanwhile. */
export type Decide = (view: MemoryFileView) => Promise<Replacement>;

export interface Replaced {
  /** Name of the archive; null when nothing was archived. */
  readonly archive: string | null;
  readonly view: MemoryFileView;
  readonly logged: readonly LogMessage[];
}

/** How much a person may have taken out of the file in one save for us to find our place again. */
const EDITED_BYTES = 64 * 1024;
/** A longer file is checked when it is next opened. */
const MOST_CHECKED_BYTES = 8 * 1024 * 1024;
/** No person saves the file within each of these attempts. */
const MOST_ATTEMPTS = 8;

export class MemoryFile {
  readonly #parts: MemoryFileParts;
  readonly #journal: MemoryFileJournal;
  /** The file as this process read or wrote it last. */
  #left: { readonly size: number; readonly mtimeMs: number } | undefined;

  constructor(parts: MemoryFileParts) {
    this.#parts = parts;
    this.#journal = new MemoryFileJournal(parts);
  }

  /** Creates the file if it does not exist, repairs what a crash left, and reads at most `budget` bytes. */
  open(budget: number): Promise<MemoryFileView> {
    return this.#exclusive(async (held) => {
      const { exists, size } = await held.facts();
      if (!exists) await held.replace(this.freshHeader(), { ifHash: ABSENT });
      return size <= budget ? viewOf((await held.read()).text) : readWithin(held, size, budget);
    });
  }

  /** The file, if somebody else changed it since this process read or wrote it last. Takes no lock. */
  async changed(): Promise<MemoryFileView | undefined> {
    const { size, mtimeMs } = await this.#parts.document.facts();
    if (this.#left !== undefined && isSame({ size, mtimeMs }, this.#left)) return undefined;
    const read = await this.#parts.document.read();
    this.#left = { size: read.size, mtimeMs: read.mtimeMs };
    return viewOf(read.text);
  }

  /** The whole file as it is. Takes no lock. */
  async read(): Promise<MemoryFileView> {
    return viewOf((await this.#parts.document.read()).text);
  }

  /** Adds messages to the file and, if `logged`, to the log; when it resolves they are on disk. */
  append(drafts: readonly MessageDraft[], logged: boolean): Promise<readonly LogMessage[]> {
    const blocks = drafts.map(writeBlock).join('');
    return this.#exclusive(async (held) => {
      await this.#refuseUnreadable(held);
      if (logged) return this.#appendLogged(held, drafts, blocks);
      await this.#extend(held, blocks, async () => {}, false);
      return [];
    });
  }

  /** Archive, verify, replace: a crash at any step leaves the old state or the new one. */
  replace(decide: Decide): Promise<Replaced> {
    return this.#exclusive(async (held) => {
      for (let attempts = 1; ; attempts++) {
        try {
          return await this.#replace(held, decide);
        } catch (error) {
          if (!isConflict(error) || attempts === MOST_ATTEMPTS) throw error;
        }
      }
    });
  }

  /** Removes the note that only a crash would need. */
  async close(): Promise<void> {
    if (!this.#journal.isClear) await this.#parts.document.exclusive(() => this.#journal.clear());
  }

  /** With a new id, which distinguishes this file from the one before. */
  freshHeader(): string {
    const { agent, clock, newConversationId } = this.#parts;
    return writeHeader({ agent, conversationId: newConversationId(), createdAt: clock.now() });
  }

  async #gap(end: DocumentEnd): Promise<string> {
    if (end.size === 0) return this.freshHeader();
    return gapBefore(String.fromCharCode((await end.lastByte()) ?? 0));
  }

  async #appendLogged(
    held: HeldDocument,
    drafts: readonly MessageDraft[],
    blocks: string,
  ): Promise<readonly LogMessage[]> {
    const ids = drafts.map((draft) => draft.id);
    let entry: AppendEntry | undefined;
    let messages: readonly LogMessage[] = [];
    const note = async (offset: number, gap: string): Promise<void> => {
      const length = Buffer.byteLength(gap) + Buffer.byteLength(blocks);
      entry = { op: 'append', offset, length, gap, ids, at: systemClock.now() };
      messages = await this.#journal.noteAppend(entry, drafts);
    };
    try {
      await this.#extend(held, blocks, note, true);
    } catch (error) {
      if (entry !== undefined) await this.#journal.takeBack(held, entry);
      throw error;
    }
    this.#journal.appended(entry!);
    return messages;
  }

  /** Adds the blocks, again when a person who saves the file in this very moment overwrites them. */
  async #extend(
    held: HeldDocument,
    blocks: string,
    note: (offset: number, gap: string) => Promise<void>,
    journaled: boolean,
  ): Promise<void> {
    let tried: number | undefined;
    const compose = async (end: DocumentEnd): Promise<string> => {
      if (tried !== undefined && (await stands(held, blocks, tried, end.size))) return '';
      tried = end.size;
      const gap = await this.#gap(end);
      await note(tried, gap);
      return gap + blocks;
    };
    for (let attempts = 1; ; attempts++) {
      try {
        await held.extend(compose, { journaled });
        return;
      } catch (error) {
        if (!isConflict(error) || attempts === MOST_ATTEMPTS) throw error;
      }
    }
  }

  async #replace(held: HeldDocument, decide: Decide): Promise<Replaced> {
    const before = await held.read();
    const old = viewOf(before.text);
    const { text, archived, log } = await decide(old);
    const view = viewOf(text);
    if (text === before.text) return { archive: null, view, logged: await this.#journal.finish(log) };
    const archive = archived === undefined ? null : await this.#planArchive(archived);
    const isNew = view.conversationId !== undefined && view.conversationId !== old.conversationId;
    const entry: ReplaceEntry = {
      op: 'replace',
      oldHash: before.hash,
      newHash: hashOf(Buffer.from(text)),
      conversationId: isNew ? view.conversationId! : null,
      archive,
      log,
    };
    await this.#journal.noteReplacement(entry);
    try {
      if (archive !== null) await this.#parts.archives.write(archive.name, archived!);
      await held.replace(text, { ifHash: before.hash });
    } catch (error) {
      // A replacement that failed may be in effect all the same, when only its folder could not be synced.
      const settling = isConflict(error)
        ? this.#journal.undo(entry)
        : this.#journal.settleReplacement(held, entry);
      await settling.catch(() => {});
      throw error;
    }
    return { archive: archive?.name ?? null, view, logged: await this.#journal.finish(log) };
  }

  async #planArchive(text: string): Promise<{ readonly name: string; readonly hash: string }> {
    const { archives, clock } = this.#parts;
    return { name: await archives.freeName(clock.now()), hash: hashOf(Buffer.from(text)) };
  }

  /** What somebody else wrote meanwhile is checked before a message is added to it: the next start could not read it. */
  async #refuseUnreadable(held: HeldDocument): Promise<void> {
    const { exists, size, mtimeMs } = await held.facts();
    if (!exists || size > MOST_CHECKED_BYTES) return;
    if (this.#left === undefined || !isSame({ size, mtimeMs }, this.#left)) await held.read();
  }

  #exclusive<T>(work: (held: HeldDocument) => Promise<T>): Promise<T> {
    return this.#parts.document.exclusive(async (held) => {
      await this.#journal.recover(held);
      // Without these facts the file is read once more than needed; the change itself must not fail with them.
      const before = await held.facts().catch(() => undefined);
      const result = await work(held);
      // What others changed before this write is looked at later.
      const isKnown = before !== undefined && (this.#left === undefined || isSame(before, this.#left));
      if (isKnown) this.#left = await held.facts().catch(() => this.#left);
      return result;
    });
  }
}

/** Whether a person's copy of the file has the blocks already, near the place where they were added. */
async function stands(held: HeldDocument, blocks: string, place: number, size: number): Promise<boolean> {
  const start = Math.max(0, place - EDITED_BYTES);
  if (size <= start) return false;
  return Buffer.from(await held.readRange(start, size - start)).includes(blocks);
}

function isSame(
  a: { readonly size: number; readonly mtimeMs: number },
  b: { readonly size: number; readonly mtimeMs: number },
): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs;
}

function isConflict(error: unknown): boolean {
  return KeepsakeError.is(error) && error.code === 'CONFLICT';
}
