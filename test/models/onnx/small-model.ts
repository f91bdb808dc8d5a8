/** A model of a few words, and a stand-in for the ONNX runtime that can be told to fail; thread, files and pieces are real. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LocalModel } from '../../../src/models/onnx/catalog.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

export const VOCABULARY: Readonly<Record<string, number>> = Object.fromEntries(
  [
    '[PAD]',
    '[UNK]',
    '[CLS]',
    '[SEP]',
    'ask',
    'red',
    'green',
    'blue',
    '##ish',
    'crash',
    'throw',
    'nan',
    '!',
  ].map((piece, number) => [piece, number]),
);

export const SMALL: LocalModel = {
  name: 'small',
  about: 'for tests',
  license: 'MIT',
  id: 'onnx/small@16',
  dimensions: 16,
  pooling: 'mean',
  queryPrompt: 'ask ',
  calibration: { unrelated: 0, same: 1 },
  upstream: 'example/small/resolve/main',
  carrier: 'carrier/-/carrier-1.0.0.tgz',
  files: [],
};

/** Each piece is a row with a one at its number, so that a vector shows which pieces the model was given. */
const RUNTIME = `
const { readFileSync } = require('node:fs');
const { VOCABULARY } = JSON.parse(readFileSync(__dirname + '/vocabulary.json', 'utf8'));
exports.Tensor = class { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } };
exports.InferenceSession = {
  async create(file) {
    if (readFileSync(file, 'utf8') !== 'weights') throw new Error('protobuf parsing failed');
    return {
      inputNames: ['input_ids', 'attention_mask', 'token_type_ids'],
      outputNames: ['last_hidden_state'],
      async run({ input_ids: { data, dims } }) {
        const ids = Array.from(data, Number);
        if (ids.includes(VOCABULARY.crash)) process.exit(1);
        if (ids.includes(VOCABULARY.throw)) { setImmediate(() => { throw new Error('boom'); }); return new Promise(() => {}); }
        const rows = new Float32Array(dims[1] * 16);
        ids.forEach((id, i) => { rows[i * 16 + id] = id === VOCABULARY.nan ? NaN : 1; });
        return { last_hidden_state: { data: rows, dims: [1, dims[1], 16] } };
      },
    };
  },
};
`;

/** Puts a package where \`require\` of new threads looks for packages, for one test. */
export function installRuntime(program: string = RUNTIME): void {
  const folder = join(temporaryFolder(), 'node_modules');
  const home = join(folder, 'onnxruntime-node');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"name":"onnxruntime-node","main":"index.js"}');
  writeFileSync(join(home, 'index.js'), program);
  writeFileSync(join(home, 'vocabulary.json'), JSON.stringify({ VOCABULARY }));
  useNodePath(folder);
}

export function useNodePath(folder: string): void {
  const { NODE_PATH } = process.env;
  process.env.NODE_PATH = folder;
  onTestFinished(() => {
    if (NODE_PATH === undefined) delete process.env.NODE_PATH;
    else process.env.NODE_PATH = NODE_PATH;
  });
}

export function modelFolder(weights = 'weights'): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'model.onnx'), weights);
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify({ model: { vocab: VOCABULARY } }));
  return folder;
}
