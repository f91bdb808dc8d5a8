/** Settings that are read block by block must give what the whole schema gives. */
import { describe, expect, it } from 'vitest';
import { readBlocks } from '../../src/config/read-blocks.ts';
import { configSchema } from '../../src/config/schema.ts';

const SETTINGS: readonly unknown[] = [
  {},
  { $schema: './schema.json', name: 'archivist', memory: { enabled: true } },
  { history: false, storage: { driver: 'postgres', url: 'postgres://localhost/keepsake' } },
  { memory: { maxEntries: 500 }, ttl: { extracted: '365d' }, models: { main: 'openai/gpt-5-mini' } },
  { swarms: { research: { agents: ['scout', 'analyst'], lead: 'editor', budget: 2 } } },
  { server: { metrics: 'loopback' }, retention: { events: '90d' }, guard: { secrets: 'block' } },
];

describe('readBlocks', () => {
  it.each(SETTINGS)('reads %j as the whole schema does, in the same order', (settings) => {
    const read = readBlocks(settings);
    expect(read).toEqual(configSchema.parse(settings));
    expect(JSON.stringify(read)).toBe(JSON.stringify(configSchema.parse(settings)));
  });

  it('leaves to the whole schema what only that can judge', () => {
    for (const settings of [
      null,
      [],
      'memory',
      { memroy: {} },
      { memory: { maxEntries: 'many' } },
      { knowledge: { chunkSize: 10 } },
      { agents: {} },
      JSON.parse('{ "__proto__": {} }'),
    ]) {
      expect(readBlocks(settings)).toBeUndefined();
    }
  });

  it('hands out defaults that nobody else changes', () => {
    readBlocks({})!.memory.maxEntries = 1;
    expect(readBlocks({})!.memory.maxEntries).toBe(200);
  });
});
