// Runs Keepsake in real clients from npm against models on loopback, and writes the result to docs/reference/clients.md.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
/** Checked with these; a newer one is a change of its own. */
const CLIENTS = {
  '@anthropic-ai/claude-code': '2.1.326',
  '@openai/codex': '0.169.0',
  'opencode-ai': '1.18.33',
  '@qwen-code/qwen-code': '0.24.4',
  '@google/gemini-cli': '0.61.0',
  '@continuedev/cli': '1.5.47',
  cline: '3.0.65',
  '@anthropic-ai/mcpb': '2.1.2',
  jest: '30.5.2',
  bun: '1.4.4',
  deno: '2.9.6',
  next: '16.4.6',
  react: '19.3.1',
  'react-dom': '19.3.1',
};
const folder = process.env.KEEPSAKE_CLIENTS ?? join(root, 'node_modules/.cache/keepsake-clients');

/** @param {string} name */
const installed = (name) => {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
};

function install() {
  const missing = Object.entries(CLIENTS).filter(([name, version]) => installed(name) !== version);
  if (missing.length === 0) return;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json')))
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const packages = missing.map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder, stdio: 'inherit' });
}

/** @typedef {{ name: string, assertionResults: { fullName: string, status: string, duration?: number }[] }} FileResult */

/** @param {readonly FileResult[]} files */
function page(files) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const rows = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => {
      const what = name.includes('claude-code') ? `Claude Code ${fullName}` : fullName;
      return `| ${what.replaceAll('|', '\\|')} | ${status} |`;
    }),
  );
  return [
    '# Tried in real clients',
    '',
    'Written by `npm run test:clients`, which runs the clients, runtimes and test runners below from npm, with the built Keepsake, against models that a script plays on',
    'loopback. No registry answers during the run. It downloads about 2 GB once and is run before every release.',
    '',
    `Keepsake ${version} on ${process.platform}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`,
    '',
    '| client | version |',
    '|---|---|',
    ...Object.entries(CLIENTS).map(([name, wanted]) => `| \`${name}\` | ${installed(name) ?? wanted} |`),
    '',
    '| what | result |',
    '|---|---|',
    ...rows.sort(),
    '',
  ].join('\n');
}

install();
execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
const results = mkdtempSync(join(tmpdir(), 'keepsake-clients-result-'));
const file = join(results, 'results.json');
const args = [
  'run',
  '--config',
  'test/clients/vitest.config.ts',
  '--reporter=default',
  '--reporter=json',
  `--outputFile=${file}`,
];
const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, KEEPSAKE_CLIENTS: folder },
});
if (existsSync(file)) {
  writeFileSync(
    join(root, 'docs/reference/clients.md'),
    page(JSON.parse(readFileSync(file, 'utf8')).testResults),
  );
  process.stdout.write('wrote docs/reference/clients.md\n');
}
rmSync(results, { recursive: true, force: true });
process.exitCode = status ?? 1;
