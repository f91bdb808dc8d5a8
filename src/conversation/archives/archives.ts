/** The archives of a conversation: lists, reads, searches, compares and restores them. */

import { parseTranscript } from '../formats/memory-md.ts';
import type { ConversationMessage } from '../messages/message.ts';
import { type MessageMatch, searchMessages } from '../messages/message-search.ts';
import type { ArchiveFiles } from './archive-files.ts';
import { diffLines } from './diff-lines.ts';

export interface ArchiveSummary {
  readonly name: string;
  readonly messages: number;
  readonly characters: number;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
}

export class Archives {
  readonly #files: ArchiveFiles;
  readonly #restore: (text: string, name: string) => Promise<{ readonly archive: string | null }>;

  constructor(
    files: ArchiveFiles,
    restore: (text: string, name: string) => Promise<{ readonly archive: string | null }>,
  ) {
    this.#files = files;
    this.#restore = restore;
  }

  /** Oldest first. */
  async list(): Promise<readonly ArchiveSummary[]> {
    const names = await this.#files.names();
    const summaries: ArchiveSummary[] = [];
    for (const name of names) {
      const text = await this.#files.read(name);
      const { blocks } = parseTranscript(text);
      summaries.push({
        name,
        messages: blocks.length,
        characters: text.length,
        firstAt: blocks[0]?.at ?? null,
        lastAt: blocks.at(-1)?.at ?? null,
      });
    }
    return summaries;
  }

  /** The raw text of an archive. */
  read(name: string): Promise<string> {
    return this.#files.read(name);
  }

  async messages(name: string): Promise<readonly ConversationMessage[]> {
    const { blocks } = parseTranscript(await this.#files.read(name));
    return blocks.map(({ role, at, text }, i) => ({
      id: `${name}#${i + 1}`,
      role,
      content: text,
      at,
      run: null,
      metadata: {},
    }));
  }

  async search(query: string): Promise<readonly (MessageMatch & { readonly archive: string })[]> {
    const found: (MessageMatch & { archive: string })[] = [];
    for (const archive of await this.#files.names()) {
      const matches = searchMessages(await this.messages(archive), query);
      found.push(...matches.map((match) => ({ ...match, archive })));
    }
    return found;
  }

  /** Lines that only one of the two archives has, in the manner of `diff`. */
  async diff(from: string, to: string): Promise<readonly string[]> {
    return diffLines(await this.#files.read(from), await this.#files.read(to));
  }

  /** Puts an archive back as MEMORY.md; what is there now is archived first. */
  async restore(name: string): Promise<{ readonly archive: string | null }> {
    return this.#restore(await this.#files.read(name), name);
  }
}
