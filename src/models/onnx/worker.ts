/** The worker thread of a local model: it opens the model with the first request and answers one request after another. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError, toKeepsakeError } from '../../kernel/errors.ts';
import { MODEL_FILE, TOKENIZER_FILE } from './catalog.ts';
import { type Answering, embedding } from './embed-task.ts';
import { isIntact } from './files/model-folder.ts';
import type { WorkerAnswer, WorkerRequest, WorkerSettings } from './protocol.ts';
import { type Encode, openEncoder } from './runtime.ts';
import { tokenizing } from './token-task.ts';
import { createWordPiece, type WordPiece } from './word-piece.ts';

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

async function open(settings: WorkerSettings): Promise<Answering> {
  const [encode, wordPiece] = await openFiles(settings);
  return settings.makes === 'tokens'
    ? tokenizing(settings, encode, wordPiece)
    : embedding(settings, encode, wordPiece);
}

let opened: Promise<Answering> | undefined;

async function answer({ id, task }: WorkerRequest): Promise<WorkerAnswer> {
  try {
    opened ??= open(workerData as WorkerSettings);
    const answering = await opened;
    return { id, vectors: await answering(task) };
  } catch (thrown) {
    const { code, message, hint } = toKeepsakeError(thrown);
    return { id, failure: { code, message, ...defined({ hint }) } };
  }
}

let queue: Promise<unknown> = Promise.resolve();

parentPort?.on('message', (request: WorkerRequest) => {
  queue = queue.then(async () => parentPort?.postMessage(await answer(request)));
});
