/** `keepsake models` in real processes, started from the sources. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { workspaceInit } from '../../../../src/administration/init.ts';
import { LOCAL_MODELS } from '../../../../src/models/onnx/index.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

const MAIN = pathToFileURL(join(import.meta.dirname, '../../../../src/surfaces/cli/main.ts')).href;
const PROGRAM = `process.exitCode = await (await import(${JSON.stringify(MAIN)})).run(process.argv.slice(1));`;

let cwd: string;

beforeEach(() => {
  cwd = temporaryFolder();
  workspaceInit({ folder: cwd });
});

async function keepsake(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM, '--', ...args], {
    cwd,
    env: { PATH, HOME: cwd, ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part: Buffer) => (stdout += part));
  child.stderr.on('data', (part: Buffer) => (stderr += part));
  const code = await new Promise<number | null>((ended) => child.on('close', ended));
  return { code, stdout, stderr };
}

describe('models list', () => {
  it('marks the model in use and says what the others need', async () => {
    const { code, stdout, stderr } = await keepsake(['models', 'list']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\* +static +256 +ready/m);
    expect(stdout).toMatch(/^ +bge-small +384 +not installed .*needs: keepsake models pull bge-small/m);
    expect(stdout).toMatch(
      /openai\/text-embedding-3-small@512 +512 +incomplete .*needs: set \$OPENAI_API_KEY/,
    );
  });

  it('answers in JSON', async () => {
    const { stdout } = await keepsake(['models', 'list', '--json'], { OPENAI_API_KEY: 'sk-secret' });
    const models = JSON.parse(stdout) as { name: string; ready: boolean; active: boolean }[];
    expect(models.find(({ name }) => name.startsWith('openai'))).toMatchObject({
      ready: true,
      active: false,
    });
    expect(stdout).not.toContain('sk-secret');
  });
});

describe('models list with a runtime that cannot be loaded', () => {
  it('does not call its models ready', async () => {
    const { files } = LOCAL_MODELS.find(({ name }) => name === 'minilm')!;
    mkdirSync(join(cwd, 'models/minilm'), { recursive: true });
    for (const { name, bytes } of files) writeFileSync(join(cwd, 'models/minilm', name), Buffer.alloc(bytes));
    const runtime = join(cwd, 'packages/onnxruntime-node');
    mkdirSync(runtime, { recursive: true });
    writeFileSync(join(runtime, 'index.js'), 'throw new Error("wrong architecture");');
    const { stdout } = await keepsake(['models', 'list'], { NODE_PATH: join(cwd, 'packages') });
    expect(stdout).toMatch(/minilm +384 +incomplete .*wrong architecture/);
  });
});

describe('models use', () => {
  it('says what is in use, from the first vector on', async () => {
    const none = await keepsake(['models', 'use', 'static']);
    expect(none.stdout).toContain('static, as before');
    expect(none.stdout).toContain('There are no vectors yet.');
    await keepsake(['memory', 'search', 'opens the model']);
    await keepsake(['memory', 'add', 'My kitten sleeps.', '--agent', 'alice']);
    await keepsake(['memory', 'search', 'a pet']);
    expect((await keepsake(['models', 'use', 'static'])).stdout).toContain('It is in use already');
    const { stdout } = await keepsake(['models', 'use', 'openai']);
    expect(stdout).toMatch(
      /openai instead of static.*\n {2}Search goes on with the vectors of static\/\S+ until/,
    );
    expect((await keepsake(['models', 'use', 'static'])).stdout).toContain('It is in use already');
  });

  it('writes the file, says what follows, and warns of a variable that wins', async () => {
    const { code, stdout, stderr } = await keepsake(['models', 'use', 'openai'], {
      KEEPSAKE_MODELS_EMBEDDING: 'none',
    });
    expect(code).toBe(0);
    expect(stdout).toContain('openai instead of');
    expect(stdout).toContain('keepsake re-embed');
    expect(stderr).toContain('OPENAI_API_KEY');
    expect(stderr).toContain('$KEEPSAKE_MODELS_EMBEDDING is set');
    expect(readFileSync(join(cwd, 'keepsake.jsonc'), 'utf8')).toContain('"embedding": "openai"');
  });
});

describe('models pull', () => {
  it('keeps nothing of what is not the model', async () => {
    const server = createServer((_, response) => response.end('something else'));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stdout, stderr } = await keepsake(['models', 'pull', 'minilm', '--here', '--json'], {
      HF_ENDPOINT: host,
      npm_config_registry: `${host}/`,
    });
    expect({ code, stdout }).toEqual({ code: 74, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'CORRUPT', hint: expect.stringContaining('--from') },
    });
    expect(readdirSync(join(cwd, 'models/minilm')).filter((name) => !name.startsWith('.'))).toEqual([]);
  });

  it.each([
    [['models', 'pull', 'gpt-9'], 66, 'bge-small, minilm'],
    [['models', 'pull', 'minilm', '--from', 'nowhere'], 66, '.tgz'],
    [['models', 'pull'], 64, ''],
  ])('%j fails with exit code %i', async (args, exit, hint) => {
    writeFileSync(join(cwd, 'unrelated.txt'), 'x');
    const { code, stderr } = await keepsake(args);
    expect(code).toBe(exit);
    expect(stderr).toContain(hint);
  });
});
