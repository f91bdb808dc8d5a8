/** `new Agent()`: the same agent without a client of one's own. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Agent, createClient, type KeepsakeError, type NewAgentOptions } from '../../src/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { testWorkspace } from '../fixtures/workspace.ts';
import { call, modelServer, said } from './fixture.ts';

const NOTHING_TO_LEARN = { json: { operations: [], summary: { knowledge: ['Tea is green.'] } } };

describe('new Agent', () => {
  it('A-03 A-27 A-29 A-30 creates MEMORY.md at construction, and leaves and loads an existing one', async () => {
    const workspace = temporaryFolder();
    const file = join(workspace, 'agents', 'ResearchAgent', 'MEMORY.md');
    const server = await modelServer([]);
    const first = new Agent({ name: 'ResearchAgent', workspace, model: server.model() });
    // Nothing is asked of it: the file comes by itself.
    await expect.poll(() => existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toMatch(/^# Agent Memory\n\n\*\*Conversation:\*\* ResearchAgent_id_/);
    await (await first.shortMemory).add('User', 'The budget is 500.');
    await first.close();
    const text = readFileSync(file, 'utf8');
    await new Agent({ name: 'ResearchAgent', workspace, model: server.model() }).close();
    expect(readFileSync(file, 'utf8')).toBe(text);
    await using next = new Agent({ name: 'ResearchAgent', workspace, model: server.model() });
    expect((await (await next.shortMemory).turns()).map(({ content }) => content)).toEqual([
      'The budget is 500.',
    ]);
  });

  it('A-11 A-63 opens its workspace by itself, runs, goes on in the same conversation, and closes', async () => {
    const workspace = temporaryFolder();
    const server = await modelServer(['Hello Ann.', 'Your name is Ann.']);
    const agent = new Agent({ name: 'alice', workspace, model: server.model(), systemPrompt: 'Be kind.' });
    expect(existsSync(join(workspace, 'data'))).toBe(false);
    expect(await agent.run('I am Ann.')).toBe('Hello Ann.');
    expect(await agent.run('Who am I?')).toBe('Your name is Ann.');
    expect(said(server.requests[1])).toEqual(['user: I am Ann.', 'assistant: Hello Ann.', 'user: Who am I?']);
    await agent.close();
    await agent.close();
    await expect(agent.run('And now?')).rejects.toMatchObject({ code: 'CLOSED' });

    await using again = new Agent({ name: 'alice', workspace, model: server.model() });
    server.script('Still Ann.');
    await again.run('And now?');
    expect(said(server.requests[2])).toContain('user: Who am I?');
  });

  it('streams, and stops when told to', async () => {
    const server = await modelServer([{ text: ['One ', 'two'] }, { text: ['One ', 'two'], hangAfter: 1 }]);
    await using agent = new Agent({ name: 'alice', workspace: temporaryFolder(), model: server.model() });
    const session = await agent.session();
    const heard: string[] = [];
    for await (const event of session.stream('Count.')) if (event.type === 'text') heard.push(event.text);
    expect(heard).toEqual(['One ', 'two']);
    const stop = new AbortController();
    const sending = session.send('Count.', { signal: stop.signal, onText: () => stop.abort() });
    await expect(sending).rejects.toMatchObject({ code: 'ABORTED' });
    server.script('Here.');
    expect((await session.send('There?')).text).toBe('Here.');
  });

  it('works with a client that is there, which stays open; closing waits for what its runs taught', async () => {
    const client = testWorkspace().open();
    const server = await modelServer([call('recall', { query: 'tea' }), 'Green.', NOTHING_TO_LEARN]);
    const memory = { enabled: true, minMessagesToExtract: 2 };
    const agent = new Agent({ name: 'alice', client, model: server.model(), memory });
    expect(agent.client).toBe(client);
    await agent.run('Which tea do I like?');
    await agent.close();
    const kept = await client.memory.list();
    expect(kept.map(({ source }) => source).sort()).toEqual(['session_summary', 'task_completion']);
    const { receipts } = await client.agent({ name: 'alice' }).why();
    expect(receipts.map(({ loop }) => loop)).toEqual([1, 2]);
  });

  it('A-10 is swarm-worker-01 when nobody names it, or whoever keepsake.jsonc says', async () => {
    const workspace = temporaryFolder();
    const server = await modelServer(['Hello Ann.', 'Your name is Ann.']);
    const agent = new Agent({ workspace, model: server.model() });
    expect(agent.name).toBe('swarm-worker-01');
    expect(await agent.run('I am Ann.')).toBe('Hello Ann.');
    await agent.close();
    expect(readFileSync(join(workspace, 'agents', 'swarm-worker-01', 'MEMORY.md'), 'utf8')).toContain(
      'I am Ann.',
    );

    await using again = new Agent({ client: createClient({ workspace }), model: server.model() });
    await again.run('Who am I?');
    expect(said(server.requests[1])).toContain('user: I am Ann.');
    await again.client.close();
    writeFileSync(join(workspace, 'keepsake.jsonc'), '{ "name": "my-agent", }');
    await using named = new Agent({ workspace });
    expect(named.name).toBe('my-agent');
    const remote = createClient({ url: 'http://127.0.0.1:9', apiKey: 'key' });
    expect(() => new Agent({ client: remote })).toThrow();
  });

  it('one that keeps nothing opens nothing before it is used', async () => {
    const workspace = temporaryFolder();
    const client = createClient({ workspace });
    await new Agent({ name: 'alice', client, persistentMemory: false }).close();
    await new Agent({ name: 'alice', workspace, history: 'off' }).close();
    expect(existsSync(join(workspace, 'data'))).toBe(false);
    await client.close();
  });

  it.each([
    [{ name: undefined }, 'INVALID_NAME', /new Agent needs the name of the agent/],
    [{ name: 'a', wrokspace: 'x' }, 'INVALID_INPUT', /new Agent: .*did you mean "workspace"/],
    [{ name: 'a', client: {} }, 'INVALID_INPUT', /client must be a client/],
    [{ name: 'a', client: createClient(), workspace: 'x' }, 'INVALID_INPUT', /the client has a workspace/],
    [{ name: '../a' }, 'INVALID_NAME', /name/],
  ])('refuses %j', (options, code, message) => {
    const make = () => new Agent(options as unknown as NewAgentOptions);
    expect(make).toThrow(message);
    try {
      make();
    } catch (error) {
      expect((error as KeepsakeError).code).toBe(code);
    }
  });
});
