/** MEMORY.md on disk: created, extended and replaced in step with the log, whatever crashes in between. */
import {
  ABSENT,
  type DocumentEnd,
  type DocumentFile,
  type HeldDocument,
  hashOf,
} from '../documents/index.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { LogMessage, LogStore, MessageDraft } from '../ports/log-store.ts';
import type { ArchiveFiles } from './archive-files.ts';
import { gapBefore, parseTranscript, writeBlock, writeHeader } from './formats/memory-md.ts';
import {
  type AppendEntry,
  fromJournal,
  type JournalEntry,
  type LogChanges,
  type ReplaceEntry,
  toJournal,
} from './journal.ts';
import { contentText, type MessageContent } from './message.ts';
import { readWithin, type TranscriptView, viewOf } from './transcript-view.ts';

export interface TranscriptParts {
  readonly document: DocumentFile;
  readonly archives: ArchiveFiles;
  /** What the notes about this file are kept under. */
  readonly key: string;
  readonly agent: string;
  readonly thread: string;
  readonly log: LogStore;
  readonly clock: Clock;
  readonly newConversationId: () => string;
  /** Removes temporary files that a crash left beside the file and its archives. */
  readonly sweep: () => Promise<void>;
}

export interface Replacement {
  readonly text: string;
  /** What is saved in the archive before; absent when nothing is. */
  readonly archived?: string;
  readonly log: LogChanges;
}

/** May run again when a person saves the file meanwhile; undefined leaves everything as it is. */
export type Decide = (view: TranscriptView) => Promise<Replacement | undefined>;

export interface Replaced {
  /** Name of the archive; null when nothing was archived. */
  readonly archive: string | null;
  readonly view: TranscriptView;
  readonly logged: readonly LogMessage[];
}

/** A file that still ends where the note says is mended only if it was not touched later than this. */
const CRASH_WINDOW_MS = 2_000;
/** People who save within each of these attempts are not people. */
const MOST_ATTEMPTS = 8;

export class TranscriptFile {
  readonly #parts: TranscriptParts;
  /** The last note that this process saw through itself; it needs no second look. */
  #settled: string | undefined;

  constructor(parts: TranscriptParts) {
    this.#parts = parts;
  }

  /** Creates the file if there is none, mends what a crash left, and reads at most `budget` bytes. */
  open(budget: number): Promise<TranscriptView> {
    return this.#exclusive(async (held) => {
      const { exists, size } = await held.facts();
      if (!exists) await held.replace(this.freshHeader(), { ifHash: ABSENT });
      return size <= budget ? viewOf((await held.read()).text) : readWithin(held, size, budget);
    });
  }

  /** Adds messages to the file and, if `logged`, to the log; when it resolves they are on disk. */
  append(drafts: readonly MessageDraft[], logged: boolean): Promise<readonly LogMessage[]> {
    const blocks = drafts.map(writeBlock).join('');
    return this.#exclusive(async (held) => {
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

  /** At a clean end: without a note, nothing that a person does to the file later can be taken for a crash. */
  async settle(): Promise<void> {
    if (this.#settled === undefined) return;
    await this.#parts.document.exclusive(async () => {
      const noted = await this.#parts.log.journal(this.#parts.key);
      if (noted !== null && JSON.stringify(noted) === this.#settled) await this.#note(null);
    });
    this.#settled = undefined;
  }

  /** With a new id, which tells this file from the one before. */
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
    const { log, key } = this.#parts;
    const ids = drafts.map((draft) => draft.id);
    let entry: AppendEntry | undefined;
    let messages: readonly LogMessage[] = [];
    const note = async (offset: number, gap: string): Promise<void> => {
      const length = Buffer.byteLength(gap) + Buffer.byteLength(blocks);
      entry = { op: 'append', offset, length, gap, ids, at: systemClock.now() };
      messages = await log.append(drafts, { journal: { key, entry: toJournal(entry) } });
    };
    try {
      await this.#extend(held, blocks, note, true);
    } catch (error) {
      if (entry !== undefined) await this.#takeBack(held, entry);
      throw error;
    }
    this.#settled = JSON.stringify(entry);
    return messages;
  }

  /** Adds the blocks, again when a person who saves the file in this very moment overwrites them. */
  async #extend(
    held: HeldDocument,
    blocks: string,
    note: (offset: number, gap: string) => Promise<void>,
    journaled: boolean,
  ): Promise<void> {
    let offset = 0;
    const compose = async (end: DocumentEnd): Promise<string> => {
      offset = end.size;
      const gap = await this.#gap(end);
      await note(offset, gap);
      return gap + blocks;
    };
    for (let attempts = 1; ; attempts++) {
      try {
        await held.extend(compose, { journaled });
        return;
      } catch (error) {
        if (!isConflict(error) || attempts === MOST_ATTEMPTS) throw error;
        const { size } = await held.facts();
        const found = await held.readRange(offset, Math.max(0, size - offset));
        if (Buffer.from(found).includes(blocks)) return;
      }
    }
  }

  /** Only a file without any of our bytes lets the log forget them; else the note stays, and the next one mends it. */
  async #takeBack(held: HeldDocument, { offset, ids }: AppendEntry): Promise<void> {
    try {
      const { size } = await held.facts();
      if (size !== offset) return;
      await this.#parts.log.retract(ids, { journal: { key: this.#parts.key, entry: null } });
    } catch {
      // The error that led here matters more.
    }
  }

  async #replace(held: HeldDocument, decide: Decide): Promise<Replaced> {
    const before = await held.read();
    const old = viewOf(before.text);
    const plan = await decide(old);
    if (plan === undefined) return { archive: null, view: old, logged: [] };
    const { text, archived, log } = plan;
    const view = viewOf(text);
    if (text === before.text) return { archive: null, view, logged: await this.#finish(log) };
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
    await this.#note(entry);
    try {
      if (archive !== null) await this.#parts.archives.write(archive.name, archived!);
      await held.replace(text, { ifHash: before.hash });
    } catch (error) {
      // A replacement that failed may be in effect all the same, when only its folder could not be synced.
      await (isConflict(error) ? this.#undo(entry) : this.#settleReplacement(held, entry)).catch(() => {});
      throw error;
    }
    return { archive: archive?.name ?? null, view, logged: await this.#finish(log) };
  }

  async #planArchive(text: string): Promise<{ readonly name: string; readonly hash: string }> {
    const { archives, clock } = this.#parts;
    return { name: await archives.freeName(clock.now()), hash: hashOf(Buffer.from(text)) };
  }

  #exclusive<T>(work: (held: HeldDocument) => Promise<T>): Promise<T> {
    return this.#parts.document.exclusive(async (held) => {
      await this.#recover(held);
      return work(held);
    });
  }

  async #recover(held: HeldDocument): Promise<void> {
    const noted = await this.#parts.log.journal(this.#parts.key);
    if (noted === null || JSON.stringify(noted) === this.#settled) return;
    const entry = fromJournal(noted);
    if (entry.op === 'append') this.#settled = JSON.stringify(await this.#recoverAppend(held, entry));
    else await this.#recoverReplacement(held, entry);
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
    // Noted anew, because cutting changes the time that tells a crash from an edit by hand.
    const again = { ...entry, at: systemClock.now() };
    await this.#note(again);
    await held.truncate(offset);
    await held.append(text, { ifSize: offset });
    return again;
  }

  /** Undefined when the log no longer has them as they were, so that nobody knows what was to be written. */
  async #textOf({ ids, gap, length }: AppendEntry): Promise<string | undefined> {
    const blocks: string[] = [];
    for (const id of ids) {
      const message = await this.#parts.log.get(id);
      if (message === null || message.deletedAt !== null) return undefined;
      const { role, at, content } = message;
      blocks.push(writeBlock({ role, at, text: contentText(content as MessageContent).toWellFormed() }));
    }
    const text = gap + blocks.join('');
    return Buffer.byteLength(text) === length ? text : undefined;
  }

  async #recoverReplacement(held: HeldDocument, entry: ReplaceEntry): Promise<void> {
    await this.#settleReplacement(held, entry);
    await this.#parts.sweep();
  }

  /** The file itself tells whether it was replaced; the other half of the change follows it. */
  async #settleReplacement(held: HeldDocument, entry: ReplaceEntry): Promise<void> {
    const { text, hash } = await held.read();
    const { conversationId } = parseTranscript(text).header;
    const hasNewId = entry.conversationId !== null && entry.conversationId === conversationId;
    if (hasNewId || hash === entry.newHash) await this.#finish(entry.log);
    else if (hash === entry.oldHash) await this.#undo(entry);
    // A person changed or removed it meanwhile. The archive may hold the only copy, so it stays.
    else await this.#note(null);
  }

  async #undo({ archive }: ReplaceEntry): Promise<void> {
    if (archive !== null) await this.#parts.archives.discard(archive.name, archive.hash);
    await this.#note(null);
  }

  /** Can be done twice: edits give the same result again, and a message whose id is there already is left as it is. */
  async #finish({ messages, edits, boundary }: LogChanges): Promise<readonly LogMessage[]> {
    const { agent, thread, key, log } = this.#parts;
    if (edits.length > 0) await log.edit(edits).catch(unlessGone);
    return log.append(messages, {
      journal: { key, entry: null },
      ...(boundary === null ? {} : { boundary: { agent, thread, seq: boundary } }),
    });
  }

  async #note(entry: JournalEntry | null): Promise<void> {
    const { key, log } = this.#parts;
    await log.append([], { journal: { key, entry: entry === null ? null : toJournal(entry) } });
  }
}

function isConflict(error: unknown): boolean {
  return KeepsakeError.is(error) && error.code === 'CONFLICT';
}

/** A message that the log does not have needs no change there. */
function unlessGone(error: unknown): void {
  if (!KeepsakeError.is(error) || error.code !== 'NOT_FOUND') throw error;
}
