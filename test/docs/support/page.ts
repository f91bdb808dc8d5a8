/** How a page of the documentation is followed: what its reader has, and who looks at what cannot be run. */
import type { World } from './world.ts';

/** Looks at a block that is not run by itself: the output of the one before, a file, a drawing. */
export type Look = (text: string, world: World) => unknown;

/** The texts of a page in one language, for files that it shows further down or further up. */
export type Blocks = (language: string) => readonly string[];

export interface Page {
  /** Promises of the specification that the page keeps. */
  readonly proves?: string;
  /** Before the first block. */
  readonly ready?: (world: World, blocks: Blocks) => unknown;
  /** Before a block, by language and number: `{ 'console 2': … }`. */
  readonly before?: Readonly<Record<string, (world: World, blocks: Blocks) => unknown>>;
  /** The only changes to what the page says: addresses of servers that are elsewhere, names that nobody can know. */
  readonly change?: (text: string, world: World) => string;
  /** What the page speaks of in words and its programs use: declared for the compiler, and made for real. */
  readonly assumed?: { readonly types: string; readonly values: string };
  /** Which programs run as one, by the number of the block at which they do; all of them at the first if not given. */
  readonly programs?: Readonly<Record<number, readonly number[]>>;
  /** What the reader says to commands that listen, by how the command begins. */
  readonly answers?: Readonly<Record<string, string>>;
  /** What `<id>` stands for in a command. */
  readonly idFor?: (line: string, world: World) => Promise<string>;
  /** Exit codes other than 0, by how the command begins. */
  readonly exits?: Readonly<Record<string, number>>;
  /** Blocks, by language and number, that a test of another file runs or compares; it has to name the page. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** By language, one for each block; without them `text` is the output of the program or command before. */
  readonly looks?: Readonly<Record<string, readonly (Look | undefined)[]>>;
}

export type Pages = Readonly<Record<string, Page>>;

/** Commands of pages that no test can run, each with the reason and what is checked instead. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  'keepsake models pull bge-small':
    'It downloads 34 MB whose digest is pinned. test/models/onnx/pull.test.ts pulls from a server of its own.',
  'keepsake models pull minilm':
    'It downloads 23 MB whose digest is pinned. test/models/onnx/pull.test.ts pulls from a server of its own.',
  'keepsake models use minilm --for late-interaction':
    'It needs that model. test/administration/late-interaction.test.ts uses a stand-in; "npm run test:models" the real one.',
  'keepsake re-embed --model bge-small':
    'It needs that model. moving.md re-embeds with another one; "npm run test:models" runs the real ones.',
};

/** Commands for which a stand-in says whether they could work. */
export const STOOD_IN: Readonly<Record<string, string>> = {
  npm: 'Tests need no network: the stand-in knows the packages and scripts of package.json. "npm test" runs the tests themselves.',
};
