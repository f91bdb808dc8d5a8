/** Calls of one run share all that was sent before, so that providers can read it from their cache. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/index.ts';
import { call, scene } from './fixture.ts';

const FACT = 'The release is cut on Thursdays.';

/** Shows what memory says, as a file or a page might. */
const look = defineTool({
  name: 'look',
  description: 'Looks at the plan.',
  input: z.object({}),
  run: () => FACT,
});

it('keeps a stable prefix within a run, also when a tool says what memory says', async () => {
  const { agent, server } = await scene([call('look'), call('recall', { query: 'release' }), 'On Thursday.']);
  const alice = agent({ tools: [look], memory: { enabled: true }, systemPrompt: 'You plan releases.' });
  await alice.memory.add({ content: FACT });
  await alice.run('When is the release cut?');
  const prompts = server.requests
    .slice(0, 3)
    .map(({ messages }) => messages.map((one) => JSON.stringify(one)));
  const [first = [], second = [], third = []] = prompts;
  expect(first.join('\n')).toContain(FACT);
  expect(second.slice(0, first.length)).toEqual(first);
  expect(third.slice(0, second.length)).toEqual(second);
  expect(third.length).toBeGreaterThan(second.length);
});
