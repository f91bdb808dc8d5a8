/** The worker thread of a local model: it opens the model with the first request and answers one request after another. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError, toKeepsakeError } from '../../kernel/errors.ts';
import { MODEL_FILE, TOKENIZER_FILE } from './catalog.ts';
import { isIntact } from './files/model-folder.ts';
import { pool } from './pooling.ts';
import type { EmbedAnswer, EmbedRequest, WorkerSettings } from './protocol.ts';
import { type Encode, openEncoder } from './runtime.ts';
import { createWordPiece, type WordPiece } from './word-piece.ts';

/** As many as the models have positions for; the rest of a text is not read. */
const MAX_PIECES = 512;

type Embed = (text: string, prompt: string) => Promise<Float32Array>;

function readVocabulary(file: string): Record<string, number> {
  const { model } = JSON.parse(readFileSync(file, 'utf8')) as { model: { vocab: Record<string, number> } };
  return model.vocab;
}

/** The runtime and the parser have no better words for a damaged file than "protobuf parsing failed". */
function unreadable(cause: unknown, { name, folder }: WorkerSettings): unknown {
  if (KeepsakeError.is(cause)) return cause;
  return new KeepsakeError('CORRUPT', `The files of the model ${name} in ${folder} cannot be read.`, {
    hint: againHint(name),
    cause,
  });
}

function againHint(name: string): string {
  return `Remove that folder and run "keepsake models pull ${name}".`;
}

/** Weights that changed on the disk make other vectors under the same name. Some 25 ms for 34 MB, once per process. */
async function refuseDamaged({ name, folder, files }: WorkerSettings): Promise<void> {
  for (const file of files) {
    if (await isIntact(file, folder)) continue;
    throw new KeepsakeError('CORRUPT', `${file.name} of the model ${name} in ${folder} is damaged.`, {
      hint: againHint(name),
    });
  }
}

async function openFiles(settings: WorkerSettings): Promise<readonly [Encode, WordPiece]> {
  const { folder } = settings;
  try {
    await refuseDamaged(settings);
    const encode = await openEncoder(join(folder, MODEL_FILE));
    return [encode, createWordPiece(readVocabulary(join(folder, TOKENIZER_FILE)))];
  } catch (cause) {
    throw unreadable(cause, settings);
  }
}

async function open(settings: WorkerSettings): Promise<Embed> {
  const { dimensions, pooling } = settings;
  const [encode, wordPiece] = await openFiles(settings);
  return async (text, prompt) => {
    const pieces = wordPiece.encode(text, MAX_PIECES);
    // No known word between the two marks, no direction; a prompt alone would give it one.
    if (pieces.slice(1, -1).every((piece) => piece === wordPiece.unknown))
      return new Float32Array(dimensions);
    const prompted = prompt === '' ? pieces : wordPiece.encode(prompt + text, MAX_PIECES);
    return pool(await encode(prompted), dimensions, pooling);
  };
}

let opened: Promise<Embed> | undefined;

/**
 * Text by text: an 8-bit model chooses the steps of its numbers by everything in a call, so that the vector of a text
 * would depend on its neighbours in a batch: in batches of 16 the cosine to the vector made alone fell to 0.98. Without
 * padding this is also as fast on a CPU.
 */
async function answer({ id, texts, prompt }: EmbedRequest): Promise<EmbedAnswer> {
  try {
    opened ??= open(workerData as WorkerSettings);
    const embed = await opened;
    const vectors: Float32Array[] = [];
    for (const text of texts) vectors.push(await embed(text, prompt));
    return { id, vectors };
  } catch (thrown) {
    const { code, message, hint } = toKeepsakeError(thrown);
    return { id, failure: { code, message, ...defined({ hint }) } };
  }
}

let queue: Promise<unknown> = Promise.resolve();

parentPort?.on('message', (request: EmbedRequest) => {
  queue = queue.then(async () => parentPort?.postMessage(await answer(request)));
});
