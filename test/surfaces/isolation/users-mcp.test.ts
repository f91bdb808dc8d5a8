/** Users over MCP, each with a secret in every layer: no tool, resource or prompt shows one that is not theirs. */
import { expect, it } from 'vitest';
import { PACK_NAMES } from '../../../src/surfaces/mcp/index.ts';
import { campaign } from '../../fixtures/campaign.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';
import { overHttp } from '../mcp/support/connect.ts';
import { TOOL_ATTEMPTS } from './attempts.ts';
import { COMMON } from './seed.ts';
import { type Person, secretsOfUsers, seedUser, userIds } from './users-seed.ts';

const USERS = campaign(50, 200);
const PATIENCE = { timeout: 240_000 };

const saidBy = (call: () => Promise<unknown>): Promise<unknown> =>
  call().catch((error: Error) => error.message);

it('users are apart over MCP, and nobody can change what is about another', PATIENCE, async () => {
  const client = testWorkspace().open();
  const people: Person[] = [];
  for (const [i, user] of userIds(USERS).entries()) people.push(await seedUser(client, user, i));
  const engine = await client.open();
  await engine.embedder.drain();
  const settings = { packs: PACK_NAMES };
  for (const [i, { user, secret }] of people.entries()) {
    const other = people[(i + 1) % USERS]!;
    const victim = {
      ...{ agent: 'support', secret: other.secret, memory: other.memory },
      ...{ run: 'run_x', refused: 'q_x', session: 's', archive: 'a' },
    };
    const identity = { agent: 'support', user, role: 'worker' } as const;
    const mcp = await overHttp('second', { engine, identity, settings });
    const told: unknown[] = [];
    for (const [name, attempts] of Object.entries(TOOL_ATTEMPTS))
      for (const input of attempts(victim))
        told.push(await mcp.callTool({ name, arguments: input as Record<string, unknown> }));
    told.push(
      await mcp.listResources(),
      await mcp.readResource({ uri: 'memory://standing' }),
      await mcp.readResource({ uri: 'memory://recent' }),
      await saidBy(() => mcp.readResource({ uri: `memory://memories/${other.memory}` })),
      await mcp.getPrompt({ name: 'recall', arguments: { task: COMMON } }),
    );
    expect([user, secretsOfUsers(JSON.stringify(told))]).toEqual([user, [secret]]);
    await mcp.close();
  }
  for (const { user, secret, memory } of people) {
    const record = await client.agent({ name: 'support', user }).memory.get(memory);
    expect(record).toMatchObject({ content: expect.stringContaining(secret), state: 'live', version: 2 });
  }
});
