/** External knowledge in a run: asked once at the beginning, or at every loop. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type LongTermMemory } from '../../src/index.ts';
import { call, said, scene } from './fixture.ts';

/** A vector database of somebody else's. */
function ownDatabase(): LongTermMemory & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    add: async () => 'id',
    query: async (text) => {
      asked.push(text);
      return [
        { text: `Passage ${asked.length} on pumps.`, citation: `manual.pdf#${asked.length}`, relevance: 0.9 },
      ];
    },
  };
}

const look = defineTool({
  name: 'look',
  description: 'Looks at the pump.',
  input: z.object({}),
  run: () => 'The valve is stuck.',
});

const script = [call('look'), 'Open the valve.'];

it('A-68 a database of your own is asked, and what it finds stands beside the task', async () => {
  const { agent, server } = await scene(['Prime it.']);
  const longTermMemory = ownDatabase();
  await agent({ longTermMemory }).run('How do I start the pump?');
  expect(longTermMemory.asked).toEqual(['How do I start the pump?']);
  const [task] = said(server.requests[0]);
  expect(task).toContain('<document-context>');
  expect(task).toContain('- [manual.pdf#1] Passage 1 on pumps.');
  expect(task).toMatch(/## Task\nHow do I start the pump\?$/);
});

it('A-69 by default only at the beginning', async () => {
  const { agent, server } = await scene(script);
  const longTermMemory = ownDatabase();
  await agent({ longTermMemory, tools: [look] }).run('Fix the pump.');
  expect(longTermMemory.asked).toEqual(['Fix the pump.']);
  expect(said(server.requests[1])[0]).toContain('Passage 1');
});

it('A-69 ragEveryLoop asks at every loop, with what the run has come to', async () => {
  const { agent, server } = await scene(script);
  const longTermMemory = ownDatabase();
  await agent({ longTermMemory, tools: [look], ragEveryLoop: true }).run('Fix the pump.');
  expect(longTermMemory.asked).toEqual(['Fix the pump.', 'Fix the pump.\nThe valve is stuck.']);
  expect(said(server.requests[0])[0]).toContain('Passage 1');
  expect(said(server.requests[1])[0]).toContain('Passage 2');
  expect(said(server.requests[1])[0]).not.toContain('Passage 1 ');
});

it('A-69 the configuration may say so too', async () => {
  const { agent } = await scene(script, {
    config: { agents: { alice: { knowledge: { everyLoop: true } } } },
  });
  const longTermMemory = ownDatabase();
  await agent({ longTermMemory, tools: [look] }).run('Fix the pump.');
  expect(longTermMemory.asked).toHaveLength(2);
});

it('A-68 null asks nobody', async () => {
  const { agent, server } = await scene(['Prime it.']);
  await agent({ longTermMemory: null }).run('How do I start the pump?');
  expect(said(server.requests[0])).toEqual(['user: How do I start the pump?']);
});

it('A-68 a database that fails is told as such, and not as a defect of ours', async () => {
  const { agent, server } = await scene(['Prime it.']);
  const broken = { ...ownDatabase(), query: () => Promise.reject(new Error('no route to host')) };
  await expect(agent({ longTermMemory: broken }).run('Start.')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The long-term memory of this agent failed: no route to host',
  });
  expect(server.requests).toHaveLength(0);
});

it('A-11 A-70 memoryChunkSize decides how documents of this agent are cut', async () => {
  const { agent, folder } = await scene();
  writeFileSync(
    join(folder, 'guide.txt'),
    Array.from({ length: 200 }, (_, i) => `Sentence ${i} about tea.`).join(' '),
  );
  const coarse = await agent({ name: 'coarse' }).knowledge.add(join(folder, 'guide.txt'));
  const fine = await agent({ name: 'fine', memoryChunkSize: 500 }).knowledge.add(join(folder, 'guide.txt'));
  expect(fine.added).toBeGreaterThan(2 * coarse.added);
  expect(() => agent({ memoryChunkSize: 0 })).toThrow('memoryChunkSize');
});

it('A-68 a document that cannot be indexed is a warning of the process and a notice of the answer', async () => {
  const { agent, folder } = await scene([]);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'manual.pdf'), '%PDF-1.7 but nothing of it');
  writeFileSync(join(docs, 'pump.md'), 'The pump needs priming.');
  const warnings: Error[] = [];
  const hear = (warning: Error): void => void warnings.push(warning);
  process.on('warning', hear);
  try {
    const hits = await agent({ longTermMemory: { docsFolder: docs } }).longTermMemory!.query('pump');
    expect(hits.map(({ text }) => text)).toEqual(['The pump needs priming.']);
    expect(hits).toHaveProperty('notices', [expect.stringMatching(/^docs\/manual\.pdf is not indexed: /)]);
    await expect.poll(() => warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ name: 'KeepsakeWarning', code: 'DOCUMENTS_SKIPPED' });
    expect(warnings[0]!.message).toContain('manual.pdf is not indexed');
  } finally {
    process.off('warning', hear);
  }
});
