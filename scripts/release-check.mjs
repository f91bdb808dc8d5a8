// Says whether this checkout may be published: the name is ours, the version is new and the same everywhere, the files are complete.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const root = new URL('../', import.meta.url);
/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(new URL(file, root), 'utf8'));

/** What a user needs, and what must never leave this machine. */
const NEEDED = [
  ...['package.json', 'README.md', 'LICENSE', 'bin/keepsake.js', 'dist/bundle/main.cjs', 'dist/sdk/index.js'],
  ...['dist/index.d.ts', 'schema/keepsake.schema.json', 'integrations/claude-code/launcher/keepsake.cjs'],
  ...['integrations/claude-code/hooks/hooks.json', '.claude-plugin/marketplace.json'],
];
const FORBIDDEN = /(^|\/)(node_modules|\.git|\.env|test|bench)(\/|$)|\.(db|db-wal|sqlite|pem|key)$|\.backup-/;

/**
 * @typedef {{ name: string, version: string, repository?: unknown, private?: boolean }} Manifest
 * @typedef {{ status: number, owners?: readonly string[], versions?: readonly string[] }} Registry
 */

/**
 * @param {{ manifest: Manifest, versions: Record<string, string>, files: readonly string[], registry: Registry | undefined, owner: string | undefined, env: Record<string, string | undefined> }} facts
 * @returns {string[]} What is wrong; empty when it may be published.
 */
export function problemsOf({ manifest, versions, files, registry, owner, env }) {
  const problems = [];
  if (manifest.private === true) problems.push('package.json says "private".');
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(manifest.version))
    problems.push(`${manifest.version} is not a version.`);
  for (const [file, version] of Object.entries(versions))
    if (version !== manifest.version)
      problems.push(`${file} has version ${version} instead of ${manifest.version}.`);
  for (const file of NEEDED)
    if (!files.includes(file)) problems.push(`${file} would be missing in the package.`);
  for (const file of files) if (FORBIDDEN.test(file)) problems.push(`${file} must not be in the package.`);
  if (manifest.repository === undefined)
    problems.push('package.json names no repository, which provenance needs.');
  // npm signs where a package was built only in a workflow that may ask for an identity token.
  if (!env.ACTIONS_ID_TOKEN_REQUEST_URL && !env.SIGSTORE_ID_TOKEN)
    problems.push('Provenance: there is no identity token; publish from CI with "npm publish --provenance".');
  if (registry === undefined) problems.push('The registry did not answer, so the name could not be checked.');
  else if (registry.status === 200) {
    if (owner === undefined || !registry.owners?.includes(owner))
      problems.push(
        `${manifest.name} is published by ${registry.owners?.join(', ') || 'others'}, not by ${owner ?? 'you (log in with npm)'}.`,
      );
    if (registry.versions?.includes(manifest.version))
      problems.push(`${manifest.version} is published already.`);
  }
  return problems;
}

/** @param {string} name @returns {Promise<Registry | undefined>} */
async function ask(name) {
  try {
    const address = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
    const response = await fetch(new URL(name, address), { signal: AbortSignal.timeout(15_000) });
    if (response.status !== 200) return response.status === 404 ? { status: 404 } : undefined;
    const found = /** @type {{ maintainers?: { name: string }[], versions?: object }} */ (
      await response.json()
    );
    const owners = (found.maintainers ?? []).map((each) => each.name);
    return { status: 200, owners, versions: Object.keys(found.versions ?? {}) };
  } catch {
    return undefined;
  }
}

/** @param {string[]} command */
function outputOf([program = '', ...args]) {
  try {
    return execFileSync(program, args, {
      encoding: 'utf8',
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 26,
    }).trim();
  } catch {
    return undefined;
  }
}

async function main() {
  const manifest = readJson('package.json');
  const packed = JSON.parse(outputOf(['npm', 'pack', '--dry-run', '--json', '--ignore-scripts']) ?? '[]');
  const [first] = Array.isArray(packed) ? packed : Object.values(packed);
  const problems = problemsOf({
    manifest,
    versions: {
      'integrations/claude-code/.claude-plugin/plugin.json': readJson(
        'integrations/claude-code/.claude-plugin/plugin.json',
      ).version,
      '.claude-plugin/marketplace.json': readJson('.claude-plugin/marketplace.json').plugins[0].version,
    },
    files: (first?.files ?? []).map((/** @type {{ path: string }} */ { path }) => path),
    registry: await ask(manifest.name),
    owner: outputOf(['npm', 'whoami']),
    env: process.env,
  });
  for (const problem of problems) process.stdout.write(`✗ ${problem}\n`);
  if (problems.length === 0)
    process.stdout.write(`✓ ${manifest.name} ${manifest.version} may be published.\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (process.argv[1] !== undefined && pathToFileURL(process.argv[1]).href === import.meta.url) await main();
