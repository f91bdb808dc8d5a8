/** MEMORY.md on disk: created, extended, archived and begun anew, in step with the log, whatever crashes in between. */
import { ABSENT, type DocumentFile, type HeldDocument, hashOf } from '../documents/index.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { LogMessage, LogStore, MessageDraft } from '../ports/log-store.ts';
import type { ArchiveFiles } from './archive-files.ts';
import {
  gapBefore,
  type ParsedBlock,
  parseTail,
  parseTranscript,
  unparse,
  writeBlock,
  writeHeader,
} from './formats/memory-md.ts';
import { type AppendEntry, type CompactEntry, fromJournal, toJournal } from './journal.ts';
import { contentText, type MessageContent } from './message.ts';

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
}

/** The end of the file as it was read; all of it when nothing was skipped. */
export interface TranscriptView {
  readonly conversationId: string | undefined;
  readonly headerText: string;
  readonly source: string;
  readonly blocks: readonly ParsedBlock[];
  readonly skippedBytes: number;
}

export interface CompactionPlan {
  /** The message that stands for what is archived; null to begin with nothing. */
  readonly summary: MessageDraft | null;
  /** Whether the summary goes to the log too. */
  readonly logged: boolean;
  /** The view of the thread begins after this seq of the log. */
  readonly boundary: number;
  /** Chooses the blocks that stay in the file after the summary; all others go to the archive only. */
  readonly choose: (view: TranscriptView) => readonly ParsedBlock[];
}

export interface Compacted {
  readonly archive: string;
  readonly view: TranscriptView;
  readonly logged: readonly LogMessage[];
}

/** A state that a crash may have left is mended only this soon after the note; later it is an edit by hand. */
const CRASH_WINDOW_MS = 2_000;
const HEADER_BYTES = 4_096;

export class TranscriptFile {
  readonly #parts: TranscriptParts;
  /** The last note that this process saw through itself; it needs no second look. */
  #settled: string | undefined;

  constructor(parts: TranscriptParts) {
    this.#parts = parts;
  }

  /** Creates the file if there is none, mends what a crash left, and reads at most `budget` bytes from its end. */
  open(budget: number): Promise<TranscriptView> {
    return this.#exclusive(async (held) => {
      const { exists, size } = await held.facts();
      if (!exists) await held.replace(this.#header(this.#parts.newConversationId()), { ifHash: ABSENT });
      return size <= budget ? whole((await held.read()).text) : readTail(held, size, budget);
    });
  }

  /** Adds messages to the log and to the file; when it resolves they are on disk in both. */
  append(drafts: readonly MessageDraft[], logged: boolean): Promise<readonly LogMessage[]> {
    return this.#exclusive(async (held) => {
      const { exists, size } = await held.facts();
      const gap = exists
        ? gapBefore(await lastCharacter(held, size))
        : this.#header(this.#parts.newConversationId());
      const text = gap + drafts.map(writeBlock).join('');
      const ids = logged ? drafts.map((draft) => draft.id) : [];
      const entry: AppendEntry = {
        op: 'append',
        offset: size,
        length: Buffer.byteLength(text),
        gap,
        ids,
        at: systemClock.now(),
      };
      const note = { key: this.#parts.key, entry: toJournal(entry) };
      const messages = await this.#parts.log.append(logged ? drafts : [], { journal: note });
      try {
        await held.append(text, { ifSize: size });
      } catch (error) {
        // When even this fails, the note stays and the next opening makes the file whole instead.
        await this.#parts.log
          .retract(ids, { journal: { key: this.#parts.key, entry: null } })
          .catch(() => {});
        throw error;
      }
      this.#settled = JSON.stringify(entry);
      return messages;
    });
  }

  /** Archive, verify, replace: a crash at any step leaves the old state or the new one. */
  compact(plan: CompactionPlan): Promise<Compacted> {
    return this.#exclusive(async (held) => {
      const before = await held.read();
      const view = whole(before.text);
      const kept = new Set(plan.choose(view));
      const archived = unparse({
        source: view.source,
        header: { raw: view.headerText },
        blocks: view.blocks.filter((block) => !kept.has(block)),
      });
      const conversationId = this.#parts.newConversationId();
      const text = unparse({
        source: view.source,
        header: { raw: this.#header(conversationId) },
        blocks: [
          ...(plan.summary === null ? [] : [plan.summary]),
          ...view.blocks.filter((block) => kept.has(block)),
        ],
      });
      const archive = await this.#parts.archives.freeName(this.#parts.clock.now());
      const entry: CompactEntry = {
        op: 'compact',
        archive,
        archiveHash: hashOf(Buffer.from(archived)),
        oldHash: before.hash,
        conversationId,
        summary: plan.logged ? plan.summary : null,
        boundary: plan.boundary,
      };
      await this.#parts.log.append([], { journal: { key: this.#parts.key, entry: toJournal(entry) } });
      try {
        await this.#parts.archives.write(archive, archived);
        await held.replace(text, { ifHash: before.hash });
      } catch (error) {
        // Even a replacement that failed may be in effect (the folder could not be synced): the file itself knows.
        await this.#settleCompaction(held, entry).catch(() => {});
        throw error;
      }
      return { archive, view: whole(text), logged: await this.#finishCompaction(entry) };
    });
  }

  /** Rewrites the file through a function; for deletions, corrections and restored archives. */
  rewrite(change: (view: TranscriptView) => string | undefined): Promise<TranscriptView> {
    return this.#exclusive(async (held) => {
      const before = await held.read();
      const view = whole(before.text);
      const text = change(view);
      if (text === undefined || text === before.text) return view;
      await held.replace(text, { ifHash: before.hash });
      return whole(text);
    });
  }

  headerFor(conversationId: string): string {
    return this.#header(conversationId);
  }

  #header(conversationId: string): string {
    return writeHeader({ agent: this.#parts.agent, conversationId, createdAt: this.#parts.clock.now() });
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
    if (entry.op === 'append') await this.#recoverAppend(held, entry);
    else await this.#settleCompaction(held, entry);
    this.#settled = JSON.stringify(noted);
  }

  /** The log has the messages; the file may have all, some or none of their bytes. */
  async #recoverAppend(held: HeldDocument, entry: AppendEntry): Promise<void> {
    const { size, mtimeMs } = await held.facts();
    const { offset, length } = entry;
    const isPartial = size >= offset && size < offset + length;
    if (!isPartial || mtimeMs > entry.at + CRASH_WINDOW_MS) return;
    const text = await this.#textOf(entry);
    if (size > offset) {
      const found = await held.readRange(offset, size - offset);
      const expected = text === undefined ? undefined : Buffer.from(text).subarray(0, found.length);
      if (expected !== undefined && Buffer.compare(expected, found) !== 0) return;
      await held.truncate(offset);
    }
    if (text !== undefined) await held.append(text, { ifSize: offset });
  }

  /** Undefined when the messages were not logged, so that nobody knows any more what was to be written. */
  async #textOf({ ids, gap, length }: AppendEntry): Promise<string | undefined> {
    if (ids.length === 0) return undefined;
    const messages = await Promise.all(ids.map((id) => this.#parts.log.get(id)));
    if (messages.some((message) => message === null || message.deletedAt !== null)) return undefined;
    const blocks = messages.map((message) =>
      writeBlock({
        role: message!.role,
        at: message!.at,
        text: contentText(message!.content as MessageContent),
      }),
    );
    const text = gap + blocks.join('');
    return Buffer.byteLength(text) === length ? text : undefined;
  }

  /** The header tells which of the two files is in place; the other half of the change follows it. */
  async #settleCompaction(held: HeldDocument, entry: CompactEntry): Promise<void> {
    const { text } = await held.read();
    if (parseTranscript(text).header.conversationId === entry.conversationId) {
      await this.#finishCompaction(entry);
      return;
    }
    await this.#parts.archives.discard(entry.archive, entry.archiveHash);
    await this.#parts.log.append([], { journal: { key: this.#parts.key, entry: null } });
  }

  #finishCompaction({ summary, boundary }: CompactEntry): Promise<readonly LogMessage[]> {
    const { agent, thread, key, log } = this.#parts;
    return log.append(summary === null ? [] : [summary], {
      journal: { key, entry: null },
      boundary: { agent, thread, seq: boundary },
    });
  }
}

function whole(source: string): TranscriptView {
  const { header, blocks } = parseTranscript(source);
  return { conversationId: header.conversationId, headerText: header.raw, source, blocks, skippedBytes: 0 };
}

async function readTail(held: HeldDocument, size: number, budget: number): Promise<TranscriptView> {
  const head = Buffer.from(await held.readRange(0, HEADER_BYTES)).toString('utf8');
  const start = size - budget;
  // Cut anywhere, the tail may begin inside a character; the partial block that holds it is dropped anyway.
  const source = Buffer.from(await held.readRange(start, budget)).toString('utf8');
  const { blocks, dropped } = parseTail(source);
  const { header } = parseTranscript(head);
  return {
    conversationId: header.conversationId,
    headerText: header.raw,
    source,
    blocks,
    skippedBytes:
      start + Buffer.byteLength(source.slice(dropped.start, dropped.end)) - Buffer.byteLength(header.raw),
  };
}

async function lastCharacter(held: HeldDocument, size: number): Promise<string> {
  if (size === 0) return '';
  return Buffer.from(await held.readRange(size - 1, 1)).toString('latin1');
}
