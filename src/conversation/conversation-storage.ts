/** Stores a conversation: in the log, in MEMORY.md, in both or in neither, as its switches say. */

import { dirname, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DocumentFile, sweepTemporaryFiles } from '../documents/index.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { MessageDraft } from '../ports/log-store.ts';
import { ArchiveFiles, MAX_TRANSCRIPT_BYTES } from './archives/archive-files.ts';
import {
  type ConversationOptions,
  type ConversationParts,
  DEFAULT_START_UP_BYTES,
} from './conversation-options.ts';
import { unparse } from './formats/memory-md.ts';
import { type Adopted, adoptTranscripts } from './log/adopt.ts';
import { ThreadLog } from './log/thread-log.ts';
import { pairWithLog } from './memory-md/block-messages.ts';
import { changeBlock } from './memory-md/change-block.ts';
import { MemoryFile, type Replacement } from './memory-md/memory-file.ts';
import { type MemoryFileView, viewOf } from './memory-md/memory-file-view.ts';
import { refuseNameCollision } from './memory-md/name-collision.ts';
import { asBlock, type HandEdit, SeenBlocks } from './memory-md/seen-blocks.ts';
import { type ConversationMessage, contentText, isSummary, type MessageContent } from './messages/message.ts';
import { fromLog } from './messages/message-draft.ts';
import type { History } from './window/history.ts';
import { EMPTY_START, type StartUp, startFromFile, startFromLog, wholeFromLog } from './window/start-up.ts';

/** How long a file must stay as it is for a missing block to count as deleted. */
const SETTLED_MS = 50;
const MOST_LOOKS = 10;

export interface Compacted {
  readonly archive: string | null;
  /** Place of the summary in the log; absent when it is not logged. */
  readonly seq?: number;
  /** The header of the file with what a person wrote above the first block; absent when that is nothing. */
  readonly notes?: string;
}

export class ConversationStorage {
  readonly archives: ArchiveFiles;
  readonly #options: ConversationOptions;
  readonly #parts: ConversationParts;
  readonly #threadName: string;
  /** Undefined when nothing is logged. */
  readonly #thread: ThreadLog | undefined;
  readonly #transcript: MemoryFile | undefined;
  readonly #seen = new SeenBlocks();
  #stopped = false;

  constructor(options: ConversationOptions, parts: ConversationParts, thread: string) {
    this.#options = options;
    this.#parts = parts;
    this.#threadName = thread;
    const files = defined({ files: parts.files });
    this.archives = new ArchiveFiles({ folder: parts.archiveFolder, root: parts.root, ...files });
    if (options.historyLimit > 0) {
      this.#thread = new ThreadLog(parts.log, { agent: options.agent, thread }, options.historyLimit);
    }
    if (options.persistentMemory) this.#transcript = this.#createTranscript(thread);
  }

  /** Nothing is written from now on; what is there stays. */
  stop(): void {
    this.#stopped = true;
  }

  async open(): Promise<StartUp> {
    const { startUpBytes = DEFAULT_START_UP_BYTES } = this.#options;
    if (this.#transcript === undefined) {
      return this.#thread === undefined ? EMPTY_START : startFromLog(await this.#thread.open(), this.#view);
    }
    const { files, memoryFile } = this.#parts;
    await refuseNameCollision(dirname(memoryFile), files);
    const view = await this.#transcript.open(startUpBytes);
    if (view.size > view.headerText.length && (await this.#thread?.newest()) === 0) await this.adopt();
    return this.#startFrom(view);
  }

  /** Takes what MEMORY.md and the archives hold, and the log does not, into the log. */
  async adopt(): Promise<Adopted> {
    const { log } = this.#parts;
    const { agent } = this.#options;
    const archives = await this.archives.readAll();
    const active = (await this.#transcript?.read())?.source ?? '';
    return adoptTranscripts(log, { agent, thread: this.#threadName }, { archives, active });
  }

  /** Removes the notes that only a crash would need. */
  async close(): Promise<void> {
    await this.#transcript?.close();
  }

  /** What a person took out of MEMORY.md, or changed there, since this process last looked. */
  async handEdits(): Promise<readonly HandEdit[]> {
    let view = this.#stopped ? undefined : await this.#transcript?.changed();
    for (let looks = 1; view !== undefined && looks <= MOST_LOOKS; looks++) {
      const edits = this.#seen.editsIn(view);
      if (edits.length === 0) return [];
      // An editor empties the file before it writes it: only what stays away for a while was taken out.
      await sleep(SETTLED_MS);
      const again = await this.#transcript?.changed();
      if (again === undefined) {
        this.#seen.follow(edits);
        return edits;
      }
      view = again;
    }
    return [];
  }

  /** Keeps the turns before the open prompts within the history level; what is stored nowhere else stays. */
  fit(history: History, openPrompts: ReadonlySet<string>): void {
    if (this.#thread === undefined || this.#stopped) return;
    history.fit(this.#options.historyLimit, openPrompts, this.#transcript !== undefined);
  }

  /** Takes in what other processes added to the log since this one last looked; resolves to the number of messages. */
  async catchUp(history: History): Promise<number> {
    const news = this.#stopped ? [] : ((await this.#thread?.news()) ?? []).map(fromLog);
    // Another process compacted: its summary represents turns that are still in this history.
    if (news.some(isSummary)) {
      history.begin(await this.open());
      return news.length;
    }
    history.add(news);
    for (const message of news) this.#seen.add(asBlock(message));
    return news.length;
  }

  /** The whole conversation since its last compaction, also what is in no window; undefined when nothing is stored. */
  async all(): Promise<readonly ConversationMessage[] | undefined> {
    if (this.#transcript === undefined) {
      const logged = await this.#thread?.all({ inView: true });
      return logged === undefined ? undefined : wholeFromLog(logged);
    }
    const { blocks } = await this.#transcript.read();
    return pairWithLog(blocks, (await this.#thread?.all({ inView: false })) ?? []);
  }

  /** The places of the messages in the log; empty when they are not logged. */
  async write(drafts: readonly MessageDraft[]): Promise<readonly number[]> {
    if (this.#stopped) return [];
    if (this.#transcript === undefined) return (await this.#thread?.append(drafts)) ?? [];
    const logged = await this.#transcript.append(drafts, this.#thread !== undefined);
    for (const draft of drafts) this.#seen.add(draft);
    return this.#thread?.own(logged) ?? [];
  }

  /** Puts a summary in the place of everything but what is kept and what others added. */
  async compact(summary: MessageDraft, kept: readonly ConversationMessage[]): Promise<Compacted> {
    if (this.#stopped) return { archive: null };
    if (this.#transcript === undefined) {
      const [seq] = (await this.#thread?.append([summary], await this.#thread.boundaryBefore(kept))) ?? [];
      return { archive: null, ...defined({ seq }) };
    }
    const fresh = this.#transcript.freshHeader();
    const { archive, view, logged } = await this.#transcript.replace(async (before) => {
      const header = before.notes === '' ? fresh : `${fresh}${before.notes}\n\n`;
      const staying = new Set(this.#seen.staying(before, kept));
      const archived = without(before, (block) => !staying.has(block));
      const blocks = [summary, ...before.blocks.filter((block) => staying.has(block))];
      const text = unparse({ source: before.source, header: { raw: header }, blocks });
      const boundary = (await this.#thread?.boundaryBefore(kept)) ?? null;
      const messages = this.#thread === undefined ? [] : [summary];
      return { text, archived, log: { messages, edits: [], boundary } };
    });
    this.#seen.begin(view.conversationId, [{ ...summary, content: summary.text }, ...kept]);
    const [seq] = this.#thread?.own(logged) ?? [];
    const notes = view.notes === '' ? undefined : view.headerText;
    return { archive, ...defined({ seq, notes }) };
  }

  /** Archives everything and begins with nothing. */
  async clear(): Promise<Compacted> {
    if (this.#stopped) return { archive: null };
    const boundary = (await this.#thread?.newest()) ?? null;
    if (this.#transcript === undefined) {
      if (boundary !== null) await this.#thread?.append([], boundary);
      return { archive: null };
    }
    const header = this.#transcript.freshHeader();
    const { archive, view } = await this.#transcript.replace(async (before) =>
      this.#replaceAll(before, header, boundary),
    );
    this.#seen.see(view);
    return { archive };
  }

  /** Makes an archived text the active file again; what is there now is archived. */
  async restore(text: string): Promise<Compacted & { readonly start: StartUp }> {
    if (this.#transcript === undefined || this.#stopped) {
      throw new KeepsakeError(
        'READ_ONLY',
        'This conversation writes no MEMORY.md, so none can be restored.',
        { hint: 'Open it with persistentMemory: true.' },
      );
    }
    // So that a conversation without MEMORY.md, which reads the log alone, sees it again too.
    const boundary = (await this.#thread?.boundaryShowing(viewOf(text).blocks)) ?? null;
    const { archive, view } = await this.#transcript.replace(async (before) =>
      this.#replaceAll(before, text, boundary),
    );
    return { archive, start: await this.#startFrom(view) };
  }

  /** A message that is not in the history, such as one from `moreContext`. */
  async find(id: string): Promise<ConversationMessage | undefined> {
    return this.#stopped ? undefined : this.#thread?.find(id);
  }

  /** Messages from elsewhere have a place in the log only if this log knows them. */
  async placed(messages: readonly ConversationMessage[]): Promise<ConversationMessage[]> {
    return Promise.all(
      messages.map(async ({ seq: _seq, ...message }) => {
        const seq = (await this.#thread?.find(message.id))?.seq;
        return seq === undefined ? message : { ...message, seq };
      }),
    );
  }

  /** Changes what a message says, or removes it when `content` is null; returns how its block changed. */
  async edit(
    message: ConversationMessage,
    content: MessageContent | null,
  ): Promise<{ readonly before: string; readonly after: string } | undefined> {
    if (this.#stopped) return undefined;
    const text = content === null ? '' : contentText(content);
    const edit = { id: message.id, at: this.#parts.clock.now(), content, text };
    const edits = message.seq === undefined ? [] : [edit];
    if (this.#transcript === undefined) {
      if (edits.length > 0) await this.#parts.log.edit(edits);
      return undefined;
    }
    let change: { before: string; after: string } | undefined;
    await this.#transcript.replace(async (view): Promise<Replacement> => {
      const changed = changeBlock(view, asBlock(message), content === null ? null : text, this.#seen);
      change = changed.change;
      return { text: changed.text, log: { messages: [], edits, boundary: null } };
    });
    this.#seen.remove(asBlock(message));
    if (content !== null && change !== undefined) this.#seen.add({ ...message, text });
    return change;
  }

  get #view(): { readonly limit: number; readonly agent: string } {
    return { limit: this.#options.historyLimit, agent: this.#options.agent };
  }

  async #startFrom(view: MemoryFileView): Promise<StartUp> {
    this.#seen.see(view);
    return startFromFile(view, (await this.#thread?.openFor(view.blocks)) ?? [], this.#view);
  }

  /** A file in which nothing was said needs no archive. */
  #replaceAll(before: MemoryFileView, text: string, boundary: number | null): Replacement {
    const log = { messages: [], edits: [], boundary };
    if (before.blocks.length === 0 && before.notes === '') return { text, log };
    return { text, archived: before.source, log };
  }

  #createTranscript(thread: string): MemoryFile {
    const { root, lock, files, memoryFile, archiveFolder, log, clock, newConversationId } = this.#parts;
    const where = { path: memoryFile, root, lock, maxBytes: MAX_TRANSCRIPT_BYTES };
    const sweep = async () => {
      for (const folder of [dirname(memoryFile), archiveFolder]) {
        await sweepTemporaryFiles(folder, defined({ files })).catch(() => []);
      }
    };
    return new MemoryFile({
      document: new DocumentFile(files === undefined ? where : { ...where, files }),
      archives: this.archives,
      // Relative, so that a workspace that was moved or is reached by a link finds its notes again.
      key: `MEMORY.md:${relative(root, memoryFile).replaceAll('\\', '/')}`,
      agent: this.#options.agent,
      thread,
      log,
      clock,
      newConversationId,
      sweep,
    });
  }
}

/** The text of a file with only those blocks that fit. */
function without(view: MemoryFileView, fits: (block: MemoryFileView['blocks'][number]) => boolean): string {
  const { source, headerText, blocks } = view;
  return unparse({ source, header: { raw: headerText }, blocks: blocks.filter(fits) });
}
