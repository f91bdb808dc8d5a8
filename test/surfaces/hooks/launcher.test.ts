/** The launcher of the plugin: finds an installed Keepsake by files alone, and says in one sentence when there is none. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const launcher = join(import.meta.dirname, '../../../integrations/claude-code/launcher/keepsake.cjs');

/** A package that says where it was started from and what with. */
function install(folder: string, manifest: object = {}): string {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  mkdirSync(join(folder, 'dist/bundle'), { recursive: true });
  const exports = { './schema.json': './schema/keepsake.schema.json' };
  const whole = { name: 'keepsake', version: '1.2.3', type: 'module', exports, ...manifest };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(whole));
  writeFileSync(join(folder, 'dist/bundle/main.cjs'), '');
  const script = join(folder, 'bin/keepsake.js');
  writeFileSync(script, 'process.stdout.write(JSON.stringify(process.argv.slice(1)));\n');
  return script;
}

interface Machine {
  readonly home: string;
  readonly project: string;
  readonly env: Record<string, string>;
}

function machine(): Machine {
  const root = temporaryFolder();
  const [home, project] = [join(root, 'home'), join(root, 'home/work/app')];
  mkdirSync(project, { recursive: true });
  // Nothing on the PATH: neither npm nor npx nor a shell could be started.
  return { home, project, env: { HOME: home, PATH: join(root, 'empty'), CLAUDE_PROJECT_DIR: project } };
}

const run = ({ env, home }: Machine, ...args: string[]): string =>
  execFileSync(process.execPath, [launcher, ...args], {
    env,
    cwd: home,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
const started = (world: Machine): unknown => JSON.parse(run(world, 'hook', 'session-start', '--per-project'));
const with_ = (script: string) => [script, 'hook', 'session-start', '--per-project'];

describe('the launcher', () => {
  it('starts what was written at install, else what the project, the machine and the cache of npx have', () => {
    const world = machine();
    const { home, project } = world;
    const cached = install(join(home, '.npm/_npx/0a1b/node_modules/keepsake'));
    expect(started(world)).toEqual(with_(cached));
    const shared = install(join(home, '.npm-global/lib/node_modules/keepsake'));
    expect(started(world)).toEqual(with_(shared));
    const onPath = install(join(home, 'prefix/lib/node_modules/keepsake'));
    mkdirSync(world.env.PATH!, { recursive: true });
    symlinkSync(onPath, join(world.env.PATH!, 'keepsake'));
    expect(started(world)).toEqual(with_(onPath));
    const local = install(join(project, '../node_modules/keepsake'));
    expect(started(world)).toEqual(with_(local));
    const explicit = install(join(home, 'clone'));
    mkdirSync(join(home, '.config/keepsake'), { recursive: true });
    const file = join(home, '.config/keepsake/program.json');
    writeFileSync(file, JSON.stringify({ version: '1.2.3', node: process.execPath, script: explicit }));
    expect(started(world)).toEqual(with_(explicit));
    // A program that was removed since is looked for elsewhere.
    writeFileSync(
      file,
      JSON.stringify({ version: '1.2.3', node: process.execPath, script: '/gone/bin/keepsake.js' }),
    );
    expect(started(world)).toEqual(with_(local));
  });

  it('never runs another package that has the name, nor one that is not built', () => {
    const world = machine();
    install(join(world.project, 'node_modules/keepsake'), { exports: { '.': './index.js' } });
    install(join(world.home, '.npm/_npx/1/node_modules/keepsake'), { name: 'keepsake-other' });
    expect(JSON.parse(run(world, 'hook', 'session-start'))).toHaveProperty('systemMessage');
  });

  it('says once in a session that it found none, and is silent in every other hook', () => {
    const world = machine();
    const { systemMessage } = JSON.parse(run(world, 'hook', 'session-start', '--per-project'));
    expect(systemMessage).toMatch(
      /^Keepsake was not found on this machine.*keepsake mcp install claude-code/,
    );
    for (const event of ['user-prompt-submit', 'post-tool-use', 'pre-compact', 'post-compact', 'session-end'])
      expect(run(world, 'hook', event, '--per-project')).toBe('');
    expect(() => run(world, 'mcp', '--per-project')).toThrow();
  });
});
