/** The worker side: returns one item per request, and errors as plain data. */
import { parentPort, workerData } from 'node:worker_threads';
import { toKeepsakeError } from '../kernel/errors.ts';
import type { ThreadAnswer } from './limited-thread.ts';

/** `make` gets the input of `itemsFromThread`. */
export function serveItems<Input, Item>(make: (input: Input) => AsyncGenerator<Item>): void {
  const items = make(workerData as Input);
  parentPort?.on('message', async () => {
    let answer: ThreadAnswer<Item>;
    try {
      const { value, done } = await items.next();
      answer = done === true ? {} : { item: value };
    } catch (thrown) {
      answer = { failure: toKeepsakeError(thrown).toJSON() };
    }
    parentPort?.postMessage(answer);
  });
}
