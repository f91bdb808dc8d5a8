/** Conversations of users: one with each agent, any number of threads, and nobody reads those of others. */
import { describe, expect, it } from 'vitest';
import type { KeepsakeError } from '../../src/index.ts';
import { scriptedModel } from '../../src/testing/index.ts';
import { testWorkspace } from '../fixtures/workspace.ts';
import { testServer } from '../surfaces/http/support/test-server.ts';

const codeOf = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: KeepsakeError) => error.code,
  );
const said = (messages: readonly { content: unknown }[]) => messages.map(({ content }) => content);

describe('agent.conversation(thread)', () => {
  it('keeps every thread of every user apart, and the own conversation of the agent too', async () => {
    const client = testWorkspace().open();
    const support = client.agent({ name: 'support' });
    const places = [undefined, 'dana', 'Dana', '1:x'].flatMap((user) => {
      const agent = client.agent({ name: 'support', ...(user === undefined ? {} : { user }) });
      return [
        agent,
        ...['chat', '../chat', 'dana', '@4:danachat'].map((thread) => agent.conversation(thread)),
      ];
    });
    for (const [i, place] of places.entries()) await place.log.add('User', `quokka ${i}`);
    for (const [i, place] of places.entries()) {
      expect(said(await place.log.get())).toEqual([`quokka ${i}`]);
      expect(said(await place.log.search('quokka'))).toEqual([`quokka ${i}`]);
      expect(said(await (await place.shortMemory).messages())).toContain(`quokka ${i}`);
    }
    const [first] = await places.at(-1)!.log.get();
    expect(await codeOf(support.log.get({ before: first!.id }))).toBe('NOT_FOUND');
    expect((await client.log.list()).map(({ agent, user, thread }) => [agent, user, thread])).toEqual([
      ['support', null, null],
    ]);
  });

  it('lists the threads of an agent and a user, archives one and makes it active again', async () => {
    const { open, clock } = testWorkspace();
    const client = open();
    const dana = client.agent({ name: 'support', user: 'dana@example.com' });
    await dana.log.add('User', 'Hello');
    const chat = dana.conversation('chat/1');
    await chat.log.add('User', 'About the printer');
    expect(chat.thread).toBe('chat/1');
    await chat.log.archive();
    const listed = async () =>
      (await dana.log.list()).map(({ user, thread, messages, archivedAt }) => [
        user,
        thread,
        messages,
        archivedAt,
      ]);
    expect(await listed()).toEqual([
      ['dana@example.com', null, 1, null],
      ['dana@example.com', 'chat/1', 1, clock.now()],
    ]);
    expect(said(await chat.log.search('printer'))).toEqual(['About the printer']);
    await chat.log.archive({ archived: false });
    expect((await listed())[1]).toEqual(['dana@example.com', 'chat/1', 1, null]);
    expect(await codeOf(client.agent({ name: 'support' }).log.archive())).toBe('INVALID_INPUT');
    expect(await client.agent({ name: 'support', user: 'erik' }).log.list()).toEqual([]);
  });

  it('imports an export into a thread once, and the same export into another thread as well', async () => {
    const client = testWorkspace().open();
    const dana = client.agent({ name: 'support', user: 'dana' });
    const one = dana.conversation('one');
    await one.log.add('User', 'Hello');
    await one.log.add('support', 'Hi Dana');
    const { text } = await one.log.export('json');
    expect(await one.log.import(text)).toEqual({ messages: 0, known: 2 });
    const two = dana.conversation('two');
    expect(await two.log.import(text)).toEqual({ messages: 2, known: 0 });
    expect(await two.log.import(text)).toEqual({ messages: 0, known: 2 });
    expect(said(await one.log.get())).toEqual(['Hello', 'Hi Dana']);
  });

  it('runs the agent in the thread, with the memory of its user', async () => {
    const model = await scriptedModel(Array.from({ length: 8 }, () => 'Switch it on.'));
    try {
      const client = testWorkspace().open();
      const settings = {
        name: 'support',
        model: model.model('scripted/model', { retries: 0 }),
        memory: { enabled: true },
      } as const;
      const dana = client.agent({ ...settings, user: 'dana' });
      const erik = client.agent({ ...settings, user: 'erik' });
      await dana.memory.add({ content: 'Dana has a printer of the brand Quokkajet' });
      await erik.memory.add({ content: 'Erik has a printer of the brand Wombatjet' });
      expect(await erik.conversation('a').run('My printer is broken')).toBeTypeOf('string');
      expect(await dana.conversation('a').run('My printer is broken')).toBeTypeOf('string');
      const asked = JSON.stringify(model.requests.at(-1));
      expect(asked).toContain('Quokkajet');
      expect(asked).not.toContain('Wombatjet');
      expect(await dana.conversation('a').log.get()).toHaveLength(2);
      expect(await dana.log.get()).toHaveLength(0);
      expect((await dana.why()).receipts).not.toHaveLength(0);
      expect((await erik.why()).session).not.toBe((await dana.why()).session);
      expect(await codeOf(client.agent(settings).why())).toBe('NOT_FOUND');
    } finally {
      await model.close();
    }
  });
});

describe('a server', () => {
  it('takes the thread from a header', async () => {
    const server = await testServer();
    const ask = async (route: string, user: string, thread: string, body?: object) => {
      const headers = {
        ...{ 'keepsake-agent': 'support', 'keepsake-user': encodeURIComponent(user) },
        'keepsake-thread': encodeURIComponent(thread),
      };
      return (await server.ask(route, { key: server.ownerKey, headers, body })).json();
    };
    await ask('POST /v1/log/add', 'dana', 'chat 日本', { content: 'Hello' });
    expect(await ask('POST /v1/log/get', 'dana', 'chat 日本', {})).toMatchObject([{ content: 'Hello' }]);
    expect(await ask('POST /v1/log/get', 'dana', 'chat', {})).toEqual([]);
    expect(await ask('POST /v1/log/get', 'erik', 'chat 日本', {})).toEqual([]);
    const agent = server.client.agent({ name: 'support', user: 'dana' });
    expect(said(await agent.conversation('chat 日本').log.get())).toEqual(['Hello']);
  });
});
