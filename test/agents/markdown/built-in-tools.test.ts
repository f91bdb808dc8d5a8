/** Which tools an agent gets for what its file names. */
import { describe, expect, it } from 'vitest';
import { chooseTools, singleTools } from '../../../src/agents/markdown/index.ts';
import { createClient } from '../../../src/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const SECTIONS = ['memory_append', 'memory_retrieve', 'memory_save'];

describe('tools', () => {
  it('D-27 are files, web and sections when none is named', () => {
    expect(chooseTools(undefined, false)).toEqual({
      names: ['file_read', 'file_write', 'http_request', ...SECTIONS],
      packs: ['sections', 'files', 'http'],
      single: [],
    });
    expect(chooseTools(undefined, true).packs).toContain('facts');
  });

  it.each([
    [[], SECTIONS],
    [['http'], ['http_request', ...SECTIONS]],
    [['memory_save'], SECTIONS],
    [['more_context'], [...SECTIONS, 'more_context']],
  ])('D-14 always include those of sections: %j', (named, names) => {
    expect(chooseTools(named, true).names).toEqual(names);
  });

  it('come one by one where only one was named', async () => {
    const chosen = chooseTools(['file_read', 'recall', 'http_request'], false);
    expect(chosen).toEqual({
      names: ['file_read', 'http_request', ...SECTIONS, 'recall'],
      packs: ['sections', 'http'],
      single: ['recall', 'file_read'],
    });
    const client = createClient({ workspace: temporaryFolder(), config: { models: { embedding: 'none' } } });
    const { records } = await client.open();
    const tools = singleTools(chosen, { records, root: '/', paths: [], agent: 'x' });
    expect(tools.map(({ name }) => name)).toEqual(['recall', 'file_read']);
    await client.close();
  });
});
