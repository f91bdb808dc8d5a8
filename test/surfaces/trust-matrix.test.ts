/** Decision 23 over HTTP and MCP: every origin, every changing verb, on a memory of every origin. */
import { describe, expect, it } from 'vitest';
import type { MemoryRecord } from '../../src/index.ts';
import { ORIGINS, type Origin } from '../../src/kernel/record.ts';
import { TRUST_ORDER } from '../../src/kernel/trust.ts';
import { testServer } from './http/support/test-server.ts';
import { ALICE, overStreams, type TestClient, textOf } from './mcp/support/connect.ts';

const rank = (origin: Origin): number => TRUST_ORDER.indexOf(origin);
const isStranger = (origin: Origin): boolean => rank(origin) > rank('agent');

type Verb = 'supersede' | 'update' | 'label' | 'pin' | 'instruct' | 'prefer' | 'share' | 'promote' | 'undo';

/** What becomes of a change to a memory of one origin on the word of another. */
function expected(verb: Verb, of: Origin, by: Origin): string {
  if (rank(by) > rank(of)) return 'FORBIDDEN';
  if (verb === 'pin') return isStranger(by) ? 'BLOCKED' : 'done';
  // Nobody makes what a stranger said an instruction, or shares it, without a release from the quarantine.
  const reachesEverybody = ['instruct', 'share', 'promote'].includes(verb);
  return reachesEverybody && isStranger(of) ? 'BLOCKED' : 'done';
}

type Call = readonly [route: string, body: object];

const CALLS: Readonly<Record<Verb, (id: string) => Call>> = {
  supersede: (id) => ['POST /v1/memory', { content: `Another text after ${id}.`, supersedes: id }],
  update: (id) => [`PATCH /v1/memory/${id}`, { content: `Another text for ${id}.` }],
  label: (id) => [`PATCH /v1/memory/${id}`, { tags: ['other'], confidence: 0.2 }],
  pin: (id) => [`PATCH /v1/memory/${id}`, { pinned: true }],
  instruct: (id) => [`PATCH /v1/memory/${id}`, { category: 'Ｉnstruc\u200btion' }],
  prefer: (id) => [`PATCH /v1/memory/${id}`, { category: 'PREFERENCE' }],
  share: (id) => [`PATCH /v1/memory/${id}`, { scope: 'swarm' }],
  promote: (id) => ['POST /v1/memory/promote', { id }],
  undo: (id) => ['POST /v1/memory/undo', { id }],
};

describe('S-23 over HTTP', () => {
  it.each(Object.keys(CALLS) as Verb[])(
    '%s takes the word of an origin that is trusted as much',
    async (verb) => {
      const { ask, makeKey } = await testServer();
      const { key } = await makeKey('worker', 'alice');
      const asked = async ([route, body]: Call) => ask(route, { key, body });
      for (const of of ORIGINS) {
        for (const by of ORIGINS) {
          const content = `A sentence about ${verb}, ${of} and ${by}.`;
          const added = await asked(['POST /v1/memory', { content, origin: of }]);
          const { id } = (await added.json()) as MemoryRecord;
          await asked([`PATCH /v1/memory/${id}`, { tags: ['second'] }]);
          const history = async () => (await ask(`GET /v1/memory/${id}/history`, { key })).text();
          const before = await history();
          const [route, body] = CALLS[verb](id);
          const answer = await asked([route, { ...body, origin: by }]);
          const text = await answer.text();
          const outcome = answer.ok ? 'done' : (JSON.parse(text) as { error: { code: string } }).error.code;
          expect({ of, by, outcome }).toEqual({ of, by, outcome: expected(verb, of, by) });
          if (outcome !== 'done') expect(await history()).toBe(before);
        }
      }
    },
  );
});

const TOOLS: Partial<Record<Verb, (id: string) => readonly [tool: string, input: Record<string, unknown>]>> =
  {
    supersede: (id) => ['remember', { content: `Another text after ${id}.`, replaces: id }],
    update: (id) => ['update_memory', { id, content: `Another text for ${id}.` }],
    pin: (id) => ['update_memory', { id, pinned: true }],
    instruct: (id) => ['update_memory', { id, category: 'INSTRUCTION' }],
    prefer: (id) => ['update_memory', { id, category: 'preference' }],
  };

describe('S-23 over MCP', () => {
  it.each(Object.entries(TOOLS))(
    '%s is done on the word of the agent, and a model cannot claim another',
    async (verb, call) => {
      const { client } = await testServer();
      const { memory } = client.agent({ name: 'alice' });
      const mcp: TestClient = await overStreams('second', { engine: await client.open(), identity: ALICE });
      for (const of of ORIGINS) {
        const { id } = await memory.add({ content: `A sentence about ${verb} and ${of}.`, origin: of });
        const before = await memory.history(id);
        const [name, input] = call(id);
        const claimed = await mcp.callTool({ name, arguments: { ...input, origin: 'user' } });
        expect(textOf(claimed)).toContain('"origin" is unknown');
        const answer = await mcp.callTool({ name, arguments: input });
        const outcome = answer.isError === true ? textOf(answer).split(':')[0] : 'done';
        expect({ of, outcome }).toEqual({ of, outcome: expected(verb as Verb, of, 'agent') });
        if (outcome !== 'done') expect(await memory.history(id)).toEqual(before);
      }
    },
  );
});
