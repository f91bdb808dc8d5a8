/** The packages of the AI SDK are optional: without them there is one clear sentence, and nothing loads them early. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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
  for (const part of ['kernel', 'ports', 'runtime', 'models/language']) {
    cpSync(join(root, 'src', part), join(folder, part), { recursive: true });
  }
  const program = `
    const { checkInstalled, createServerModel } = await import('./models/language/index.ts');
    const server = { id: 'a/b', format: '${format}', model: 'b', baseUrl: 'http://127.0.0.1:9/v1' };
    const errors = [];
    try { checkInstalled(server); } catch (error) { errors.push(error); }
    await createServerModel(server).generate({ prompt: 'Hi' }).catch((error) => errors.push(error));
    console.log(JSON.stringify(errors));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect(stderr).toBe('');
  const error = {
    code: 'UNSUPPORTED',
    message: `The model a/b needs the package ${name}.`,
    hint: `Run "npm install ${name}" beside Keepsake or in the project, or "npm install --global ${name}".`,
  };
  // When it is opened, before anything is written; and when it is asked, should it have gone since.
  expect(JSON.parse(stdout)).toEqual([error, error]);
});

it('finds the package in the project where Keepsake itself has none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bare-'));
  for (const part of ['kernel', 'ports', 'runtime', 'models/language'])
    cpSync(join(root, 'src', part), join(folder, 'keepsake', part), { recursive: true });
  const project = join(folder, 'project');
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  symlinkSync(join(root, 'node_modules/@ai-sdk'), join(project, 'node_modules/@ai-sdk'));
  const program = `
    const { checkInstalled, createServerModel } = await import('../keepsake/models/language/index.ts');
    const server = { id: 'a/b', format: 'anthropic', model: 'b', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'x' };
    checkInstalled(server);
    await createServerModel(server, { retries: 0 }).generate({ prompt: 'Hi' }).catch((error) => console.log(error.code));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: project,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  // It was loaded and asked; nobody answers at that address.
  expect({ stdout, stderr }).toEqual({ stdout: 'UNAVAILABLE\n', stderr: '' });
});

it('an agent without the package of its model is told so by validate, and its run leaves no trace', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bare-'));
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true });
  for (const file of ['package.json', 'assets']) {
    if (existsSync(join(root, file))) symlinkSync(join(root, file), join(folder, file));
  }
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@ai-sdk') symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const place = join(folder, 'place');
  mkdirSync(join(place, 'agents'), { recursive: true });
  writeFileSync(join(place, 'keepsake.jsonc'), '{ "models": { "embedding": "none" } }');
  writeFileSync(
    join(place, 'agents/helper.md'),
    '---\nmodel: google/gemini-2.5-flash\npaths: [output]\n---\nHelp.\n',
  );
  const keepsake = (...words: string[]) => {
    const main = pathToFileURL(join(folder, 'src/surfaces/cli/main.ts')).href;
    const program = `const { run } = await import('${main}'); process.exitCode = await run(${JSON.stringify(words)});`;
    return spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: place,
      encoding: 'utf8',
      env: { ...process.env, GEMINI_API_KEY: 'not-a-real-one' },
    });
  };
  const validated = keepsake('validate');
  const ran = keepsake('run', 'helper', 'Tidy up.');
  const left = [keepsake('memory', 'list', '--json'), keepsake('log', 'search', 'Tidy', '--json')];
  rmSync(folder, { recursive: true });
  expect(validated.stderr).toBe('');
  expect(validated.stdout).toContain('✗ helper\n');
  expect(validated.stdout).toContain('needs the package @ai-sdk/google');
  expect(ran.stderr).toContain('npm install @ai-sdk/google');
  expect(ran.status).not.toBe(0);
  expect(left.map(({ stdout, stderr }) => stdout + stderr)).toEqual(['[]\n', '[]\n']);
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
