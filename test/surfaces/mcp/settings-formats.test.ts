/** Settings in TOML and YAML: one server is added, changed and removed; comments and all other lines stay. */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hasPlugin, withHooks } from '../../../src/surfaces/cli/commands/mcp/claude-hooks.ts';
import { tomlSettings } from '../../../src/surfaces/cli/commands/mcp/toml-settings.ts';
import { yamlSettings } from '../../../src/surfaces/cli/commands/mcp/yaml-settings.ts';

const ENTRY = { command: '/usr/bin/node', args: ['/opt/keepsake/bin/keepsake.js', 'mcp', '--per-project'] };
const TOML = ['mcp_servers', 'keepsake'] as const;
const YAML = ['mcpServers', 'keepsake'] as const;

const TABLE =
  '[mcp_servers.keepsake]\ncommand = "/usr/bin/node"\nargs = ["/opt/keepsake/bin/keepsake.js", "mcp", "--per-project"]\n';
const CODEX = `# My Codex
model = "gpt-5" # the good one
notes = """
[mcp_servers.keepsake]
not a table
"""

[mcp_servers.docs]
command = "docs" # stays
args = [
  "[mcp_servers.keepsake]", # not a table either
]

[profiles.fast]
model = "gpt-5-mini"
`;

describe('TOML', () => {
  it('gets a table at its end, and every line before it stays', () => {
    const { after } = tomlSettings.withEntry(CODEX, 'config.toml', TOML, ENTRY);
    expect(after).toBe(`${CODEX}\n${TABLE}`);
    expect(tomlSettings.entryIn(after, 'config.toml', TOML)).toEqual(ENTRY);
    expect(tomlSettings.withEntry(after, 'config.toml', TOML, ENTRY).after).toBe(after);
    expect(tomlSettings.withoutEntry(after, 'config.toml', TOML).after).toBe(CODEX);
    expect(tomlSettings.withEntry(undefined, 'config.toml', TOML, ENTRY).after).toBe(TABLE);
  });

  it('changes the table where it stands, with the tables below it', () => {
    const old = `a = 1\n\n[mcp_servers.keepsake]\ncommand = "old"\n[mcp_servers.keepsake.env]\nX = "1"\n\n# next\n[b]\nc = 2\n`;
    expect(tomlSettings.withEntry(old, 'config.toml', TOML, ENTRY).after).toBe(
      `a = 1\n\n${TABLE}\n# next\n[b]\nc = 2\n`,
    );
    expect(tomlSettings.withoutEntry(old, 'config.toml', TOML).after).toBe('a = 1\n\n# next\n[b]\nc = 2\n');
    const windows = old.replaceAll('\n', '\r\n');
    expect(tomlSettings.withEntry(windows, 'config.toml', TOML, ENTRY).after).toBe(
      `a = 1\n\n${TABLE}\n# next\n[b]\nc = 2\n`.replaceAll('\n', '\r\n'),
    );
  });

  it.each([
    ['mcp_servers = { keepsake = { command = "x" } }', 'line 1 writes'],
    ['[mcp_servers]\nkeepsake = { command = "x" }', 'line 2 writes'],
    ['mcp_servers.keepsake.command = "x"', 'line 1 writes'],
    ['a = """', 'has no end'],
    ['a = [', 'has no end'],
  ])('is refused when it cannot be changed safely: %j', (text, problem) => {
    expect(() => tomlSettings.withEntry(text, '/c.toml', TOML, ENTRY)).toThrow(problem);
  });
});

describe('YAML', () => {
  const CONTINUE = `# mine
name: Local
version: 1.0.0
schema: v1
models:
  - name: m # a model
    provider: openai
mcpServers:
  # the docs
  - name: docs
    command: docs
`;

  it('gets a server in the list, and keeps comments', () => {
    const { after } = yamlSettings.withEntry(CONTINUE, 'config.yaml', YAML, ENTRY);
    for (const line of CONTINUE.trim().split('\n')) expect(after.split('\n')).toContain(line);
    expect(parse(after).mcpServers).toEqual([
      { name: 'docs', command: 'docs' },
      { name: 'keepsake', ...ENTRY },
    ]);
    expect(yamlSettings.entryIn(after, 'config.yaml', YAML)).toEqual({ name: 'keepsake', ...ENTRY });
    expect(yamlSettings.withEntry(after, 'config.yaml', YAML, ENTRY).after).toBe(after);
    expect(yamlSettings.withoutEntry(after, 'config.yaml', YAML).after).toBe(CONTINUE);
  });

  it('is made whole where there is no file, and refused where it is damaged', () => {
    const { after } = yamlSettings.withEntry(undefined, 'config.yaml', YAML, ENTRY);
    expect(parse(after)).toEqual({
      ...{ name: 'Keepsake', version: '1.0.0', schema: 'v1' },
      mcpServers: [{ name: 'keepsake', ...ENTRY }],
    });
    expect(parse(yamlSettings.withoutEntry(after, 'config.yaml', YAML).after)).not.toHaveProperty(
      'mcpServers',
    );
    for (const text of ['a: [', '- a', 'mcpServers: {}'])
      expect(() => yamlSettings.withEntry(text, 'config.yaml', YAML, ENTRY)).toThrow('changed safely');
  });
});

describe('the hooks of Claude Code', () => {
  const command = { node: '/usr/bin/node', script: '/opt/keepsake/bin/keepsake.js', args: ['--per-project'] };
  const mine =
    '{\n  "model": "opus",\n  "hooks": {\n    "SessionStart": [\n      { "hooks": [{ "type": "command", "command": "date" }] }\n    ]\n  }\n}\n';

  it('stand beside those of the user, once, and can be taken out', () => {
    const { after } = withHooks(mine, 'settings.json', command);
    const { model, hooks } = JSON.parse(after);
    expect(model).toBe('opus');
    expect(hooks.SessionStart[0]).toEqual({ hooks: [{ type: 'command', command: 'date' }] });
    expect(hooks.SessionStart[1].hooks[0]).toMatchObject({
      command: '/usr/bin/node',
      args: ['/opt/keepsake/bin/keepsake.js', 'hook', 'session-start', '--per-project'],
      timeout: 10,
    });
    expect(Object.keys(hooks)).toHaveLength(6);
    expect(withHooks(after, 'settings.json', command).after).toBe(after);
    // After an upgrade to another folder, the old ones are replaced.
    const moved = JSON.parse(
      withHooks(after, 'settings.json', { ...command, script: '/new/bin/keepsake.js' }).after,
    );
    expect(moved.hooks.SessionStart).toHaveLength(2);
    expect(JSON.parse(withHooks(after, 'settings.json', undefined).after)).toEqual(JSON.parse(mine));
  });

  it('are not added where the plugin brings them', () => {
    expect(hasPlugin('{ "enabledPlugins": { "keepsake@keepsake": true } }')).toBe(true);
    expect(hasPlugin('{ "enabledPlugins": { "keepsake@keepsake": false, "x@y": true } }')).toBe(false);
    expect(hasPlugin(undefined)).toBe(false);
  });
});
