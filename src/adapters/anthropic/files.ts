/** Stores the files of one agent and user as items; every change is a compare-and-swap. */
import { memoryOf } from '../common/memory-of.ts';
import type { WhichStore, WhoseMemory } from '../common/options.ts';
import { allItems, type Items, untilDone } from '../common/pages.ts';
import { isBelow } from './paths.ts';
import type { MemoryFile } from './render.ts';

export interface StoredFile extends MemoryFile {
  readonly revision: string;
}

type Write = Parameters<Items['write']>[0][number];

const FILES = ['files'];
/** Changes with every file that appears or goes, so that two such changes cannot pass each other. */
const TREE = { namespace: ['files-tree'], key: 'tree' };

export class MemoryFiles {
  readonly #items: Items;

  constructor(whose: WhoseMemory & WhichStore) {
    this.#items = memoryOf(whose).items;
  }

  async all(): Promise<StoredFile[]> {
    return (await allItems(this.#items, FILES)).map(toFile);
  }

  async find(path: string): Promise<StoredFile | undefined> {
    const [item] = await this.#items.get(FILES, [path]);
    return item === undefined ? undefined : toFile(item);
  }

  /** Makes files appear or go: `plan` sees them all and says what to write. */
  changeTree(plan: (files: readonly StoredFile[]) => readonly Write[]): Promise<void> {
    return untilDone(async () => {
      const [tree] = await this.#items.get(TREE.namespace, [TREE.key]);
      const writes = plan(await this.all());
      const changes = ((tree?.value as number | undefined) ?? 0) + 1;
      const mark = { op: 'put', ...TREE, value: changes, ifRevision: tree?.revision ?? null } as const;
      await this.#items.write([mark, ...writes]);
    });
  }

  /** Changes the content of one file that exists; whoever was faster makes it start again. */
  edit<T>(
    path: string,
    change: (file: StoredFile | undefined) => { content: string; answer: T },
  ): Promise<T> {
    return untilDone(async () => {
      const file = await this.find(path);
      const { content, answer } = change(file);
      await this.#items.write([put(path, content, file?.revision)]);
      return answer;
    });
  }
}

export const put = (path: string, content: string, ifRevision: string | null = null): Write => ({
  ...({ op: 'put', namespace: FILES, key: path, value: { content } } as const),
  ...{ texts: content.trim() === '' ? [] : [content], ifRevision },
});

export const remove = ({ path, revision }: StoredFile): Write => ({
  ...({ op: 'remove', namespace: FILES, key: path, ifRevision: revision } as const),
});

export const inside = (files: readonly StoredFile[], path: string): StoredFile[] =>
  files.filter((file) => file.path === path || isBelow(file.path, path));

const toFile = ({ key, value, revision }: { key: string; value: unknown; revision: string }): StoredFile => ({
  path: key,
  content: (value as { content: string }).content,
  revision,
});
