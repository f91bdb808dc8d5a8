/** The ONNX runtime, whichever of the two packages is installed; neither is a dependency of Keepsake. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { KeepsakeError } from '../../kernel/errors.ts';
import { findPackage, isAbsent, loadPackage } from '../../runtime/load-package.ts';

/** The part of both packages that is used here. */
interface Tensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
}

interface Runtime {
  readonly env?: { readonly wasm?: { numThreads?: number } };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;
  readonly InferenceSession: {
    create(model: string | Uint8Array, options: Readonly<Record<string, unknown>>): Promise<Session>;
  };
}

/** The last hidden layer of a text: one row per piece. */
export type Encode = (pieces: readonly number[]) => Promise<Float32Array>;

const PACKAGES = [
  {
    name: 'onnxruntime-node',
    find: () => findPackage('onnxruntime-node'),
    load: () => loadPackage<Runtime>('onnxruntime-node'),
    isNative: true,
  },
  {
    name: 'onnxruntime-web',
    find: () => findPackage('onnxruntime-web'),
    load: () => loadPackage<Runtime>('onnxruntime-web'),
    isNative: false,
  },
] as const;

const INSTALL = 'Run "npm install onnxruntime-node" beside Keepsake, or use the embedding model "static".';

function loadRuntime(): { runtime: Runtime; isNative: boolean } {
  let broken: unknown;
  for (const { name, load, isNative } of PACKAGES) {
    try {
      return { runtime: load(), isNative };
    } catch (error) {
      if (!isAbsent(error, name)) broken ??= error;
    }
  }
  if (broken === undefined) {
    throw new KeepsakeError('UNSUPPORTED', 'This embedding model needs the package onnxruntime-node.', {
      hint: INSTALL,
    });
  }
  const reason = broken instanceof Error ? broken.message.split('\n')[0] : String(broken);
  throw new KeepsakeError('UNSUPPORTED', `The package onnxruntime-node cannot be loaded: ${reason}`, {
    hint: 'Install it again, or install onnxruntime-web, which is slower and has no native part.',
    cause: broken,
  });
}

/** Whether one of the packages is there; it is not loaded for that. */
export function isRuntimeInstalled(): boolean {
  return PACKAGES.some(({ find }) => {
    try {
      return find() !== '';
    } catch {
      return false;
    }
  });
}

/** Why none of the packages can be used, found out by loading one; undefined when one can. */
export function runtimeProblem(): string | undefined {
  try {
    loadRuntime();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export async function openEncoder(file: string): Promise<Encode> {
  const { runtime, isNative } = loadRuntime();
  // This is a thread of its own already; more of them inside it would be left behind when it ends.
  if (!isNative && runtime.env?.wasm !== undefined) runtime.env.wasm.numThreads = 1;
  const session = await runtime.InferenceSession.create(isNative ? file : readFileSync(file), {
    // 3 = errors: its warnings would end up in the output of the command line.
    logSeverityLevel: 3,
    // Beyond four the small matrices of one sentence cost more to share than to compute.
    ...(isNative ? { intraOpNumThreads: Math.min(4, availableParallelism()) } : {}),
  });
  return async (pieces) => {
    const dims = [1, pieces.length];
    const tensor = (value: (piece: number) => number) =>
      new runtime.Tensor(
        'int64',
        BigInt64Array.from(pieces, (piece) => BigInt(value(piece))),
        dims,
      );
    const all: Record<string, Tensor> = {
      input_ids: tensor((piece) => piece),
      attention_mask: tensor(() => 1),
      token_type_ids: tensor(() => 0),
    };
    const feeds = Object.fromEntries(session.inputNames.map((name) => [name, all[name]!]));
    const output = (await session.run(feeds))[session.outputNames[0]!];
    if (!(output?.data instanceof Float32Array)) throw new Error('the model has no layer of numbers');
    return output.data;
  };
}
