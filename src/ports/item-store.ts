/** Port: JSON values under exact names, in the order in which they were added, written in atomic and conditional groups. */
import type { JsonValue } from '../kernel/json.ts';
import type { Embedding } from './record-store.ts';

/** Whose items they are. An empty user: of the agent itself. */
export interface ItemOwner {
  readonly agent: string;
  readonly user: string;
}

/** A place: any number of labels, like the folders of a path. */
export type Namespace = readonly string[];

export interface Item extends ItemOwner {
  readonly namespace: Namespace;
  readonly key: string;
  readonly value: JsonValue;
  /** Place in the order of adding; replacing a value does not change it. */
  readonly seq: number;
  /** Another one after every change, also after a removal and a new beginning. */
  readonly revision: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A text by which an item is found. */
export interface ItemText {
  readonly content: string;
  /** Its words as `analyze` makes them, with spaces between them. */
  readonly words: string;
  /** Without it, the text waits for its vector. */
  readonly embedding?: Embedding | undefined;
}

/** Null: only if there is none. */
export type IfRevision = string | null;

export type ItemWrite =
  | {
      readonly op: 'put';
      readonly namespace: Namespace;
      readonly key: string;
      readonly value: JsonValue;
      readonly texts: readonly ItemText[];
      readonly ifRevision?: IfRevision | undefined;
      /** An item that exists stays as it is: repeating an append changes nothing. */
      readonly keep?: boolean | undefined;
    }
  | {
      readonly op: 'remove';
      readonly namespace: Namespace;
      readonly key: string;
      readonly ifRevision?: IfRevision | undefined;
    }
  /** Removes everything in a namespace and below it. */
  | { readonly op: 'clear'; readonly namespace: Namespace };

export interface ItemOutcome {
  readonly outcome: 'created' | 'replaced' | 'kept' | 'removed' | 'absent' | 'cleared';
  /** Of the item as it is now; null when there is none. */
  readonly revision: string | null;
  /** How many items were written or removed. */
  readonly changed: number;
}

export interface ItemPlace {
  /** Without one: those of every agent. */
  readonly agent?: string | undefined;
  /** Without one: those of every user, and of none. */
  readonly user?: string | undefined;
  readonly namespace: Namespace;
  /** Only this namespace, not those below it. */
  readonly exact?: boolean | undefined;
}

export interface ItemQuery extends ItemPlace {
  readonly keys?: readonly string[] | undefined;
  /** Only items that were added after this one, or before it. */
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  /** Newest first; otherwise oldest first. */
  readonly newest?: boolean | undefined;
  readonly limit: number;
}

export interface StoredText extends ItemText {
  readonly seq: number;
  readonly part: number;
}

export interface TextVector {
  readonly seq: number;
  readonly part: number;
  /** The text that was embedded; an item that changed since is left waiting. */
  readonly content: string;
  readonly vector: Float32Array;
}

/** An item with its owner and its texts, as an archive holds it. */
export interface ItemCopy extends Omit<Item, 'revision'> {
  readonly version: number;
  readonly texts: readonly string[];
}

export type ItemCopyDraft = Omit<ItemCopy, 'seq' | 'texts'> & { readonly texts: readonly ItemText[] };

/** One of the two is given: nobody erases everything by leaving both out. */
export interface ErasedOwner {
  readonly agent?: string | undefined;
  readonly user?: string | undefined;
}

export type ItemCopyOutcome = 'added' | 'present' | 'differs';

export interface ItemStore {
  /** All of them or none: a condition that does not hold is a CONFLICT, and nothing is written. */
  write(owner: ItemOwner, writes: readonly ItemWrite[], at: number): Promise<readonly ItemOutcome[]>;
  read(query: ItemQuery): Promise<readonly Item[]>;
  /** Each namespace at or below the given one that has an item, once, in the order of their labels. */
  namespaces(place: ItemPlace): Promise<readonly Namespace[]>;
  /** The texts of all items of a place. */
  texts(place: ItemPlace): Promise<readonly StoredText[]>;
  saveVectors(model: string, vectors: readonly TextVector[]): Promise<void>;
  /** All items of one agent, or of all, oldest first. */
  copies(query: {
    readonly agent?: string | undefined;
    readonly after: number;
    readonly limit: number;
  }): Promise<readonly ItemCopy[]>;
  /** Adds items of another store, and leaves those that exist as they are: `differs` if they are not the same. */
  addCopies(
    copies: readonly ItemCopyDraft[],
    options?: { readonly dryRun?: boolean },
  ): Promise<readonly ItemCopyOutcome[]>;
  /** Removes everything of an agent, of a user, or of an agent with a user. Answers how many items it removed. */
  erase(whose: ErasedOwner): Promise<number>;
}
