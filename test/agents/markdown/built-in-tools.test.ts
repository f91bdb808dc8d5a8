/** Which tools an agent gets for what its file names. */
import { describe, expect, it } from 'vitest';
import { chooseTools } from '../../../src/agents/markdown/index.ts';

const SECTIONS = ['memory_append', 'memory_retrieve', 'memory_save'];

describe('tools', () => {
  it('D-27 are files, web and sections when none is named', () => {
    expect(chooseTools({}, false)).toEqual({
      names: ['file_read', 'file_write', 'http_request', ...SECTIONS],
      packs: ['sections', 'files', 'http'],
    });
    expect(chooseTools({}, true).packs).toContain('facts');
  });

  it.each([
    [[], SECTIONS],
    [['http'], ['http_request', ...SECTIONS]],
    [['memory_save'], SECTIONS],
    [['more_context'], [...SECTIONS, 'more_context']],
  ])('D-14 always include those of sections: %j', (named, names) => {
    expect(chooseTools({ tools: named }, true).names).toEqual(names);
  });

  it('come one by one where only one was named', () => {
    expect(chooseTools({ tools: ['file_read', 'recall', 'http_request'] }, false)).toEqual({
      names: ['file_read', 'http_request', ...SECTIONS, 'recall'],
      packs: ['sections', 'facts', 'files', 'http'],
    });
  });
});
