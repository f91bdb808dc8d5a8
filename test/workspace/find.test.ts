/** Which workspace a command means. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { isPlanted } from '../../src/workspace/find.ts';
import { findWorkspace } from '../../src/workspace/index.ts';
import { asOrdinaryUser, temporaryFolder } from '../config/temporary-folder.ts';

function tree() {
  const base = temporaryFolder();
  const project = join(base, 'project');
  const deep = join(project, 'a', 'b');
  const home = join(base, 'home');
  mkdirSync(deep, { recursive: true });
  mkdirSync(home);
  return { base, project, deep, home, env: { HOME: home } };
}

describe('findWorkspace', () => {
  test('the nearest folder upwards with a keepsake.jsonc', () => {
    const { project, deep, env } = tree();
    writeFileSync(join(project, 'keepsake.jsonc'), '{}');
    const expected = { root: project, configFile: join(project, 'keepsake.jsonc'), found: 'config' };
    expect(findWorkspace({ cwd: deep, env })).toEqual(expected);
    expect(findWorkspace({ cwd: project, env })).toEqual(expected);
  });

  test('a nearer one wins over a farther one, also as keepsake.json', () => {
    const { project, deep, env } = tree();
    writeFileSync(join(project, 'keepsake.jsonc'), '{}');
    writeFileSync(join(project, 'a', 'keepsake.json'), '{}');
    expect(findWorkspace({ cwd: deep, env })).toMatchObject({
      root: join(project, 'a'),
      configFile: join(project, 'a', 'keepsake.json'),
    });
  });

  test('it wins over $WORKSPACE_DIR, which wins over the home folder', () => {
    const { base, project, deep, home, env } = tree();
    const other = join(base, 'other');
    expect(findWorkspace({ cwd: deep, env })).toEqual({ root: join(home, '.keepsake'), found: 'home' });
    const withVariable = { ...env, WORKSPACE_DIR: other };
    expect(findWorkspace({ cwd: deep, env: withVariable })).toEqual({ root: other, found: 'env' });
    writeFileSync(join(project, 'keepsake.jsonc'), '{}');
    expect(findWorkspace({ cwd: deep, env: withVariable })).toMatchObject({ root: project, found: 'config' });
  });

  test('$WORKSPACE_DIR may be relative, and an empty one is none', () => {
    const { project, home, env } = tree();
    expect(findWorkspace({ cwd: project, env: { ...env, WORKSPACE_DIR: 'x' } }).root).toBe(
      join(project, 'x'),
    );
    expect(findWorkspace({ cwd: project, env: { ...env, WORKSPACE_DIR: '' } }).root).toBe(
      join(home, '.keepsake'),
    );
  });

  test('the configuration in the home folder and in $WORKSPACE_DIR is found', () => {
    const { base, home, env } = tree();
    const root = join(home, '.keepsake');
    mkdirSync(root);
    writeFileSync(join(root, 'keepsake.jsonc'), '{}');
    const configFile = join(root, 'keepsake.jsonc');
    expect(findWorkspace({ cwd: base, env })).toEqual({ root, configFile, found: 'home' });
    expect(findWorkspace({ cwd: base, env: { WORKSPACE_DIR: root } })).toEqual({
      root,
      configFile,
      found: 'env',
    });
  });

  test('a named folder wins over everything, and need not exist', () => {
    const { base, project, deep, env } = tree();
    writeFileSync(join(project, 'keepsake.jsonc'), '{}');
    expect(findWorkspace({ cwd: deep, env: { ...env, WORKSPACE_DIR: base }, explicit: '../new' })).toEqual({
      root: join(project, 'a', 'new'),
      found: 'explicit',
    });
    expect(findWorkspace({ cwd: base, env, explicit: 'project' })).toEqual({
      root: project,
      configFile: join(project, 'keepsake.jsonc'),
      found: 'explicit',
    });
  });

  test('a named file means its folder, also when it is missing', () => {
    const { base, project, env } = tree();
    for (const name of ['there.jsonc', 'missing.jsonc']) {
      if (name === 'there.jsonc') writeFileSync(join(project, name), '{}');
      expect(findWorkspace({ cwd: base, env, explicit: join('project', name) })).toEqual({
        root: project,
        configFile: join(project, name),
        found: 'explicit',
      });
    }
    writeFileSync(join(base, 'passwd'), 'root:x:0:0');
    expect(() => findWorkspace({ cwd: base, env, explicit: 'passwd' })).toThrow(
      `${join(base, 'passwd')} is a file, but a workspace needs a folder there.`,
    );
    expect(() => findWorkspace({ cwd: base, env, explicit: '' })).toThrow(
      'The path of the workspace is empty',
    );
  });

  test.each([
    ['a directory', (path: string) => mkdirSync(path)],
    ['a link to nothing', (path: string) => symlinkSync('nowhere', path)],
  ])('%s called keepsake.jsonc is not passed over in silence', (_, make) => {
    const { project, deep, env } = tree();
    make(join(project, 'keepsake.jsonc'));
    const { root } = findWorkspace({ cwd: deep, env });
    expect(root).toBe(project);
    expect(() => loadConfig({ workspace: root, env })).toThrow('keepsake.jsonc: ');
  });

  test('a folder on the way up that may not be entered does not stop the search', () => {
    const { base, project, deep, env } = tree();
    for (const folder of [base, project, join(project, 'a'), deep]) chmodSync(folder, 0o755);
    writeFileSync(join(base, 'keepsake.jsonc'), '{}');
    chmodSync(project, 0o600);
    const found = asOrdinaryUser(() => findWorkspace({ cwd: deep, env }));
    chmodSync(project, 0o700);
    expect(found).toMatchObject({ root: base, found: 'config' });
  });
});

describe('a file that a stranger planted', () => {
  const shared = { mode: 0o41777 };
  const own = { mode: 0o40755 };

  test('is one of another user in a folder that all may write to', () => {
    expect(isPlanted(shared, { uid: 1001 }, 1000)).toBe(true);
    expect(isPlanted(shared, { uid: 1001 }, 0)).toBe(true);
  });

  test('is not one of my own, one of root, or one in a folder that only some may write to', () => {
    expect(isPlanted(shared, { uid: 1000 }, 1000)).toBe(false);
    expect(isPlanted(shared, { uid: 0 }, 1000)).toBe(false);
    expect(isPlanted(own, { uid: 1001 }, 1000)).toBe(false);
    expect(isPlanted(shared, { uid: 1001 }, undefined)).toBe(false);
  });

  test('is used when it is named', () => {
    const { project, env } = tree();
    chmodSync(project, 0o777);
    writeFileSync(join(project, 'keepsake.jsonc'), '{}');
    expect(findWorkspace({ cwd: '/', env, explicit: project }).root).toBe(project);
  });
});
