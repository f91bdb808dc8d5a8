/** The settings of other programs: where they are, what is added, and that nothing else changes. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { userFolders } from '../../../src/administration/user-folders.ts';
import { CLIENT_NAMES, clientNamed } from '../../../src/surfaces/cli/commands/mcp/clients.ts';
import { jsonSettings } from '../../../src/surfaces/cli/commands/mcp/json-settings.ts';
import { serverCommand } from '../../../src/surfaces/cli/commands/mcp/server-command.ts';
import { readSettings, replaceSettings } from '../../../src/surfaces/cli/commands/mcp/settings-file.ts';
import { diffOf } from '../../../src/surfaces/cli/commands/mcp/settings-format.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const { withEntry, withoutEntry } = jsonSettings;
const ENTRY = { command: '/usr/bin/node', args: ['/usr/lib/node_modules/keepsake/bin/keepsake.js', 'mcp'] };
const PATH = ['mcpServers', 'keepsake'] as const;
const NOW = Date.UTC(2026, 10, 16, 6, 0, 0);

describe('where programs keep their settings', () => {
  const home = (platform: NodeJS.Platform, env: Record<string, string> = {}) => ({
    ...userFolders(platform, env),
  });
  const fileOf = (name: string, platform: NodeJS.Platform, env?: Record<string, string>) => {
    const folders = home(platform, env);
    return clientNamed(name).file(folders).replace(folders.home, '~').replaceAll('\\', '/');
  };

  const same = (name: string, file: string) => [[name, file, file, file]];
  const CLINE = 'Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';

  it('is known for every program and platform', () => {
    expect(CLIENT_NAMES).toEqual([
      ...['claude-code', 'claude-desktop', 'cursor', 'vscode', 'zed', 'codex', 'opencode', 'gemini'],
      ...['qwen', 'continue', 'cline', 'windsurf'],
    ]);
    const table = CLIENT_NAMES.map((name) => [
      name,
      fileOf(name, 'linux'),
      fileOf(name, 'darwin'),
      fileOf(name, 'win32'),
    ]);
    expect(table).toEqual([
      ['claude-code', '~/.claude.json', '~/.claude.json', '~/.claude.json'],
      [
        'claude-desktop',
        '~/.config/Claude/claude_desktop_config.json',
        '~/Library/Application Support/Claude/claude_desktop_config.json',
        '~/AppData/Roaming/Claude/claude_desktop_config.json',
      ],
      ['cursor', '~/.cursor/mcp.json', '~/.cursor/mcp.json', '~/.cursor/mcp.json'],
      [
        'vscode',
        '~/.config/Code/User/mcp.json',
        '~/Library/Application Support/Code/User/mcp.json',
        '~/AppData/Roaming/Code/User/mcp.json',
      ],
      [
        'zed',
        '~/.config/zed/settings.json',
        '~/.config/zed/settings.json',
        '~/AppData/Roaming/Zed/settings.json',
      ],
      ...same('codex', '~/.codex/config.toml'),
      ...same('opencode', '~/.config/opencode/opencode.json'),
      ...same('gemini', '~/.gemini/settings.json'),
      ...same('qwen', '~/.qwen/settings.json'),
      ...same('continue', '~/.continue/config.yaml'),
      ['cline', `~/.config/${CLINE}`, `~/Library/Application Support/${CLINE}`, `~/AppData/Roaming/${CLINE}`],
      ...same('windsurf', '~/.codeium/windsurf/mcp_config.json'),
    ]);
    expect(fileOf('claude-code', 'linux', { CLAUDE_CONFIG_DIR: '/work/claude' })).toBe(
      '/work/claude/.claude.json',
    );
    expect(fileOf('codex', 'linux', { CODEX_HOME: '/work/codex' })).toBe('/work/codex/config.toml');
    expect(fileOf('zed', 'linux', { XDG_CONFIG_HOME: '/x' })).toBe('/x/zed/settings.json');
    expect(() => clientNamed('emacs')).toThrow('does not know how to set up "emacs"');
  });

  it('starts the program itself, by absolute paths: nothing is looked up or fetched', () => {
    const commandAt = (root: string, platform: NodeJS.Platform, node: string) =>
      serverCommand(['--agent', 'a'], { root, node, platform });
    for (const root of [
      '/usr/lib/node_modules/keepsake/',
      '/home/me/keepsake/',
      '/home/me/app/node_modules/keepsake/',
    ])
      expect(commandAt(root, 'linux', '/usr/bin/node')).toEqual({
        command: '/usr/bin/node',
        args: [`${root}bin/keepsake.js`, 'mcp', '--agent', 'a'],
      });
    expect(commandAt('D:\\clone\\', 'win32', 'C:\\nodejs\\node.exe')).toEqual({
      command: 'C:\\nodejs\\node.exe',
      args: ['D:\\clone\\bin\\keepsake.js', 'mcp', '--agent', 'a'],
    });
  });
});

describe('adding an entry', () => {
  it.each([
    ['a file that is not there', undefined],
    ['an empty file', ' \n'],
    ['an object', '{}'],
    ['other servers', '{\n    "mcpServers": {\n        "other": { "command": "x" }\n    }\n}\n'],
    [
      'comments and a trailing comma',
      '// mine\n{\n\t"theme": "dark", // nice\n\t"mcpServers": {\n\t\t/* none */\n\t},\n}\n',
    ],
    ['Windows line ends and a byte order mark', '\uFEFF{\r\n  "a": 1\r\n}\r\n'],
  ])('to %s keeps the rest', (_what, text) => {
    const { before, after } = withEntry(text, 'file', PATH, ENTRY);
    const was = parse((text ?? '').replace('\uFEFF', '') || '{}') ?? {};
    const is = parse(after.replace('\uFEFF', ''));
    expect(is).toEqual({ ...was, mcpServers: { ...was.mcpServers, keepsake: ENTRY } });
    // Every line that was there is still there, as it was, but for a comma.
    const lines = after.split('\n').map((line) => line.replace(/,?\r?$/, '').trim());
    for (const line of before.split('\n')) {
      for (const word of line.replace(/[{},\r]/g, ' ').split(/\s{2,}/))
        expect(lines.join('\n')).toContain(word.trim());
    }
    expect(after.includes('\r\n')).toBe(before.includes('\r\n'));
    expect(after.startsWith('\uFEFF')).toBe(before.startsWith('\uFEFF'));
    expect(withEntry(after, 'file', PATH, ENTRY)).toEqual({ before: after, after });
  });

  it('leaves the entry before it in the style of its writer', () => {
    const servers = '"mcpServers": {\n    "a": { "command": "b", "args": ["c"] }';
    for (const tail of ['\n  }\n}\n', ',\n  },\n}\n']) {
      const { after } = withEntry(`{\n  ${servers}${tail}`, 'file', PATH, ENTRY);
      expect(after).toContain(`${servers},\n    "keepsake": {\n      "command"`);
      expect(after.endsWith(`\n    }${tail}`)).toBe(true);
    }
  });

  it.each(['', ','])('leaves a remark on the line that it is about, with %j behind that line', (comma) => {
    for (const remark of ['// nice', '/* nice */']) {
      const top = `{\n  "a": 1${comma} ${remark}\n}\n`;
      expect(withEntry(top, 'file', PATH, ENTRY).after).toContain(
        `{\n  "a": 1, ${remark}\n  "mcpServers": {`,
      );
      const nested = `{\n  "mcpServers": {\n    "b": {}${comma} ${remark}\n  } // end\n}\n`;
      const { after } = withEntry(nested, 'file', PATH, ENTRY);
      expect(after).toContain(`"b": {}, ${remark}\n    "keepsake": {`);
      expect(after).toContain('} // end');
      expect(parse(after)).toEqual({ mcpServers: { b: {}, keepsake: ENTRY } });
    }
  });

  it('replaces an older entry of the same name, and shows both', () => {
    const before = '{\n  "mcpServers": {\n    "keepsake": { "command": "old" }\n  },\n  "x": 1\n}\n';
    const edit = withEntry(before, 'file', PATH, { command: 'new' });
    expect(parse(edit.after)).toEqual({ mcpServers: { keepsake: { command: 'new' } }, x: 1 });
    const lines = diffOf(edit);
    expect(lines).toContain('-     "keepsake": { "command": "old" }');
    expect(lines.some((line) => line.startsWith('+') && line.includes('"new"'))).toBe(true);
    expect(lines.filter((line) => line.includes('"x"') && !line.startsWith('  '))).toEqual([]);
  });

  it.each([
    ['{ "a": ', 'line 1 is not valid JSON'],
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3 is not valid JSON'],
    ['[]', 'it does not hold an object'],
    ['"text"', 'it does not hold an object'],
    ['{ "mcpServers": [] }', '"mcpServers" is not an object'],
  ])('refuses %j', (text, problem) => {
    expect(() => withEntry(text, '/f.json', PATH, ENTRY)).toThrow(
      `/f.json cannot be changed safely: ${problem}`,
    );
  });
});

describe('removing an entry', () => {
  it('leaves everything else', () => {
    const text = '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n';
    const { after } = withEntry(text, 'file', PATH, ENTRY);
    expect(withoutEntry(after, 'file', PATH).after).toBe(text);
    expect(withoutEntry(text, 'file', PATH)).toEqual({ before: text, after: text });
  });
});

describe('writing the file', () => {
  const replace = (file: string) => {
    const edit = withEntry(readSettings(file), file, PATH, ENTRY);
    return { edit, backup: replaceSettings(file, edit, NOW) };
  };

  it('makes it and its folder, for its owner only', () => {
    const file = join(temporaryFolder(), 'a/b/settings.json');
    expect(replace(file).backup).toBeUndefined();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: { keepsake: ENTRY } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('keeps a backup, the mode and a link', () => {
    const folder = temporaryFolder();
    const [real, link] = [join(folder, 'dotfiles.json'), join(folder, 'settings.json')];
    writeFileSync(real, '{ "a": 1 }\n');
    chmodSync(real, 0o640);
    symlinkSync(real, link);
    const { backup } = replace(link);
    expect(backup).toBe(`${link}.backup-20261116T060000Z`);
    expect(readFileSync(backup!, 'utf8')).toBe('{ "a": 1 }\n');
    expect(parse(readFileSync(real, 'utf8'))).toMatchObject({ a: 1, mcpServers: { keepsake: ENTRY } });
    expect(statSync(real).mode & 0o777).toBe(0o640);
    // A second change within the same second has a backup of its own.
    const edit = withEntry(readSettings(link), link, PATH, { command: 'other' });
    expect(replaceSettings(link, edit, NOW)).toBe(`${backup}-1`);
    expect(readdirSync(folder).sort()).toEqual(
      [
        'dotfiles.json',
        'settings.json',
        'settings.json.backup-20261116T060000Z',
        'settings.json.backup-20261116T060000Z-1',
      ].sort(),
    );
  });

  it('does not overwrite what another program wrote meanwhile', () => {
    const file = join(temporaryFolder(), 'settings.json');
    writeFileSync(file, '{}');
    const edit = withEntry(readSettings(file), file, PATH, ENTRY);
    writeFileSync(file, '{ "fresh": true }');
    expect(() => replaceSettings(file, edit, NOW)).toThrow('was changed by another program just now');
    expect(readFileSync(file, 'utf8')).toBe('{ "fresh": true }');
  });

  it('leaves nothing behind when it cannot write', () => {
    const folder = temporaryFolder();
    // A folder where the file should be cannot be replaced by a file.
    mkdirSync(join(folder, 'settings.json'));
    expect(() => readSettings(join(folder, 'settings.json'))).toThrow('cannot be read');
    expect(existsSync(join(folder, 'settings.json.backup-20261116T060000Z'))).toBe(false);
  });
});
