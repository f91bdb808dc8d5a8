// Makes dist/keepsake-<platform>-<arch>.mcpb: Keepsake with everything it needs, for programs that install such a file with a click.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { zip } from './mcpb/zip.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** What the server loads; the rest of the package is for programs and people. */
const OWN = ['package.json', 'LICENSE', 'bin', 'dist/bundle', 'models', 'schema'];
const UNUSED =
  /(^|\/)(test|tests|docs|deps|src|\.github)\/|\.(md|map|d\.ts|d\.cts|d\.mts|c|cc|cpp|h|gyp|gypi)$/;

/**
 * @typedef {{ version: string, description: string, keywords: string[], license: string, engines: { node: string } }} Manifest
 * @typedef {readonly { readonly name: string, readonly description: string }[]} Tools
 */

/** What the program that installs it reads. @param {Manifest} manifest @param {Tools} tools @param {string} platform */
export function manifestOf(
  { version, description, keywords, license, engines },
  tools,
  platform = process.platform,
) {
  return {
    manifest_version: '0.3',
    name: 'keepsake',
    display_name: 'Keepsake',
    version,
    description,
    author: { name: 'Keepsake contributors' },
    server: {
      type: 'node',
      entry_point: 'server/bin/keepsake.js',
      mcp_config: {
        command: 'node',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the program that installs it fills it in
        args: ['${__dirname}/server/bin/keepsake.js', 'mcp', '--installed', `claude-desktop/${version}`],
      },
    },
    tools,
    keywords,
    license,
    compatibility: { platforms: [platform], runtimes: { node: engines.node } },
  };
}

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  if (!statSync(folder).isDirectory()) return [folder];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => filesIn(join(folder, name)));
}

/** The packages that a package needs, wherever npm put them. @param {string} from @param {Map<string, string>} found @returns {Map<string, string>} */
function packagesOf(from, found = new Map()) {
  const { dependencies = {} } = readJson(join(from, 'package.json'));
  for (const name of Object.keys(dependencies)) {
    const places = [join(from, 'node_modules', name), join(root, 'node_modules', name)];
    const folder = places.find((each) => existsSync(join(each, 'package.json')));
    if (folder === undefined || found.has(folder)) continue;
    found.set(folder, name);
    packagesOf(folder, found);
  }
  return found;
}

/** @param {Tools} tools */
export function bundle(tools) {
  const own = OWN.map((name) => join(root, name)).flatMap(filesIn);
  const needed = [...packagesOf(root).keys()].flatMap(filesIn);
  const files = [...new Set([...own, ...needed])].map((file) => ({
    file,
    name: relative(root, file).split(sep).join('/'),
  }));
  const kept = files.filter(({ name }) => !name.startsWith('node_modules/') || !UNUSED.test(name));
  return zip([
    {
      name: 'manifest.json',
      data: Buffer.from(
        `${JSON.stringify(manifestOf(readJson(join(root, 'package.json')), tools), null, 2)}\n`,
      ),
    },
    ...kept.map(({ file, name }) => ({
      name: `server/${name}`,
      data: readFileSync(file),
      executable: (statSync(file).mode & 0o100) !== 0,
    })),
  ]);
}

/** As a client is told of them, by the program itself. */
export async function toolsOf() {
  const { tryServer } = await import('../src/surfaces/cli/commands/mcp/try-server.ts');
  const workspace = mkdtempSync(join(tmpdir(), 'keepsake-mcpb-'));
  const args = [join(root, 'bin/keepsake.js'), 'mcp', '--workspace', workspace];
  const { tools = [], problem } = await tryServer({ command: process.execPath, args });
  rmSync(workspace, { recursive: true, force: true, maxRetries: 5 });
  if (tools.length === 0) throw new Error(`The server does not start: ${problem}`);
  return tools.map(({ name, description }) => ({ name, description }));
}

if (process.argv[1] !== undefined && pathToFileURL(process.argv[1]).href === import.meta.url) {
  const file = join(root, 'dist', `keepsake-${process.platform}-${process.arch}.mcpb`);
  mkdirSync(join(root, 'dist'), { recursive: true });
  const bytes = bundle(await toolsOf());
  writeFileSync(file, bytes);
  process.stdout.write(`wrote ${relative(root, file)}, ${(bytes.length / 1e6).toFixed(1)} MB\n`);
}
