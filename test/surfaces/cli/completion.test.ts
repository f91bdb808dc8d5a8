/** Completions, asked of a real bash. */
import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/surfaces/cli/command-table.ts';
import { completionScript } from '../../../src/surfaces/cli/commands/completion/shells.ts';
import { type CommandEntry, commandTree } from '../../../src/surfaces/cli/commands/completion/tree.ts';
import { Context } from '../../../src/surfaces/cli/context.ts';
import { Output } from '../../../src/surfaces/cli/output.ts';
import { buildProgram } from '../../../src/surfaces/cli/program.ts';

let tree: readonly CommandEntry[];

beforeAll(async () => {
  const context = new Context(new Output({ json: false, quiet: false, color: false }), undefined);
  tree = commandTree(
    await buildProgram(
      context,
      COMMANDS.map(({ name }) => name),
    ),
  );
});

/** What Tab offers after each of these lines; a blank at the end asks for a new word. */
function offered(...lines: readonly string[]): string[][] {
  const asks = lines.map((line) => {
    const words = [
      'keepsake',
      ...line.split(' ').filter((word, i, all) => word !== '' || i === all.length - 1),
    ];
    const array = words.map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${array}); COMP_CWORD=${words.length - 1}; _keepsake; printf '%s\\n' "\${COMPREPLY[@]}" ---`;
  });
  const script = [
    'keepsake() { printf "alice\\nalbert two\\nbob\\n"; }',
    completionScript('bash', tree),
    ...asks,
  ];
  const told = execFileSync('bash', ['--norc', '-euo', 'pipefail', '-c', script.join('\n')], {
    encoding: 'utf8',
  });
  return told
    .split('---\n')
    .slice(0, -1)
    .map((part) => part.split('\n').filter((word) => word !== ''));
}

describe('keepsake completion', () => {
  it('offers commands, verbs, flags, values and the names of agents in bash', () => {
    const [commands, verbs, flags, states, agents, sources, shells, later, global, programs, hooks] = offered(
      'me',
      'memory ',
      'memory list --st',
      'memory list --state ',
      'memory add --agent al',
      'memory list --source s',
      'completion ',
      '--workspace here memory add --agent bob --cat',
      'memory --wor',
      'mcp install c',
      'hook p',
    );
    expect(commands).toEqual(['memory']);
    expect(verbs).toEqual(expect.arrayContaining(['add', 'search', 'list', 'forget']));
    expect(flags).toEqual(['--state']);
    expect(states).toEqual(['live', 'expired', 'forgotten', 'any']);
    expect(agents).toEqual(['alice', 'albert\\ two']);
    expect(sources).toEqual(['session_summary', 'swarm_result']);
    expect(shells).toEqual(['bash', 'zsh', 'fish']);
    expect(later).toEqual(['--category']);
    expect(global).toEqual(['--workspace']);
    expect(programs).toEqual(['claude-code', 'claude-desktop', 'cursor', 'codex', 'continue', 'cline']);
    expect(hooks).toEqual(['post-tool-use', 'pre-compact', 'post-compact']);
  });

  it('knows every command, in every shell', () => {
    for (const shell of ['bash', 'zsh', 'fish'] as const) {
      const script = completionScript(shell, tree);
      for (const { name } of COMMANDS.filter(({ hidden }) => hidden !== true)) expect(script).toContain(name);
      expect(script).toContain('--min-relevance'.slice(shell === 'fish' ? 2 : 0));
    }
  });
});
