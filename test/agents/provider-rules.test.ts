/** What providers insist on: turns that alternate, no blank texts, and a prompt that leaves room for its answer. */
import { expect, it } from 'vitest';
import { call, said, scene } from './fixture.ts';

const IDS = ['compatible/gemma-3', 'anthropic/claude-sonnet-4-0', 'google/gemini-2.5-flash'];

it.each(IDS)(
  'C-05 %s: rules, a prompt without an answer and the next one are one turn of the user',
  async (id) => {
    const { agent, server } = await scene(['Hello.', { status: 400, message: 'no' }, 'Here I am.']);
    const anna = agent({ model: server.model(id, { retries: 0 }), rules: 'Be brief.' });
    await anna.run('Hi.');
    await expect(anna.run('Are you there?')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await anna.run('And now?');
    expect(said(server.requests[0])).toEqual(['user: Be brief.\n\nHi.']);
    expect(said(server.requests[2])).toEqual([
      'user: Be brief.\n\nHi.',
      'assistant: Hello.',
      'user: Are you there?\n\nAnd now?',
    ]);
  },
);

it('OpenAI gets the messages one by one, as document 000 lists them', async () => {
  const { agent, server } = await scene(['Hello.']);
  await agent({ model: server.model('openai/gpt-4.1', { retries: 0 }), rules: 'Be brief.' }).run('Hi.');
  expect(said(server.requests[0])).toEqual(['user: Be brief.', 'user: Hi.']);
});

it.each(IDS)('%s: blanks before a tool call are not sent back as a text', async (id) => {
  const { agent, server } = await scene([
    { text: ['\n\n'], ...call('memory_retrieve', { section: 'plans' }) },
    'Nothing is planned.',
  ]);
  await agent({ model: server.model(id, { retries: 0 }) }).run('What is planned?');
  expect(said(server.requests[1])[1]).toBe('assistant: memory_retrieve({"section":"plans"})');
});

it('a prompt that fits, but not with the longest answer, is asked again with the room that is left', async () => {
  const refusal =
    'input length and `max_tokens` exceed context limit: 150000 + 64000 > 200000, decrease input length or `max_tokens` and try again';
  const { agent, server } = await scene([{ status: 400, message: refusal }, 'It fits.']);
  const model = server.model('anthropic/claude-sonnet-4-0', { retries: 0 });
  expect(await agent({ model }).run('A long story.')).toBe('It fits.');
  expect(server.requests.map(({ maxTokens }) => maxTokens)).toEqual([64_000, 50_000]);
});

it('a prompt that leaves no room for an answer is too large', async () => {
  const refusal = 'input length and `max_tokens` exceed context limit: 199900 + 64000 > 200000';
  const { agent, server } = await scene([{ status: 400, message: refusal }]);
  const model = server.model('anthropic/claude-sonnet-4-0', { retries: 0 });
  await expect(agent({ model }).run('A longer story.')).rejects.toMatchObject({ code: 'TOO_LARGE' });
  expect(server.requests).toHaveLength(1);
});
