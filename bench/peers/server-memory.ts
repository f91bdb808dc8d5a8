/** The memory server of the MCP project over stdio: a graph in one JSON-lines file, searched for parts of words. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Peer } from './peer.ts';

interface Graph {
  readonly entities: readonly { readonly observations: readonly string[] }[];
}

const texts = ({ entities }: Graph): string[] => entities.flatMap(({ observations }) => observations);

export const serverMemory: Peer = {
  name: 'MCP server-memory',
  packages: ['@modelcontextprotocol/server-memory@2026.8.31'],
  isDurable: true,
  async open(folder, _embed, packages) {
    const path = packages.resolve('@modelcontextprotocol/server-memory/dist/index.js');
    const client = new Client({ name: 'bench', version: '1' });
    const env = {
      ...(process.env as Record<string, string>),
      MEMORY_FILE_PATH: join(folder, 'memory.jsonl'),
    };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [path], env, stderr: 'ignore' }),
    );
    const call = async (name: string, input: Record<string, unknown>): Promise<Graph> => {
      const { structuredContent, isError } = await client.callTool({ name, arguments: input });
      if (isError === true) throw new Error(`${name} failed`);
      return structuredContent as unknown as Graph;
    };
    return {
      add: async (text) => {
        const entity = { name: randomUUID(), entityType: 'memory', observations: [text] };
        await call('create_entities', { entities: [entity] });
      },
      search: async (query, limit) => texts(await call('search_nodes', { query })).slice(0, limit),
      all: async () => texts(await call('read_graph', {})),
      close: () => client.close(),
    };
  },
};
