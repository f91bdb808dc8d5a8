/** What the comparison asks of a memory: keep a text, find texts, list them. */

export type Embed = (text: string) => number[];

export interface PeerMemory {
  /** Resolves when the memory calls the text kept. */
  add(text: string): Promise<void>;
  search(query: string, limit: number): Promise<readonly string[]>;
  all(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Packages that are installed for this benchmark only, not with Keepsake. */
export interface Packages {
  resolve(name: string): string;
  load(name: string): Promise<unknown>;
}

export interface Peer {
  readonly name: string;
  /** Packages to install, each in one exact version. */
  readonly packages: readonly string[];
  /** Whether it writes to disk what it acknowledges. */
  readonly isDurable: boolean;
  open(folder: string, embed: Embed, packages: Packages): Promise<PeerMemory>;
}

export type Constructor<T> = new (options: object) => T;
