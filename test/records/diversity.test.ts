/** Ten ways of saying one thing leave room for the others. */
import { expect, it } from 'vitest';
import { testAgent } from '../fixtures/workspace.ts';

const contents = (hits: readonly { content: string }[]): string[] => hits.map((hit) => hit.content);

const NEAR_COPIES = [
  'The deploy of the billing service runs on Friday',
  'The deploy of the billing service runs on Friday.',
  'The deploy of the billing service runs on Friday!',
  'Deploy of the billing service runs on Friday',
  'The deploy of the billing service run on Friday',
  'the deploys of the billing service run on Fridays',
  'The deploy of our billing service runs on Friday',
  'This deploy of the billing service runs on a Friday',
  'The deploy of the billing services runs on Friday',
  'So the deploy of the billing service runs on Friday',
];

it('ten near-copies of a fact do not fill the result', async () => {
  const { memory } = testAgent();
  await memory.add({ content: 'A deploy needs two approvals' });
  await memory.add({ content: 'Rolling back a deploy takes ten minutes' });
  for (const content of NEAR_COPIES) await memory.add({ content });
  const found = contents(await memory.search('deploy billing service friday', { limit: 3, all: true }));
  expect(NEAR_COPIES).toContain(found[0]);
  expect(found.slice(1).toSorted()).toEqual([
    'A deploy needs two approvals',
    'Rolling back a deploy takes ten minutes',
  ]);
  expect(await memory.search('deploy billing service friday', { limit: 20, all: true })).toHaveLength(12);
});

it('facts that differ by a number, a name or a "not" are all shown', async () => {
  const { memory } = testAgent();
  const facts = [
    'The weekly meeting of the platform team is in Room 7',
    'The weekly meeting of the platform team is in Room 8',
    'The weekly meeting of the design team is in Room 7',
    'The weekly meeting of the platform team is not in Room 7',
  ];
  for (const content of facts) await memory.add({ content });
  for (let i = 0; i < 4; i++) await memory.add({ content: `${facts[0]}${'!'.repeat(i + 1)}` });
  const found = contents(await memory.search('weekly meeting room', { limit: 4 }));
  expect(found.map((text) => text.replaceAll('!', '')).toSorted()).toEqual(facts.toSorted());
});

it('sixty copies of a fact, one from each of sixty agents, hide none of the others', async () => {
  const { client, memory } = testAgent();
  const share = (name: string, content: string) =>
    client.agent({ name }).memory.add({ content, scope: 'swarm' });
  for (let i = 0; i < 60; i++) await share(`agent-${i}`, 'Deploys of the billing service run on Fridays');
  await memory.add({ content: 'The billing service has two owners, and they disagree about its deploys' });
  await memory.add({ content: 'A deploy takes an hour' });
  const found = await memory.search('When do deploys of the billing service run?', {
    limit: 5,
    all: true,
  });
  expect(new Set(found.map(({ content }) => content)).size).toBe(3);
});
