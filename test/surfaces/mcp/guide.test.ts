/** docs/guides/mcp.md: its lines are those that `install --print` prints, and its tables are complete. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CLIENT_NAMES, clientNamed } from '../../../src/surfaces/cli/commands/mcp/clients.ts';
import { serverCommand } from '../../../src/surfaces/cli/commands/mcp/server-command.ts';
import { tomlSettings } from '../../../src/surfaces/cli/commands/mcp/toml-settings.ts';
import { HOOK_NAMES } from '../../../src/surfaces/hooks/index.ts';
import { PACK_NAMES } from '../../../src/surfaces/mcp/index.ts';
import { toolsOf } from '../../../src/surfaces/mcp/packs.ts';
import { ALICE, openWorkspace } from './support/connect.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/guides/mcp.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text!);

it('the settings of the guide are those that are installed', () => {
  const [plain, vscode, zed] = blocks('json').map((text) => JSON.parse(text));
  const settings = (name: string) => {
    const { key, entry } = clientNamed(name);
    return {
      [key]: {
        keepsake: entry(
          serverCommand([], {
            root: '/usr/lib/node_modules/keepsake/',
            node: '/usr/bin/node',
            platform: 'linux',
          }),
        ),
      },
    };
  };
  expect(settings('claude-desktop')).toEqual(plain);
  expect(settings('cursor')).toEqual(plain);
  expect(settings('claude-code')).toMatchObject(plain);
  expect(settings('vscode')).toEqual(vscode);
  expect(settings('zed')).toEqual(zed);
});

it('the table of Codex is the one that is installed', () => {
  const server = serverCommand([], {
    root: '/usr/lib/node_modules/keepsake/',
    node: '/usr/bin/node',
    platform: 'linux',
  });
  expect(blocks('toml')).toEqual([
    `${tomlSettings.snippet(['mcp_servers', 'keepsake'], clientNamed('codex').entry(server))}\n`,
  ]);
});

it('the guide names every program, and no command that would fetch a package', () => {
  for (const name of CLIENT_NAMES) expect(page).toContain(`\`${name}\``);
  const pages = [
    'README.md',
    'docs/guides/get-started.md',
    'docs/guides/mcp.md',
    'integrations/claude-code/README.md',
  ];
  for (const file of pages)
    expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(/npx\s+(-y|--yes)/);
});

it('a failure reads as the guide shows', async () => {
  const { engine } = await openWorkspace();
  const tool = toolsOf(engine, ALICE, ['facts']).find(({ name }) => name === 'get_memory')!;
  const { isError, content } = await tool.call({ id: 'mem_unknown' });
  expect([isError, content]).toEqual([true, [{ type: 'text', text: blocks('text')[0]!.trim() }]]);
});

it('the guide names every tool and every hook', async () => {
  const { engine } = await openWorkspace();
  for (const pack of PACK_NAMES) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${pack}\``)) ?? '';
    const names = toolsOf(engine, ALICE, [pack]).map(({ name }) => name);
    expect([...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name).slice(1)).toEqual(names);
  }
  for (const name of HOOK_NAMES) expect(page).toContain(`\`${name}\``);
});
