/** A workspace with a folder of documents beside it, and a handle on an agent. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ClientOptions } from '../../../src/index.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';

export function knowledgeWorkspace(options: ClientOptions = {}) {
  const workspace = testWorkspace();
  const client = workspace.open(options);
  const write = (name: string, text: string | Uint8Array): string => {
    const path = join(workspace.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const agent = client.agent({ name: 'alice' });
  return {
    ...workspace,
    client,
    agent,
    knowledge: agent.knowledge,
    /** Writes a file, named from the workspace. */
    write,
    erase: (name: string) => rmSync(join(workspace.folder, name), { recursive: true }),
    path: (name: string) => join(workspace.folder, name),
    /** Everything in memory that was cut from files, by place. */
    chunks: async () =>
      (await client.memory.list({ limit: 1000 }))
        .filter(({ thread }) => thread?.startsWith('file:'))
        .sort((a, b) => (`${a.thread}${a.metadata.chunk}` < `${b.thread}${b.metadata.chunk}` ? -1 : 1)),
    /** Number of the last event: it grows with every write. */
    writes: async () => (await client.open()).storage.events.latest(),
  };
}

/** Paragraphs of about 300 characters, each with a word of its own. */
export function paragraphs(...words: readonly string[]): string {
  return words.map((word) => `${`The ${word} is described here in plain words. `.repeat(8)}\n\n`).join('');
}
