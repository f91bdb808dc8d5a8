/** All memories that match the filters, newest first, of which only the rows in sight exist. */
import type { Memory } from '../api.ts';
import { VirtualList } from '../parts/virtual-list.ts';
import { type ListFilter, MemoryPages } from './memory-pages.ts';
import { memoryRow } from './memory-row.ts';

const ROW_HEIGHT = 68;

interface MemoryListOptions {
  readonly isOpen: (id: string) => boolean;
  readonly isChosen: (id: string) => boolean;
  /** Whether what is read is still wanted. */
  readonly isShown: () => boolean;
  /** Called when rows or their number have arrived. */
  readonly changed: () => void;
  readonly failed: (error: unknown) => void;
}

export class MemoryList {
  readonly rows: VirtualList;
  readonly #options: MemoryListOptions;
  #pages: MemoryPages | undefined;

  constructor(options: MemoryListOptions) {
    this.#options = options;
    this.rows = new VirtualList({
      rowHeight: ROW_HEIGHT,
      label: 'Memories, newest first',
      render: (row) => {
        const memory = this.#pages?.at(row);
        const id = memory?.id ?? '';
        return memoryRow(memory, options.isOpen(id), options.isChosen(id));
      },
      inSight: (first, last) => this.#pages?.want(first, last),
    });
  }

  get total(): number {
    return this.#pages?.total ?? 0;
  }

  /** False until the whole list was counted. */
  get isCounted(): boolean {
    return this.#pages?.isCounted ?? false;
  }

  /** The new reading replaces the old one when its first page has arrived, so that nothing flickers; false if it is not wanted any more. */
  async read(filter: ListFilter): Promise<boolean> {
    const { isShown, changed, failed } = this.#options;
    const fresh = new MemoryPages(filter);
    fresh.onProblem = (error) => {
      if (isShown()) failed(error);
    };
    await fresh.open();
    if (!isShown()) {
      fresh.close();
      return false;
    }
    this.#pages?.close();
    this.#pages = fresh;
    fresh.onChange = () => {
      if (!isShown()) return;
      this.rows.setTotal(fresh.total);
      changed();
    };
    return true;
  }

  /** Draws what was read, and resolves when the whole list was counted. */
  async draw(): Promise<void> {
    this.#pages?.onChange();
    await this.#pages?.counted;
  }

  get(id: string): Memory | undefined {
    return this.#pages?.find(id);
  }

  replace(memory: Memory): void {
    this.#pages?.replace(memory);
  }

  leave(): void {
    this.#pages?.close();
    this.rows.leave();
  }
}
