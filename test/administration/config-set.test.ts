import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configSet } from '../../src/administration/config-set.ts';
import { workspaceInit } from '../../src/administration/init.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

function workspace() {
  const root = join(temporaryFolder(), 'w');
  const { configFile } = workspaceInit({ folder: root });
  return { root, configFile, text: () => readFileSync(configFile, 'utf8') };
}

describe('config set', () => {
  it('changes one setting and keeps every comment', async () => {
    const { root, configFile, text } = workspace();
    const before = text();
    const answer = await configSet({ workspace: root, key: 'memory.maxEntries', value: '500' });
    expect(answer).toEqual({ file: configFile, key: 'memory.maxEntries', value: 500, changed: true });
    expect(text()).toContain('"maxEntries": 500');
    const comments = before.split('\n').filter((line) => line.trim().startsWith('//'));
    expect(text().split('\n')).toEqual(expect.arrayContaining(comments));
    const again = await configSet({ workspace: root, key: 'memory.maxEntries', value: '500' });
    expect(again.changed).toBe(false);
  });

  it('takes a text without quotes', async () => {
    const { root, text } = workspace();
    await configSet({ workspace: root, key: 'models.main', value: 'openai/gpt-5-mini' });
    expect(text()).toContain('"main": "openai/gpt-5-mini"');
  });

  it.each([
    ['memory.maxEntries', 'many', /expected a whole number/],
    ['memry.enabled', 'true', /did you mean "memory"/],
    ['memory..enabled', 'true', /not the name of a setting/],
  ])('refuses %s %s and writes nothing', async (key, value, message) => {
    const { root, text } = workspace();
    const before = text();
    await expect(configSet({ workspace: root, key, value })).rejects.toThrow(message);
    expect(text()).toBe(before);
  });

  it('says that there is no file to change', async () => {
    const root = temporaryFolder();
    await expect(configSet({ workspace: root, key: 'name', value: 'x' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('keepsake init'),
    });
    expect(existsSync(join(root, 'keepsake.jsonc'))).toBe(false);
  });
});

describe('init', () => {
  it('names the agent of a new workspace "assistant"', () => {
    expect(workspace().text()).toContain('\n  "name": "assistant",');
  });

  it('keeps the default agent of a folder that has a database already', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'data'));
    writeFileSync(join(root, 'data', 'keepsake.db'), '');
    const { configFile } = workspaceInit({ folder: root });
    expect(readFileSync(configFile, 'utf8')).toContain('\n  // "name": "swarm-worker-01",');
  });
});
