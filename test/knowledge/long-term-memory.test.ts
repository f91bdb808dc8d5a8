/** `agent.longTermMemory`: what a run loop asks, whoever answers. */
import { describe, expect, it } from 'vitest';
import type { LongTermMemory } from '../../src/index.ts';
import { knowledgeWorkspace, paragraphs } from './support/fixture.ts';

describe('longTermMemory', () => {
  it('A-68 indexes a folder of documents when it is first asked', async () => {
    const { client, write, path } = knowledgeWorkspace();
    write('knowledge_base/keys.md', '# Keys\nRotate the signing key every ninety days.\n');
    const agent = client.agent({ name: 'alice', longTermMemory: { docsFolder: path('knowledge_base') } });
    expect(await agent.knowledge.list()).toEqual([]);
    const [hit] = await agent.longTermMemory!.query('rotate signing keys', { limit: 1 });
    expect(hit).toEqual({
      text: '# Keys\nRotate the signing key every ninety days.\n',
      citation: 'knowledge_base/keys.md:1-2',
      relevance: expect.any(Number),
    });
    expect(hit!.relevance).toBeGreaterThan(0.3);
  });

  it('A-68 takes another vector database, or none', async () => {
    const { client } = knowledgeWorkspace();
    const own: LongTermMemory = {
      add: async () => 'id',
      query: async (text) => [{ text: `about ${text}`, citation: 'elsewhere', relevance: 1 }],
    };
    expect(await client.agent({ name: 'a', longTermMemory: own }).longTermMemory?.query('x')).toMatchObject([
      { text: 'about x' },
    ]);
    expect(client.agent({ name: 'a', longTermMemory: null }).longTermMemory).toBeNull();
    expect(() => client.agent({ name: 'a', longTermMemory: 'chroma' as never })).toThrow(
      /longTermMemory must be/,
    );
  });

  it('A-68 answers with nothing where nothing was added', async () => {
    const { agent } = knowledgeWorkspace();
    expect(await agent.longTermMemory?.query('anything')).toEqual([]);
  });

  it('A-18 keeps texts that are in no file, cut to size, for the next process', async () => {
    const { open, agent, client } = knowledgeWorkspace();
    const text = paragraphs('apple', 'banana', 'cherry', 'date', 'elder', 'fig', 'grape', 'hazel');
    const id = await agent.longTermMemory!.add(text, { title: 'Fruit', url: 'https://example.org/fruit' });
    expect(await agent.longTermMemory!.add(text, { title: 'Fruit', url: 'https://example.org/fruit' })).toBe(
      id,
    );
    const untitled = await agent.longTermMemory!.add('Nobody knows where this is from.');
    await client.close();
    const again = open().agent({ name: 'alice' });
    expect(await again.memory.list({ source: 'knowledge' })).toHaveLength(3);
    expect(await again.longTermMemory?.query('hazel', { limit: 1 })).toMatchObject([
      { citation: 'https://example.org/fruit' },
    ]);
    expect(await again.longTermMemory?.query('nobody knows where', { limit: 1 })).toMatchObject([
      { citation: untitled },
    ]);
    expect(await again.knowledge.refresh()).toMatchObject({ files: 0, removed: 0 });
  });

  it('A-69 is asked at the beginning only, unless it is configured otherwise', async () => {
    const { client } = knowledgeWorkspace();
    const { config } = await client.open();
    expect(config.knowledge).toMatchObject({ chunkSize: 2000, chunkOverlap: 100, everyLoop: false });
  });

  it('tries again when the folder was not there', async () => {
    const { client, write, path } = knowledgeWorkspace();
    const agent = client.agent({ name: 'alice', longTermMemory: { docsFolder: path('docs') } });
    await expect(agent.longTermMemory?.query('x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    write('docs/a.md', 'About apples.');
    expect(await agent.longTermMemory?.query('apples')).toHaveLength(1);
  });
});
