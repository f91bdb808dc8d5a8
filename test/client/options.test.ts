/** What code without types may hand over by mistake: every slip is told in words, and none has an effect. */
import { describe, expect, it } from 'vitest';
import { createClient, type KeepsakeError } from '../../src/index.ts';
import { scriptedModel } from '../../src/testing/index.ts';
import { errorOf } from '../conversation/fixture.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

type Loose = (...given: unknown[]) => unknown;

function thrown(work: () => unknown): KeepsakeError {
  try {
    work();
  } catch (error) {
    return error as KeepsakeError;
  }
  throw new Error('This should have failed.');
}

describe('createClient', () => {
  const create = createClient as Loose;

  it.each([
    [{ workspcae: 'x' }, /"workspcae" is unknown; did you mean "workspace"\?/],
    [{ workspace: 5 }, /workspace must be a text, not 5/],
    [{ colour: 'red' }, /"colour" is unknown; it takes workspace, /],
    ['./memory', /expects an object, not "\.\/memory"/],
    [null, /expects an object, not null/],
    [{ onListenerError: 'log' }, /onListenerError must be a function/],
  ])('refuses %j', (options, message) => {
    const error = thrown(() => create(options));
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.message).toMatch(message);
    expect(error.hint).toContain('createClient');
  });

  it('takes an option that is undefined for one that was not given', () => {
    expect(() => create({ workspace: undefined })).not.toThrow();
  });
});

describe('client.agent', () => {
  it.each([
    [undefined, 'INVALID_INPUT', /expects an object, not nothing/],
    ['anna', 'INVALID_INPUT', /expects an object, not "anna"/],
    [{}, 'INVALID_NAME', /needs the name/],
    [{ history: 'low' }, 'INVALID_NAME', /needs the name/],
    [
      { name: 'anna', history: 'lots' },
      'INVALID_INPUT',
      /history must be one of "low", .*, false, not "lots"/,
    ],
    [{ name: 'anna', histroy: 'low' }, 'INVALID_INPUT', /did you mean "history"/],
    [
      { name: 'anna', persistentMemory: 'no' },
      'INVALID_INPUT',
      /persistentMemory must be true or false, not "no"/,
    ],
    [{ name: 'anna', startUpBytes: -1 }, 'INVALID_INPUT', /startUpBytes must be an integer/],
    [{ name: 'anna', role: 'admin' }, 'INVALID_INPUT', /role must be one of .*"worker".*, not "admin"/],
    // What the original systems call these options.
    [{ agentName: 'anna' }, 'INVALID_INPUT', /"agentName" is unknown; did you mean "name"\?/],
    [{ agent_name: 'anna' }, 'INVALID_INPUT', /"agent_name" is unknown; did you mean "name"\?/],
    [{ name: 'anna', model_name: 'gpt' }, 'INVALID_INPUT', /did you mean "model"\?/],
    [{ name: 'anna', agentDescription: 'x' }, 'INVALID_INPUT', /did you mean "description"\?/],
    [{ name: 'anna', instructions: 5 }, 'INVALID_INPUT', /instructions must be a text, not 5/],
    [
      { name: 'anna', instructions: 'a', systemPrompt: 'b' },
      'INVALID_INPUT',
      /instructions and systemPrompt are the same option/,
    ],
  ])('refuses %j', (options, code, message) => {
    const client = testWorkspace().open();
    const error = thrown(() => (client.agent as Loose).call(client, options));
    expect(error).toMatchObject({ code, message: expect.stringMatching(message), hint: expect.any(String) });
  });
});

describe('instructions', () => {
  it('B-32 is another name for systemPrompt: of an agent, of a raw session, and in a swarm', async () => {
    await using server = await scriptedModel(() => 'Fine.');
    const model = server.model('scripted/one');
    const client = testWorkspace().open();
    const instructions = 'Answer in French.';
    await client.agent({ name: 'anna', model, instructions }).run('Hello');
    await (await client.session({ model, instructions })).send('Hello');
    await (await client.session({ model, systemPrompt: instructions })).send('Hello');
    const swarm = client.swarm({
      name: 's',
      agents: [{ name: 'ben', model, instructions }],
      lead: { name: 'carl', model },
    });
    await swarm.run('Hello');
    const prompts = server.requests.map(({ messages }) => JSON.stringify(messages));
    expect(prompts.map((prompt) => prompt.includes(instructions))).toEqual([true, true, true, true, false]);
  });

  it('a misspelt option of a raw session is refused', async () => {
    const client = testWorkspace().open();
    const session = client.session.bind(client) as (options: unknown) => Promise<unknown>;
    expect((await errorOf(session({ instrutcions: 'x' }))).message).toMatch(/did you mean "instructions"/);
  });
});

describe('events and the compressor', () => {
  it('refuse what they cannot use', async () => {
    const client = testWorkspace().open();
    expect(thrown(() => (client.events.subscribe as Loose)('x')).message).toMatch(/must be a function/);
    const read = client.events.read as (query: unknown) => Promise<unknown>;
    expect((await errorOf(read({ limit: 'x' }))).message).toMatch(/limit must be a whole number/);
    expect((await errorOf(read({ agnt: 'x' }))).message).toMatch(/did you mean "agent"/);
    const agent = client.agent({ name: 'anna' }) as { contextCompressor: unknown };
    expect(thrown(() => (agent.contextCompressor = 5)).message).toMatch(
      /Expected a context compressor, not 5/,
    );
  });
});

describe('memory', () => {
  it.each([
    [{ contnt: 'x' }, /"contnt" is unknown; did you mean "content"\?/],
    [{ content: 5 }, /content: A text is expected, not 5\./],
    [{}, /content: A text is expected, and nothing was given\./],
    [undefined, /An object is expected, and nothing was given\./],
    [
      { content: 'x', scope: 'swrm' },
      /scope: One of agent, swarm is expected, not "swrm"\. Did you mean "swarm"\?/,
    ],
    [{ content: 'x', confidence: 7 }, /confidence: It must be at most 1, not 7\./],
    [{ content: 'x', tags: 'a' }, /tags: A list is expected, not "a"\./],
    [{ content: 'x', idempotencyKey: '' }, /idempotencyKey: It must not be empty\./],
    [{ content: 'x', expiresAt: 'tomorrow' }, /expiresAt: A number or a time such as .*, not "tomorrow"\./],
  ])('add says what was given and what is allowed: %j', async (input, message) => {
    const add = testWorkspace().open().agent({ name: 'anna' }).memory;
    const error = await errorOf((add.add as (input: unknown) => Promise<unknown>).call(add, input));
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.message).toMatch(message);
    expect(error.message).not.toMatch(/Invalid input:|Unrecognized|Too (big|small)/);
    expect(error.hint).toContain('content');
  });
});

describe('a conversation', () => {
  it.each([
    [undefined, /An object is expected, and nothing was given/],
    ['A summary that is long enough.', /An object is expected, and this is a string/],
    [{}, /summary must be a text/],
    [{ summary: 5 }, /summary must be a text/],
    [{ summry: 'A summary that is long enough.' }, /did you mean "summary"/],
    [{ summary: 'A summary that is long enough.', covers: 'msg_1' }, /covers must be a list/],
    [{ summary: 'A summary that is long enough.', keepLast: '3' }, /keepLast must be a whole number/],
  ])('compact(%j) is refused and changes nothing', async (options, message) => {
    const chat = await testWorkspace().open().agent({ name: 'anna' }).shortMemory;
    await chat.add('User', 'I like tea.');
    const error = await errorOf((chat.compact as (options: unknown) => Promise<unknown>).call(chat, options));
    expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringMatching(message) });
    expect(await chat.turns()).toHaveLength(1);
  });

  it('search and moreContext want words', async () => {
    const chat = await testWorkspace().open().agent({ name: 'anna' }).shortMemory;
    for (const call of [chat.search, chat.searchKeyword] as Loose[]) {
      expect((await errorOf(call.call(chat) as Promise<unknown>)).code).toBe('INVALID_INPUT');
    }
    const more = chat.moreContext as (input: unknown) => Promise<unknown>;
    expect((await errorOf(more.call(chat, 'x'))).message).toMatch(/An object is expected/);
  });
});
