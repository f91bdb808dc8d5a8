/** Which files are agents. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examineAgents, listAgentFiles, loadAgent } from '../../../src/agents/markdown/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const AGENT = '---\nhistory: low\n---\nHello.\n';

function folderWith(files: Record<string, string | Uint8Array>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('the folder of agents', () => {
  it('D-20 holds memories too, and those are no agents', async () => {
    const folder = folderWith({
      'b.md': AGENT,
      'a.md': AGENT,
      'a.memory.md': '# notes\nx\n',
      'A.MEMORY.md': '# notes\nx\n',
      '.hidden.md': AGENT,
      'readme.txt': 'x',
    });
    mkdirSync(join(folder, 'a'));
    mkdirSync(join(folder, 'c.md'));
    symlinkSync(join(folder, 'b.md'), join(folder, 'linked.md'));
    expect(await listAgentFiles(folder)).toEqual(['a', 'b', 'linked']);
    expect((await loadAgent(folder, 'linked')).prompt).toBe('Hello.');
    await expect(loadAgent(folder, 'a.memory')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('may be missing', async () => {
    expect(await listAgentFiles(join(temporaryFolder(), 'none'))).toEqual([]);
  });

  it('names who was meant', async () => {
    const folder = folderWith({ 'assistant.md': AGENT });
    await expect(loadAgent(folder, 'asistant')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: 'Did you mean "assistant"?',
    });
    await expect(loadAgent(folder, '../assistant')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(loadAgent(folder, 'zebra')).rejects.toMatchObject({
      hint: expect.stringContaining('Defined agents: assistant'),
    });
  });

  it('says of every file what is wrong with it', async () => {
    const folder = folderWith({
      'good.md': AGENT,
      'latin.md': Uint8Array.from([...Buffer.from('---\n---\ncaf'), 0xe9]),
      'huge.md': `---\n---\n${'x'.repeat(1024 * 1024)}`,
      'Twin.md': AGENT,
      'twin.md': AGENT,
    });
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling.md'));
    const found = await examineAgents(folder);
    const told = Object.fromEntries(
      found.map(({ name, examined }) => [name, examined.problems.map(({ message }) => message).join()]),
    );
    expect(told).toEqual({
      good: '',
      Twin: '',
      twin: expect.stringContaining('differs from agent "Twin" only in upper and lower case'),
      latin: 'the file is not UTF-8',
      huge: expect.stringContaining('the file is too large'),
      dangling: expect.stringContaining('ENOENT'),
    });
  });
});
