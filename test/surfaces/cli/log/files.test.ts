/** Formats by the names of files, and MEMORY.md files in a tree. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatFor } from '../../../../src/surfaces/cli/show/log/export.ts';
import { findTranscripts } from '../../../../src/surfaces/cli/show/log/find-transcripts.ts';

describe('formatFor', () => {
  it.each([
    ['/x/a.json', 'json'],
    ['/x/a.NDJSON', 'jsonl'],
    ['/x/a.yml', 'yaml'],
    ['/x/a.b.md', 'markdown'],
    [null, 'json'],
  ])('%s is %s', (file, format) => expect(formatFor(file, undefined)).toBe(format));

  it('takes the word of whoever gives it', () => expect(formatFor('/x/a.md', 'yaml')).toBe('yaml'));

  it.each(['/x/a.txt', '/x/json', '/x/a.'])('does not guess for %s', (file) => {
    expect(() => formatFor(file, undefined)).toThrow(/format cannot be told/);
  });
});

describe('findTranscripts', () => {
  it('finds the folder itself, its folders, and those in agents', async () => {
    const root = mkdtempSync(join(tmpdir(), 'keepsake-tree-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const folder of ['one', 'agents/two', 'agents/zwei 二', 'agents/empty', 'deep/er/three']) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    for (const folder of ['one', 'agents/two', 'agents/zwei 二', 'deep/er/three']) {
      writeFileSync(join(root, folder, 'MEMORY.md'), '');
    }
    mkdirSync(join(root, 'agents/folder/MEMORY.md'), { recursive: true });
    const agents = async (folder: string) => (await findTranscripts(folder)).map(({ agent }) => agent);
    expect(await agents(root)).toEqual(['one', 'two', 'zwei 二']);
    expect(await agents(join(root, 'agents/two'))).toEqual(['two']);
    expect(await agents(join(root, 'nowhere'))).toEqual([]);
  });
});
