/** The packages of the AI SDK are optional: without them there is one clear sentence, and nothing loads them early. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

it.each([
  ['openai-responses', '@ai-sdk/openai'],
  ['openai-chat', '@ai-sdk/openai'],
  ['anthropic', '@ai-sdk/anthropic'],
  ['google', '@ai-sdk/google'],
  ['compatible', '@ai-sdk/openai-compatible'],
])('%s without its package says what to install', (format, name) => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bare-'));
  for (const part of ['kernel', 'ports', 'models/language']) {
    cpSync(join(root, 'src', part), join(folder, part), { recursive: true });
  }
  const program = `
    const { createServerModel } = await import('./models/language/index.ts');
    const model = createServerModel({ id: 'a/b', format: '${format}', model: 'b', baseUrl: 'http://127.0.0.1:9/v1' });
    await model.generate({ prompt: 'Hi' }).catch((error) => console.log(JSON.stringify(error)));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    code: 'UNSUPPORTED',
    message: `The model a/b needs the package ${name}.`,
    hint: `Run "npm install ${name}" beside Keepsake.`,
  });
});

it('making a model loads no package, nor does importing keepsake/testing', () => {
  const program = `
    import { registerHooks } from 'node:module';
    const urls = [];
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
    const { scriptedModel } = await import(${JSON.stringify(pathToFileURL(join(root, 'src/testing/index.ts')).href)});
    await using server = await scriptedModel(['Hi.']);
    const model = server.model('anthropic/claude-haiku-4-5');
    const loaded = () => urls.filter((url) => /node_modules.(@ai-sdk|ai).(?!.*node_modules)/.test(url)).length;
    console.log(loaded());
    await model.generate({ prompt: 'Hi' });
    console.log(loaded() > 0);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ stdout, stderr }).toEqual({ stdout: '0\ntrue\n', stderr: '' });
});
