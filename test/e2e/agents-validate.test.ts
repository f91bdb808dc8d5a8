/** `keepsake validate` in real processes. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { json, runCli } from '../surfaces/cli/support/run-cli.ts';
import { agentsWorkspace } from './support/agents-workspace.ts';

describe('keepsake validate', () => {
  it('D-27 prints the documented layout', async () => {
    const { cwd, write } = await agentsWorkspace([]);
    write(
      'agents/my-agent.md',
      `---\nname: my-agent\nmodel: google/gemini-2.5-flash\nhistory: medium\n---\n${'x'.repeat(450)}\n`,
    );
    const env = { GEMINI_API_KEY: 'not-a-real-one' };
    expect(await runCli(['validate', 'my-agent'], { cwd, env })).toEqual({
      code: 0,
      signal: null,
      stderr:
        'warning: my-agent: no "paths" are set, so file_read and file_write use agents/my-agent/files/ only\n',
      stdout: `✓ my-agent
  Model google / gemini-2.5-flash ✓ API key set
  History medium (last 50 messages)
  Trigger manual ✓ Valid
  Prompt 450 chars
  Tools
    ✓ file_read (built-in)
    ✓ file_write (built-in)
    ✓ http_request (built-in)
    ✓ memory_append (built-in)
    ✓ memory_retrieve (built-in)
    ✓ memory_save (built-in)
`,
    });
    const { code, stdout } = await runCli(['validate'], { cwd });
    expect(code).toBe(78);
    expect(stdout).toContain(
      '✗ my-agent\n  Model google / gemini-2.5-flash ✗ API key missing: set GEMINI_API_KEY\n',
    );
  });

  it('says that agents in a folder that is not a workspace are not used, and what to do', async () => {
    const { cwd, write } = await agentsWorkspace([]);
    write('agents/monitor.md', 'You watch.\n');
    rmSync(join(cwd, 'keepsake.jsonc'));
    const env = { WORKSPACE_DIR: join(cwd, 'elsewhere') };
    const note =
      /^note: agents\/monitor\.md of this folder is not used, because the workspace is .*elsewhere; "keepsake init \." makes/m;
    for (const args of [['validate'], ['run', 'monitor', 'Begin.'], ['chat', 'monitor']]) {
      expect((await runCli(args, { cwd, env, stdin: '' })).stderr).toMatch(note);
    }
    expect((await runCli(['init', '.'], { cwd, env })).code).toBe(0);
    const { stderr, stdout } = await runCli(['validate'], { cwd, env });
    expect(stderr).not.toContain('is not used');
    expect(stdout).toContain('monitor');
  });

  it('says which agents of a swarm are not there', async () => {
    const { keepsake, write } = await agentsWorkspace([]);
    write('agents/writer.md', '---\nhistory: low\n---\nGo.\n');
    write(
      'keepsake.jsonc',
      '{ "models": { "main": "ollama/qwen3" }, "swarms": { "team": { "agents": ["writer", "wirter"], "lead": "editor" } } }',
    );
    const { code, stdout } = await keepsake('validate');
    expect(code).toBe(78);
    expect(stdout).toContain(
      '✗ swarm team\n  keepsake.jsonc agents: agents/wirter.md does not exist. Did you mean "writer"?\n  keepsake.jsonc lead: agents/editor.md does not exist.\n',
    );
    expect((await keepsake('validate', 'writer')).code).toBe(0);
  });

  it('says what is wrong with each agent, and where', async () => {
    const { keepsake, write, cwd, env } = await agentsWorkspace([]);
    write('agents/good.md', '---\ntrigger:\n  type: schedule\n  every: 6h\npaths: output/\n---\nGo.\n');
    write('agents/bad.md', '---\nhistroy: low\n---\nGo.\n');
    write('agents/good.memory.md', '# notes\nno agent\n');
    const { code, stdout, stderr } = await keepsake('validate');
    expect({ code, stderr }).toEqual({ code: 78, stderr: '' });
    expect(stdout).toContain(
      '✗ bad\n  agents/bad.md:2:1 histroy: "histroy" is unknown; did you mean "history"?\n',
    );
    expect(stdout).toContain('  Trigger schedule (every 6h) ✓ Valid\n');
    expect(stdout).toContain('  Paths output/\n');
    expect(stdout).toMatch(/1 of 2 agents cannot run\.\n$/);
    expect((await keepsake('validate', '--quiet')).stdout).toBe('bad\n');
    expect(await json(['validate', 'good'], { cwd, env })).toMatchObject({
      ok: true,
      agents: [{ name: 'good', ok: true, history: { level: 'low', messages: 10 }, tools: expect.any(Array) }],
    });
    expect(await keepsake('validate', 'godo')).toMatchObject({
      code: 66,
      stderr: expect.stringContaining('Did you mean "good"?'),
    });
  });

  it('creates nothing where nothing is', async () => {
    const { keepsake } = await agentsWorkspace([]);
    const { code, stdout } = await keepsake('validate');
    expect(code).toBe(0);
    expect(stdout).toContain('No agent is defined');
  });
});
