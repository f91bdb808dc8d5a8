/** The same conversation with clients of every generation, over streams and over HTTP. */
import { describe, expect, it } from 'vitest';
import { packageVersion } from '../../../src/surfaces/cli/package.ts';
import { ALICE, GENERATIONS, openWorkspace, overHttp, overStreams, textOf } from './support/connect.ts';

const WAYS = { 'over streams': overStreams, 'over HTTP': overHttp };
const CASES = Object.entries(WAYS).flatMap(([way, connect]) =>
  GENERATIONS.map((generation) => ({ way, connect, generation })),
);

describe.each(CASES)('a client of the $generation generation $way', ({ connect, generation }) => {
  it('B-10 B-11 B-12 B-13 D-14 remembers, recalls, corrects and forgets', async () => {
    const { engine } = await openWorkspace();
    const client = await connect(generation, { engine, identity: ALICE });
    // Clients check structured content against the schemas that they have listed.
    const { tools } = await client.listTools();
    expect(tools.slice(0, 3).map(({ name }) => name)).toEqual(['remember', 'recall', 'forget']);

    const stored = await client.callTool({
      name: 'remember',
      arguments: { content: 'The staging server is called heron.', category: 'fact', confidence: 0.9 },
    });
    const { id } = stored.structuredContent as { id: string };
    expect(stored.structuredContent).toEqual({ id, outcome: 'added' });
    expect(textOf(stored)).toBe(`Remembered as ${id}.`);

    const recalled = await client.callTool({
      name: 'recall',
      arguments: { query: 'name of the staging server' },
    });
    expect(recalled.structuredContent).toMatchObject({
      memories: [{ id, category: 'fact', content: 'The staging server is called heron.' }],
    });
    expect(textOf(recalled)).toMatch(
      new RegExp(
        `^\\[${id}\\] \\(fact, \\d{4}-\\d\\d-\\d\\d, relevance \\d\\.\\d\\d\\) The staging server is called heron\\.$`,
      ),
    );

    const changed = await client.callTool({
      name: 'update_memory',
      arguments: { id, content: 'It is called egret.' },
    });
    expect(changed.structuredContent).toEqual({ id, outcome: 'updated', version: 2 });
    const whole = await client.callTool({ name: 'get_memory', arguments: { id } });
    expect(whole.structuredContent).toMatchObject({
      id,
      content: 'It is called egret.',
      confidence: 0.9,
      version: 2,
    });
    const listed = await client.callTool({ name: 'list_memories' });
    expect(listed.structuredContent).toMatchObject({ memories: [{ id }] });

    expect((await client.callTool({ name: 'forget', arguments: { id } })).structuredContent).toEqual({
      id,
      outcome: 'forgotten',
    });
    const gone = await client.callTool({ name: 'recall', arguments: { query: 'egret' } });
    expect(gone.structuredContent).toEqual({ memories: [] });
    expect(gone.content).toEqual([{ type: 'text', text: 'Nothing is known about that (agent alice).' }]);
    expect(await engine.records.list({}, { viewer: ALICE, via: 'sdk' })).toEqual([]);
  });

  it('reads memory as resources and loads it with a prompt', async () => {
    const { engine } = await openWorkspace();
    const caller = { viewer: ALICE, via: 'sdk' } as const;
    const { id } = await engine.records.add(
      { content: 'Answers in French.', category: 'preference' },
      caller,
    );
    await engine.records.add({ content: 'The garden gate opens at seven.' }, caller);
    const client = await connect(generation, { engine, identity: ALICE });
    expect(client.getServerVersion()).toMatchObject({ name: 'keepsake', version: packageVersion() });
    expect(client.getInstructions()).toContain('Recall before');

    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(['memory://standing', 'memory://recent', `memory://memories/${id}`]),
    );
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0]?.text;
    expect(await read('memory://standing')).toContain('Answers in French.');
    expect(await read('memory://standing')).not.toContain('garden gate');
    expect(await read('memory://recent')).toContain('garden gate');
    expect(await read(`memory://memories/${id}`)).toContain('Answers in French.');
    await expect(read('memory://memories/mem_unknown')).rejects.toThrow('There is no memory mem_unknown.');

    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['recall']);
    const { messages } = await client.getPrompt({
      name: 'recall',
      arguments: { task: 'When does the garden gate open?' },
    });
    const text = messages[0]?.content.text ?? '';
    expect(text).toContain('Answers in French.');
    expect(text).toContain('The garden gate opens at seven.');
    expect(text.endsWith('When does the garden gate open?')).toBe(true);
  });

  it('hears what went wrong, with a code and what to do', async () => {
    const { engine } = await openWorkspace();
    const client = await connect(generation, { engine, identity: ALICE });
    await client.listTools();
    const missing = await client.callTool({ name: 'forget', arguments: { id: 'mem_unknown' } });
    expect(missing.isError).toBe(true);
    expect(textOf(missing)).toMatch(/^NOT_FOUND: There is no memory mem_unknown\. .+/);
    expect(missing._meta).toMatchObject({
      'keepsake/error': { code: 'NOT_FOUND', retryable: false, hint: expect.any(String) },
    });
    const wrong = await client.callTool({ name: 'recall', arguments: { limit: 'many' } });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toContain('INVALID_INPUT: Invalid input for recall: query:');
    expect(textOf(wrong)).toContain('recall takes query, limit, category.');
  });
});

it('a client that shows a model both forms of a result gets the text alone', async () => {
  const { engine } = await openWorkspace();
  const client = await overStreams('newest', { engine, identity: ALICE, settings: { textOnly: true } });
  const { tools } = await client.listTools();
  expect(tools.every(({ outputSchema }) => outputSchema === undefined)).toBe(true);
  const stored = await client.callTool({ name: 'remember', arguments: { content: 'The mast is oak.' } });
  expect(stored.structuredContent).toBeUndefined();
  expect(textOf(stored)).toMatch(/^Remembered as mem_/);
});
