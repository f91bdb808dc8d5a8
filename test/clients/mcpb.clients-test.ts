/** The bundle for programs that install with a click: its manifest passes the schema of the format, and it starts by itself. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tryServer } from '../../src/surfaces/cli/commands/mcp/try-server.ts';
import { clientsFolder, root } from './support/machine.ts';

it('an .mcpb bundle is valid and starts without the repository', async () => {
  execFileSync(process.execPath, [join(root, 'scripts/mcpb.mjs')], { cwd: root, stdio: 'pipe' });
  const [name] = readdirSync(join(root, 'dist')).filter((each) => each.endsWith('.mcpb'));
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-mcpb-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const mcpb = (...args: string[]) =>
    execFileSync(
      process.execPath,
      [join(clientsFolder, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js'), ...args],
      { encoding: 'utf8' },
    );
  mcpb('unpack', join(root, 'dist', name!), join(folder, 'bundle'));
  expect(mcpb('validate', join(folder, 'bundle/manifest.json'))).toMatch(/valid/i);
  const args = [join(folder, 'bundle/server/bin/keepsake.js'), 'mcp', '--workspace', folder];
  const { starts, tools, problem } = await tryServer({ command: process.execPath, args });
  expect({ starts, tools: tools?.length, problem }).toEqual({ starts: true, tools: 6, problem: undefined });
});
