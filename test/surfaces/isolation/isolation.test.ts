/** Fifty agents with a secret in every layer: whatever surface one uses, and whatever it knows, it meets no secret but its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { AgentHandle, Client } from '../../../src/index.ts';
import { callVerb, pathOf } from '../../../src/kernel/verb.ts';
import { PACK_NAMES } from '../../../src/surfaces/mcp/index.ts';
import { VERBS as all, verbs } from '../../../src/verbs.ts';
import { type TestServer, testServer } from '../http/support/test-server.ts';
import { overHttp } from '../mcp/support/connect.ts';
import { ATTEMPTS, TOOL_ATTEMPTS } from './attempts.ts';
import { agentNames, COMMON, secretsIn, seedAgent, type Victim } from './seed.ts';

const AGENTS = 50;
/** Thousands of requests, on a machine that may have other work. */
const PATIENCE = { timeout: 240_000 };

async function seeded(count: number) {
  const server = await testServer();
  const victims: Victim[] = [];
  for (const name of agentNames(count)) victims.push(await seedAgent(server.client, server.folder, name));
  /** Each attacks the one after it. */
  const pairs = victims.map((attacker, i) => ({ attacker, victim: victims[(i + 1) % count]! }));
  return { server, victims, pairs };
}

/** Whoever was attacked still has everything, as it was. */
async function expectUnharmed(client: Client, victims: readonly Victim[]): Promise<void> {
  const engine = await client.open();
  for (const { agent, secret, memory, run, refused } of victims) {
    const caller = { viewer: { agent, role: 'worker' }, via: 'sdk' } as const;
    const record = await callVerb(verbs.memoryGet, engine, { id: memory }, caller);
    expect(record).toMatchObject({ scope: 'agent', version: 2, state: 'live', supersededBy: null });
    expect((await client.agent({ name: agent }).sections.get('notes')).content).toContain(secret);
    expect(await callVerb(verbs.stateGet, engine, { id: run }, caller)).toMatchObject({
      value: { secret },
      version: 1,
    });
    const owner = { viewer: { role: 'admin' }, via: 'sdk' } as const;
    expect(await callVerb(verbs.guardGet, engine, { id: refused }, owner)).toMatchObject({ agent });
  }
}

async function overRest(server: TestServer, key: string, victim: Victim, headers = {}): Promise<string> {
  const answers = await Promise.all(
    all.flatMap((verb) =>
      ATTEMPTS[verb.name]!(victim).map(async (body) => {
        const response = await server.ask(`POST ${pathOf(verb)}`, { key, headers, body });
        expect([verb.name, response.status < 500]).toEqual([verb.name, true]);
        return `${verb.name}: ${await response.text()}`;
      }),
    ),
  );
  for (const line of [
    ...[`GET /v1/memory/${victim.memory}`, `GET /v1/memory/${victim.memory}/history`, 'GET /v1/memory'],
    ...['GET /v1/sections', 'GET /v1/sections/notes', 'GET /v1/events/read?limit=1000', 'GET /v1/agents'],
    ...[`GET /v1/events/read?session=${victim.session}`, `DELETE /v1/memory/${victim.memory}`],
    ...[`GET /v1/memory/search?q=canary&limit=100`, 'GET /openapi.json', 'GET /'],
  ]) {
    const response = await server.ask(line, { key, headers });
    answers.push(`${line}: ${await response.text()}`);
  }
  return answers.join('\n');
}

const saidBy = (call: () => Promise<unknown>): Promise<unknown> =>
  call().catch((error: Error) => error.message);

/** The SDK, embedded or remote. */
async function overSdk({ memory, sections, knowledge }: AgentHandle, victim: Victim): Promise<string> {
  const { memory: id } = victim;
  const calls: (() => Promise<unknown>)[] = [
    ...[() => memory.list({ limit: 1000, state: 'any' }), () => memory.search(COMMON, { limit: 100 })],
    ...[() => memory.recall(COMMON), () => memory.standing(), () => memory.get(id), () => memory.history(id)],
    ...[() => memory.update(id, { content: 'Mine.' }), () => memory.forget(id), () => memory.undo(id)],
    ...[() => sections.list(), () => sections.get('notes'), () => knowledge.list()],
    ...[() => knowledge.search(COMMON, { limit: 50 })],
  ];
  const said: unknown[] = [];
  for (const call of calls) said.push(await saidBy(call));
  return JSON.stringify(said);
}

it('every verb and every tool has attempts', async () => {
  expect(all.map(({ name }) => name).filter((name) => ATTEMPTS[name] === undefined)).toEqual([]);
  const engine = await (await testServer()).client.open();
  const settings = { packs: PACK_NAMES };
  const client = await overHttp('second', { engine, identity: { agent: 'a', role: 'worker' }, settings });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).filter((name) => TOOL_ATTEMPTS[name] === undefined)).toEqual([]);
});

it(
  'fifty agents are apart over REST, with their own keys and with the inspector that looks at one of them',
  PATIENCE,
  async () => {
    const { server, pairs, victims } = await seeded(AGENTS);
    for (const { attacker, victim } of pairs) {
      const { key } = await server.makeKey('worker', attacker.agent);
      const told = await overRest(server, key, victim);
      expect([attacker.agent, secretsIn(told)]).toEqual([attacker.agent, [attacker.agent]]);
    }
    expect(server.defects).toEqual([]);
    await expectUnharmed(server.client, victims);
    // Readers are refused more; and the inspector names the agent at which it looks.
    for (const { attacker, victim } of pairs.slice(0, 5)) {
      const { key: readerKey } = await server.makeKey('reader', attacker.agent);
      const read = await overRest(server, readerKey, victim);
      expect([attacker.agent, secretsIn(read)]).toEqual([attacker.agent, [attacker.agent]]);
      const headers = { 'keepsake-agent': attacker.agent };
      const told = await overRest(server, server.ownerKey, victim, headers);
      expect([attacker.agent, secretsIn(told)]).toEqual([attacker.agent, [attacker.agent]]);
    }
    await expectUnharmed(server.client, victims);
  },
);

it('fifty agents are apart over the SDK and over MCP', PATIENCE, async () => {
  const { server, pairs, victims } = await seeded(AGENTS);
  const engine = await server.client.open();
  const settings = { packs: PACK_NAMES };
  for (const { attacker, victim } of pairs) {
    const { agent } = attacker;
    const embedded = await overSdk(server.client.agent({ name: agent }), victim);
    expect([agent, secretsIn(embedded)]).toEqual([agent, [agent]]);
    const client = await overHttp('second', { engine, identity: { agent, role: 'worker' }, settings });
    const told: unknown[] = [];
    for (const [name, attempts] of Object.entries(TOOL_ATTEMPTS)) {
      for (const input of attempts(victim)) {
        told.push(await client.callTool({ name, arguments: input as Record<string, unknown> }));
      }
    }
    told.push(
      await client.listResources(),
      await client.readResource({ uri: 'memory://standing' }),
      await client.readResource({ uri: 'memory://recent' }),
      await saidBy(() => client.readResource({ uri: `memory://memories/${victim.memory}` })),
      await client.getPrompt({ name: 'recall', arguments: { task: COMMON } }),
    );
    expect([agent, secretsIn(JSON.stringify(told))]).toEqual([agent, [agent]]);
    await client.close();
  }
  await expectUnharmed(server.client, victims);
});

it('the export of one agent of fifty holds its own secret and no other', PATIENCE, async () => {
  const { server, victims } = await seeded(AGENTS);
  for (const { agent } of victims) {
    const file = join(server.folder, `${agent}.keepsake`);
    await server.client.export(file, { agent });
    const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
    const text = lines.map((line) => {
      const { base64 } = JSON.parse(line === '' ? '{}' : line) as { base64?: string };
      return base64 === undefined ? line : `${line} ${Buffer.from(base64, 'base64').toString('utf8')}`;
    });
    expect([agent, secretsIn(text.join('\n'))]).toEqual([agent, [agent]]);
  }
});
