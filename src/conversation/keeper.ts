/** Keeps a conversation on disk: in the log, in MEMORY.md, in both or in neither, as its switches say. */
import { DocumentFile } from '../documents/index.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { MessageDraft } from '../ports/log-store.ts';
import { ArchiveFiles } from './archive-files.ts';
import {
  type ConversationOptions,
  type ConversationParts,
  DEFAULT_START_UP_BYTES,
} from './conversation-options.ts';
import { unparse } from './formats/memory-md.ts';
import { type ConversationMessage, contentText, type MessageContent } from './message.ts';
import { SeenBlocks } from './seen-blocks.ts';
import { messageKey, type StartUp, startFromFile, startFromLog } from './start-up.ts';
import { TranscriptFile, type TranscriptView } from './transcript-file.ts';

/** A transcript may grow until someone compacts it; a gibibyte of it is a mistake. */
const MAX_TRANSCRIPT_BYTES = 1024 ** 3;

export class Keeper {
  readonly archives: ArchiveFiles;
  readonly #options: ConversationOptions;
  readonly #parts: ConversationParts;
  readonly #place: { readonly agent: string; readonly thread: string };
  readonly #transcript: TranscriptFile | undefined;
  readonly #seen = new SeenBlocks();
  #stopped = false;

  constructor(options: ConversationOptions, parts: ConversationParts, thread: string) {
    this.#options = options;
    this.#parts = parts;
    this.#place = { agent: options.agent, thread };
    const files = parts.files === undefined ? {} : { files: parts.files };
    this.archives = new ArchiveFiles({ folder: parts.archiveFolder, root: parts.root, ...files });
    if (options.persistentMemory) this.#transcript = this.#createTranscript();
  }

  /** Nothing is written from now on; what is there stays. */
  stop(): void {
    this.#stopped = true;
  }

  async open(): Promise<StartUp> {
    const { historyLimit, startUpBytes = DEFAULT_START_UP_BYTES } = this.#options;
    const { log } = this.#parts;
    if (this.#transcript !== undefined) return this.#startFrom(await this.#transcript.open(startUpBytes));
    if (!this.#isLogged) return { replayed: [], preamble: null, leftOutBytes: 0 };
    const boundary = await log.boundary(this.#place.agent, this.#place.thread);
    return startFromLog(await log.read({ ...this.#newest(), after: boundary }), historyLimit);
  }

  /** The places of the messages in the log; empty when they are not logged. */
  async write(drafts: readonly MessageDraft[]): Promise<readonly number[]> {
    if (this.#stopped) return [];
    if (this.#transcript === undefined) {
      return this.#isLogged ? (await this.#parts.log.append(drafts)).map((message) => message.seq) : [];
    }
    const logged = await this.#transcript.append(drafts, this.#isLogged);
    for (const draft of drafts) this.#seen.add(draft);
    return logged.map((message) => message.seq);
  }

  /** Puts a summary in the place of everything up to `boundary`; null puts nothing there. */
  async compact(
    summary: MessageDraft | null,
    kept: readonly ConversationMessage[],
    boundary: number,
  ): Promise<{ readonly archive: string | null; readonly seq?: number }> {
    if (this.#stopped) return { archive: null };
    const logged = this.#isLogged;
    if (this.#transcript === undefined) {
      if (!logged) return { archive: null };
      const drafts = summary === null ? [] : [summary];
      const [message] = await this.#parts.log.append(drafts, { boundary: { ...this.#place, seq: boundary } });
      return { archive: null, ...(message === undefined ? {} : { seq: message.seq }) };
    }
    const choose = (view: TranscriptView) => (summary === null ? [] : this.#seen.staying(view, kept));
    const done = await this.#transcript.compact({ summary, logged, boundary, choose });
    if (summary === null) this.#seen.see(done.view);
    else this.#seen.begin(done.view, summary, kept);
    const [message] = done.logged;
    return { archive: done.archive, ...(message === undefined ? {} : { seq: message.seq }) };
  }

  /** Changes what a message says, or takes it out when `content` is null. */
  async edit(message: ConversationMessage, content: MessageContent | null): Promise<void> {
    if (this.#stopped) return;
    const text = content === null ? '' : contentText(content);
    const key = messageKey({ ...message, text: contentText(message.content) });
    await this.#transcript?.rewrite((view) => withChangedBlock(view, key, content === null ? null : text));
    if (content !== null) this.#seen.add({ ...message, text });
    if (message.seq === undefined) return;
    await this.#parts.log.edit([{ id: message.id, at: this.#parts.clock.now(), content, text }]);
  }

  /** Makes an archived text the active file again. */
  async restore(text: string): Promise<StartUp> {
    if (this.#transcript === undefined || this.#stopped) {
      throw new KeepsakeError(
        'READ_ONLY',
        'This conversation writes no MEMORY.md, so none can be restored.',
        {
          hint: 'Open it with persistentMemory: true.',
        },
      );
    }
    const view = await this.#transcript.rewrite(() => text);
    await this.#parts.log.append([], { boundary: { ...this.#place, seq: 0 } });
    return this.#startFrom(view, view.blocks.length);
  }

  get #isLogged(): boolean {
    return this.#options.historyLimit > 0;
  }

  async #startFrom(view: TranscriptView, atLeast = 0): Promise<StartUp> {
    this.#seen.see(view);
    const newest = this.#newest();
    const limit = Math.max(newest.limit, atLeast);
    const logged = this.#isLogged ? await this.#parts.log.read({ ...newest, limit }) : [];
    return startFromFile(view, logged, this.#options.historyLimit);
  }

  /** A window may look back for the user's message that leads it, so more is read than it will hold. */
  #newest() {
    return { ...this.#place, newest: true, limit: this.#options.historyLimit * 2 + 20 };
  }

  #createTranscript(): TranscriptFile {
    const { root, lock, files, memoryFile, log, clock, newConversationId } = this.#parts;
    const where = { path: memoryFile, root, lock, maxBytes: MAX_TRANSCRIPT_BYTES };
    return new TranscriptFile({
      document: new DocumentFile(files === undefined ? where : { ...where, files }),
      archives: this.archives,
      key: `MEMORY.md:${memoryFile}`,
      ...this.#place,
      log,
      clock,
      newConversationId,
    });
  }
}

/** The newest block that says this, changed or taken out; undefined when the file says it no more. */
function withChangedBlock(view: TranscriptView, key: string, text: string | null): string | undefined {
  const target = view.blocks.findLast((block) => messageKey(block) === key);
  if (target === undefined) return undefined;
  const blocks = view.blocks.flatMap((block) => {
    if (block !== target) return [block];
    return text === null ? [] : [{ role: block.role, at: block.at, text }];
  });
  return unparse({ source: view.source, header: { raw: view.headerText }, blocks });
}
