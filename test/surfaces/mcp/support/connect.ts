/** Real MCP clients of both protocol generations, connected to a server in this process over streams or HTTP. */
import { PassThrough } from 'node:stream';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as FirstTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { onTestFinished } from 'vitest';
import type { Engine } from '../../../../src/client/index.ts';
import type { ConfigInput } from '../../../../src/config/index.ts';
import {
  type Identity,
  type McpServerSettings,
  mcpFetch,
  runStdio,
} from '../../../../src/surfaces/mcp/index.ts';
import { StdioTransport } from '../../../../src/surfaces/mcp/stdio-transport.ts';
import { testWorkspace } from '../../../fixtures/workspace.ts';

/** What the tests use of a client; the classes of the two packages have more, and different types. */
export interface TestClient {
  listTools(): Promise<{ tools: ListedTool[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<ToolResult>;
  listResources(): Promise<{ resources: { uri: string; title?: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: { uri: string; text?: string }[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<{
    messages: { role: string; content: { type: string; text?: string } }[];
  }>;
  getInstructions(): string | undefined;
  getServerVersion(): { name: string; version: string } | undefined;
  close(): Promise<void>;
}

export interface ListedTool {
  name: string;
  description?: string;
  inputSchema: object;
  outputSchema?: object;
  annotations?: Record<string, unknown>;
}

export interface ToolResult {
  isError?: boolean;
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** `first`: the package of 2025. `second`: today's, as it behaves by default. `newest`: today's, at the revision of 2026. */
export const GENERATIONS = ['first', 'second', 'newest'] as const;
export type Generation = (typeof GENERATIONS)[number];

const INFO = { name: 'test', version: '1.0.0' };

export function createTestClient(generation: Generation) {
  if (generation === 'first') return new FirstClient(INFO);
  if (generation === 'second') return new ModernClient(INFO);
  return new ModernClient(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
}

export interface Connection {
  readonly engine: Engine;
  readonly identity: Identity;
  readonly settings?: McpServerSettings;
}

/** Over a pair of streams, as stdin and stdout are. */
export async function overStreams(generation: Generation, { engine, identity, settings }: Connection) {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const served = runStdio(engine, identity, { ...settings, input: there, output: back });
  const client = createTestClient(generation);
  await client.connect(new StdioTransport(back, there) as FirstTransport);
  onTestFinished(async () => {
    there.end();
    await served;
    await client.close();
  });
  return client as unknown as TestClient;
}

export async function overHttp(generation: Generation, { engine, identity, settings }: Connection) {
  const handle = mcpFetch(engine, identity, settings);
  const url = new URL('http://localhost/mcp');
  const options = { fetch: (to: string | URL, init?: RequestInit) => handle(new Request(to, init)) };
  const client = createTestClient(generation);
  const transport = generation === 'first' ? new FirstHttp(url, options) : new ModernHttp(url, options);
  await client.connect(transport as FirstTransport);
  onTestFinished(() => client.close());
  return client as unknown as TestClient;
}

export async function openWorkspace(config: ConfigInput = {}): Promise<{ engine: Engine; folder: string }> {
  const workspace = testWorkspace();
  return {
    engine: await workspace.open({ config: { models: { embedding: 'none' }, ...config } }).open(),
    folder: workspace.folder,
  };
}

export const ALICE: Identity = { agent: 'alice', role: 'worker' };
export const textOf = ({ content }: ToolResult): string => content.map(({ text }) => text).join('\n');
