/** Opens a database, reads, does the fixed sequence of writes, closes it, and says what was acknowledged. Goes on after failures. */
import { openSqlite } from '../../../../src/drivers/sqlite/index.ts';
import type { Storage } from '../../../../src/ports/storage.ts';
import { type Failure, failureOf, report } from '../report.ts';
import { addTemplate, READS, SEQUENCE, type Step } from '../steps.ts';
import { hashOf } from '../texts.ts';

export interface SequenceOptions {
  readonly file: string;
  /** Only opens and closes when false. */
  readonly write: boolean;
  /** Adds the records that the sequence changes; a template has them already. */
  readonly prepare?: boolean;
}

export type SequenceMessage =
  | { readonly type: 'done'; readonly name: string; readonly answer?: string }
  | ({ readonly type: 'failed'; readonly name: string } & Failure);

async function attempt(say: Say, name: string, work: () => Promise<unknown>, tell = false): Promise<void> {
  try {
    const answer = await work();
    say({ type: 'done', name, ...(tell ? { answer: hashOf(JSON.stringify(answer)) } : {}) });
  } catch (error) {
    say({ type: 'failed', name, ...failureOf(error) });
  }
}

type Say = (message: SequenceMessage) => void;

export async function sequence(options: SequenceOptions, say: Say): Promise<void> {
  const { file, write, prepare = false } = options;
  let storage: Storage | undefined;
  const open = async (): Promise<void> => {
    storage = await openSqlite({ file });
  };
  await attempt(say, 'open', open);
  if (storage === undefined) await attempt(say, 'open again', open);
  const opened = storage;
  if (opened === undefined) return;
  if (prepare) await attempt(say, 'prepare', () => addTemplate(opened));
  for (const [name, read] of Object.entries(write ? READS : {})) {
    await attempt(say, name, () => read(opened), true);
  }
  for (const steps of write ? SEQUENCE : []) {
    await Promise.all(steps.map((step: Step) => attempt(say, step.name, () => step.run(opened))));
  }
  await attempt(say, 'close', () => opened.close());
}

export async function run(options: SequenceOptions): Promise<void> {
  await sequence(options, report);
}
