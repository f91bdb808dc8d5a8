/** Results of swarms in Qdrant: a collection of their own, with date, type, cost and model to filter by. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testWorkspace } from '../../fixtures/workspace.ts';
import { type QdrantServer, qdrantForTests } from './server.ts';
import { Outside, PREFIX, until } from './workbench.ts';

let server: Pick<QdrantServer, 'url'>;
beforeAll(async () => {
  server = await qdrantForTests();
});
afterAll(async () => {
  await new Outside(server.url).drop(PREFIX);
});

const ALIAS = `${PREFIX}_swarm-memory`;

it('C-12 C-14 results are in swarm-memory, filtered by their payload, and leave it when they are forgotten', async () => {
  const { client: qdrant } = new Outside(server.url);
  const vectors = { driver: 'qdrant', url: server.url, prefix: PREFIX } as const;
  const client = testWorkspace().open({ config: { storage: { vectors } } });
  const { swarmResults } = await client.open();
  const caller = { viewer: { agent: 'editor', role: 'lead' }, via: 'sdk' } as const;
  const shared = { cost: 0.42, model: 'gpt-4o-mini' };
  const research = {
    ...shared,
    output: 'Hydrogen from hydropower is cheap.',
    run: 'run_1',
    type: 'research',
  };
  const debate = { ...shared, output: 'Hydrogen needs carbon capture.', run: 'run_2', type: 'debate' };
  const { id } = await swarmResults.add(research, caller);
  await swarmResults.add(debate, caller);
  const agent = client.agent({ name: 'newcomer' });
  await agent.memory.add({ content: 'Hydrogen is a gas.' });

  const filtered = async (key: string, condition: object) =>
    (await qdrant.scroll(ALIAS, { filter: { must: [{ key, ...condition }] } })).points.map(
      ({ payload }) => payload?.run,
    );
  const isThere = async () =>
    (await qdrant.getAliases()).aliases.some(({ alias_name }) => alias_name === ALIAS);
  await until(async () => (await isThere()) && (await qdrant.count(ALIAS)).count === 2);
  expect(await filtered('swarmType', { match: { value: 'debate' } })).toEqual(['run_2']);
  expect(await filtered('cost', { range: { gt: 0.4 } })).toHaveLength(2);
  expect(await filtered('model', { match: { value: 'gpt-4o-mini' } })).toHaveLength(2);
  expect(await filtered('date', { range: { gte: '2020-01-01T00:00:00Z' } })).toHaveLength(2);
  const hits = await agent.memory.search('hydrogen', { swarmType: 'research', minRelevance: 0 });
  expect(hits.map(({ metadata }) => metadata.run)).toEqual(['run_1']);

  await client.memory.forget(id);
  await until(async () => (await qdrant.count(ALIAS)).count === 1);
  expect(await filtered('swarmType', { match: { value: 'research' } })).toEqual([]);
});
