/** Tab in shells other than bash, which a test beside the source asks: fish says what it would offer, zsh takes the script. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../surfaces/cli/support/run-cli.ts';

async function scriptFor(shell: string): Promise<string> {
  const cwd = temporaryFolder();
  const file = join(cwd, `keepsake.${shell}`);
  writeFileSync(file, (await runCli(['completion', shell], { cwd })).stdout);
  return file;
}

it('fish offers commands, verbs, flags and choices', async () => {
  const file = await scriptFor('fish');
  const offered = (line: string): string[] => {
    const { stdout, stderr } = spawnSync(
      'fish',
      ['--no-config', '-c', `source '${file}'; complete -C '${line}'`],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    return stdout
      .trim()
      .split('\n')
      .map((entry) => entry.split('\t')[0]!);
  };
  expect(offered('keepsake mem')).toEqual(['memory']);
  expect(offered('keepsake memory se')).toEqual(['search']);
  expect(offered('keepsake memory search --exp')).toContain('--explain');
  expect(offered('keepsake mcp install c')).toEqual([
    'claude-code',
    'claude-desktop',
    'cline',
    'codex',
    'continue',
    'cursor',
  ]);
});

it('zsh reads the script, and knows a completion of keepsake afterwards', async () => {
  const file = await scriptFor('zsh');
  const program = `autoload -U compinit; compinit -D -u; source '${file}'; print -r -- $_comps[keepsake]`;
  const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', program], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^_\w+\n$/), stderr: '' });
});
