/** MCP at /mcp: the tools that the address asks for, for the agent of the key, and for one agent even when the owner asks. */
import { describe, expect, it } from 'vitest';
import { errorCode, type TestServer, testServer } from './support/test-server.ts';

async function rpc(
  server: TestServer,
  { key, path = '/mcp', method, params }: { key: string; path?: string; method: string; params?: unknown },
): Promise<Record<string, unknown>> {
  const response = await server.ask(`POST ${path}`, {
    key,
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) },
  });
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return (JSON.parse(data) as { result: Record<string, unknown> }).result;
}

async function toolNames(server: TestServer, key: string, path: string): Promise<string[]> {
  const { tools } = await rpc(server, { key, path, method: 'tools/list' });
  return (tools as { name: string }[]).map(({ name }) => name);
}

describe('the tools at /mcp', () => {
  it('are few by default, and those of the packs that the address names', async () => {
    const server = await testServer();
    const { key } = await server.makeKey('worker', 'alice');
    expect(await toolNames(server, key, '/mcp')).toHaveLength(6);
    expect(await toolNames(server, key, '/mcp?packs=sections')).toEqual([
      ...['memory_save', 'memory_append', 'memory_retrieve'],
    ]);
    expect(await toolNames(server, key, '/mcp?packs=facts,swarm')).toEqual(
      expect.arrayContaining(['remember', 'memory-search', 'inject-learning']),
    );
    const params = { name: 'memory_save', arguments: { section: 'plans', content: 'Ship it.' } };
    await rpc(server, { key, path: '/mcp?packs=sections', method: 'tools/call', params });
    expect(await server.client.agent({ name: 'alice' }).sections.get('plans')).toMatchObject({
      content: 'Ship it.',
    });
  });

  it('are refused with the names that there are', async () => {
    const server = await testServer();
    const { key } = await server.makeKey('worker', 'alice');
    const response = await server.ask('POST /mcp?packs=facts,all', { key, body: {} });
    expect([response.status, await errorCode(response)]).toEqual([400, 'INVALID_INPUT']);
  });

  it('show one agent, also to the key of an admin that names one', async () => {
    const server = await testServer();
    await server.client.agent({ name: 'bob' }).memory.add({ content: 'The secret of bob.' });
    await server.client.agent({ name: 'alice' }).memory.add({ content: 'The plan of alice.' });
    const { key } = await server.makeKey('admin', 'alice');
    for (const [each, agent] of [
      [key, 'alice'],
      [server.ownerKey, 'swarm-worker-01'],
    ] as const) {
      const said = JSON.stringify(
        await rpc(server, { key: each, method: 'tools/call', params: { name: 'list_memories' } }),
      );
      expect(said).not.toContain('secret of bob');
      expect(said.includes('plan of alice')).toBe(agent === 'alice');
    }
  });
});
