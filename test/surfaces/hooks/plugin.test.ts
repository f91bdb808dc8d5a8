/** The plugin for Claude Code: its files have the shape that Claude Code reads, and name what exists. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { COMMANDS } from '../../../src/surfaces/cli/command-table.ts';
import { packageVersion } from '../../../src/surfaces/cli/package.ts';
import { budgetOf, HOOK_NAMES } from '../../../src/surfaces/hooks/index.ts';

const root = join(import.meta.dirname, '../../..');
const plugin = join(root, 'integrations/claude-code');
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

const ROOT = ['$', '{CLAUDE_PLUGIN_ROOT}'].join('');
const LAUNCHER = `${ROOT}/launcher/keepsake.cjs`;
const name = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const command = z.strictObject({
  type: z.literal('command'),
  command: z.literal('node'),
  // The exec form: no shell takes the arguments apart.
  args: z.tuple([
    ...([z.literal(LAUNCHER), z.literal('hook')] as const),
    z.enum(HOOK_NAMES as [string]),
    z.literal('--per-project'),
  ]),
  timeout: z.number().positive(),
  async: z.boolean().optional(),
  statusMessage: z.string().optional(),
});
const hooksFile = z.strictObject({
  description: z.string(),
  hooks: z.record(
    z.enum(['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PreCompact', 'PostCompact', 'SessionEnd']),
    z.array(z.strictObject({ matcher: z.string().optional(), hooks: z.array(command).length(1) })).length(1),
  ),
});

describe('the plugin for Claude Code', () => {
  it('has a manifest with the version of the package', () => {
    const manifest = z.object({
      name,
      version: z.string(),
      description: z.string(),
      author: z.object({ name: z.string() }),
    });
    expect(manifest.parse(read(join(plugin, '.claude-plugin/plugin.json')))).toMatchObject({
      name: 'keepsake',
      version: packageVersion(),
    });
  });

  it('is in the marketplace, where its folder is', () => {
    const marketplace = z.strictObject({
      name,
      owner: z.object({ name: z.string() }),
      plugins: z.array(
        z.strictObject({
          name,
          source: z.string().startsWith('./'),
          description: z.string(),
          version: z.string(),
        }),
      ),
    });
    const { plugins } = marketplace.parse(read(join(root, '.claude-plugin/marketplace.json')));
    expect(plugins).toMatchObject([{ name: 'keepsake', version: packageVersion() }]);
    for (const { source } of plugins)
      expect(existsSync(join(root, source, '.claude-plugin/plugin.json'))).toBe(true);
  });

  it('calls a hook that exists for every event, and gives it the time that it takes', () => {
    const { hooks } = hooksFile.parse(read(join(plugin, 'hooks/hooks.json')));
    const called = Object.entries(hooks).map(([event, [entry]]) => {
      const { args, timeout } = entry!.hooks[0]!;
      expect(timeout * 1_000, event).toBeGreaterThan(budgetOf(args[2]));
      // SessionStart → session-start.
      expect(args[2]).toBe(event.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase());
      return args[2];
    });
    expect(called.sort()).toEqual([...HOOK_NAMES].sort());
    expect(hooks.PostToolUse?.[0]?.matcher).toBe('Write|Edit|MultiEdit|NotebookEdit');
  });

  it('starts the MCP server', () => {
    const file = z.strictObject({
      mcpServers: z.record(name, z.strictObject({ command: z.literal('node'), args: z.array(z.string()) })),
    });
    const { mcpServers } = file.parse(read(join(plugin, '.mcp.json')));
    expect(mcpServers.memory?.args).toEqual([LAUNCHER, 'mcp', '--per-project']);
    expect(existsSync(LAUNCHER.replace(ROOT, plugin))).toBe(true);
    const commands = COMMANDS.map((entry) => entry.name);
    expect(commands).toContain('mcp');
    expect(commands).toContain('hook');
  });
});
