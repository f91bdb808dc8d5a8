/** docs/guides/mcp.md: its lines are those that `install --print` prints, its program runs, and its tables are complete. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { clientNamed, serverCommand } from '../../../src/surfaces/cli/mcp/clients.ts';
import { HOOK_NAMES } from '../../../src/surfaces/hooks/index.ts';
import { PACK_NAMES } from '../../../src/surfaces/mcp/index.ts';
import { toolsOf } from '../../../src/surfaces/mcp/packs/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
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

it('the guide names every tool and every hook', async () => {
  const { engine } = await openWorkspace();
  for (const pack of PACK_NAMES) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${pack}\``)) ?? '';
    const names = toolsOf(engine, ALICE, [pack]).map(({ name }) => name);
    expect([...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name).slice(1)).toEqual(names);
  }
  for (const name of HOOK_NAMES) expect(page).toContain(`\`${name}\``);
});

it('the program of the guide prints what the guide shows', () => {
  const folder = temporaryFolder();
  const program = join(folder, 'program.ts');
  const source = blocks('ts')[0]!.replaceAll("'../../src/", `'${pathToFileURL(root).href}/src/`);
  writeFileSync(program, source);
  const env = { PATH: process.env.PATH, HOME: folder };
  const { stdout, stderr, status } = spawnSync(process.execPath, [program], {
    encoding: 'utf8',
    cwd: folder,
    env,
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  expect(stdout).toBe(blocks('text')[1]);
});
