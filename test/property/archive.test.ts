/** Whatever was done to memory, an archive of it says the same elsewhere. */
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Client, KeepsakeError } from '../../src/index.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

const AGENTS = ['alice', 'bob'] as const;
const WORDS = ['tea', 'Oslo', 'Freitag', 'port 8080', '緑茶', '🎉 yes', 'a\nb', '"quoted" \\ back'];

const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '));
const which = fc.nat(30);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('add' as const),
      agent: fc.constantFrom(...AGENTS),
      content: text,
      scope: fc.constantFrom('agent' as const, 'swarm' as const),
      source: fc.constantFrom('manual' as const, 'extracted' as const, 'session_summary' as const),
      pinned: fc.boolean(),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      tags: fc.uniqueArray(fc.constantFrom('x', 'y', 'ü'), { maxLength: 3 }),
      lives: fc.option(fc.integer({ min: 1, max: 5_000 }), { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('update' as const), which, content: text }) },
  fc.record({ op: fc.constant('expire' as const), which }),
  fc.record({ op: fc.constant('undo' as const), which }),
  fc.record({ op: fc.constant('supersede' as const), which, content: text }),
  fc.record({ op: fc.constant('forget' as const), which }),
  fc.record({ op: fc.constant('say' as const), agent: fc.constantFrom(...AGENTS), content: text }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(client: Client, given: Step, ids: string[], now: number): Promise<void> {
  const id = 'which' in given ? ids[given.which % Math.max(1, ids.length)] : undefined;
  if (given.op === 'say') {
    await (await client.agent({ name: given.agent }).shortMemory).add('User', given.content);
  } else if (given.op === 'add') {
    const { op: _, agent, lives, ...memory } = given;
    const expiry = lives === undefined ? {} : { expiresAt: now + lives };
    ids.push((await client.agent({ name: agent }).memory.add({ ...memory, ...expiry })).id);
  } else if (id !== undefined) {
    if (given.op === 'update') await client.memory.update(id, { content: given.content });
    if (given.op === 'expire') await client.memory.update(id, { expiresAt: now });
    if (given.op === 'undo') await client.memory.undo(id);
    if (given.op === 'forget') await client.memory.forget(id);
    if (given.op === 'supersede') {
      const { agent } = await client.memory.get(id);
      const { memory } = client.agent({ name: agent });
      ids.push((await memory.add({ content: given.content, supersedes: id })).id);
    }
  }
}

async function answers(client: Client, ids: readonly string[]): Promise<unknown> {
  const { storage } = await client.open();
  const { conversations } = await client.open();
  const told = async (agent: string) => {
    const caller = { viewer: { agent, role: 'worker' as const }, via: 'sdk' as const };
    const { memory } = client.agent({ name: agent });
    const hits = await memory.search('tea in Oslo on port 8080');
    return {
      said: (await conversations.messages({}, caller)).map(({ seq: _, ...message }) => message),
      hits: hits.map(({ id, relevance }) => [id, relevance]),
      standing: await memory.standing(),
    };
  };
  return {
    agents: await storage.records.agents(),
    all: await client.memory.list({ state: 'any', limit: 1_000 }),
    histories: await Promise.all(ids.map((id) => client.memory.history(id))),
    told: await Promise.all(AGENTS.map(told)),
  };
}

it('an archive of any history gives the same answers, and taking it in twice changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const from = testWorkspace();
      const to = testWorkspace();
      const source = from.open();
      const target = to.open();
      const ids: string[] = [];
      for (const each of steps) {
        from.clock.advance(1_000);
        await take(source, each, ids, from.clock.now()).catch((error: unknown) => {
          if (!KeepsakeError.is(error)) throw error;
        });
      }
      to.clock.set(from.clock.now());
      const file = join(from.folder, 'all.keepsake');
      await source.export(file);
      await target.import(file);
      const before = await answers(source, ids);
      expect(await answers(target, ids)).toEqual(before);
      expect(await target.import(file)).toMatchObject({ conflicts: [], records: { added: 0 } });
      expect(await answers(target, ids)).toEqual(before);
      await Promise.all([source.close(), target.close()]);
    }),
    { numRuns: 12 },
  );
});
