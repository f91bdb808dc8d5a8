/** docs/guides/conversations.md: its program runs and prints what the page says, and the page says what it must. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { parseTranscript } from '../../src/conversation/formats/memory-md.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/guides/conversations.md'), 'utf8');
const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)![1]!;

it('the program of the guide prints what the guide shows', () => {
  const folder = temporaryFolder();
  const program = join(folder, 'program.ts');
  const api = pathToFileURL(join(root, 'src/index.ts')).href;
  writeFileSync(program, block('ts').replace("'keepsake'", JSON.stringify(api)));
  const { stdout, stderr, status } = spawnSync(process.execPath, [program], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, WORKSPACE_DIR: folder },
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  expect(stdout).toBe(block('text'));
});

it('the file that the guide shows is one', () => {
  const { header, blocks } = parseTranscript(block('md'));
  expect(header.agent).toBe('ResearchAgent');
  expect(blocks.map(({ role }) => role)).toEqual(['User', 'ResearchAgent']);
});

it('A-19 A-71 A-72 what it is not, how to use it well, and why it is as it is', () => {
  for (const promise of [
    'It is not a search index over documents (RAG)',
    'a name that lasts',
    'Leave compression on',
    'Lower `threshold`',
    'Compact by hand after a milestone',
    'Do not use the transcript as a place for documents',
    'Set `memoryMdPath = null`',
    'The name is the identity',
    'memory, not a request of the moment',
    'would otherwise load both',
  ]) {
    expect(page).toContain(promise);
  }
});
