/** Local models on ONNX: what there is, where its files come from, and the model itself. */
export { LOCAL_MODELS, type LocalModel, localModel, type TokenOutput } from './catalog.ts';
export { isInstalled } from './files/model-folder.ts';
export { type PullOptions, type PullReport, pullModel } from './files/pull.ts';
export { createOnnxEmbedding } from './onnx-embedding.ts';
export { createOnnxTokens } from './onnx-tokens.ts';
export { isRuntimeInstalled, runtimeProblem } from './runtime.ts';
