/** Adds texts, several at once, and says what became of each. */
import { createClient } from '../../../../src/index.ts';
import { type Failure, failureOf, report, waitForStart } from '../report.ts';

export interface AddManyOptions {
  readonly workspace: string;
  readonly agent: string;
  readonly texts: readonly string[];
  /** One for each text; none if absent. */
  readonly keys?: readonly string[];
  readonly lanes: number;
  readonly maxEntries: number;
}

export type AddManyMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'added'; readonly index: number; readonly id: string; readonly outcome: string }
  | ({ readonly type: 'failed'; readonly index: number } & Failure);

const say = (message: AddManyMessage): void => report(message);

export async function run({
  workspace,
  agent,
  texts,
  keys,
  lanes,
  maxEntries,
}: AddManyOptions): Promise<void> {
  const client = createClient({ workspace, config: { memory: { maxEntries } } });
  const { memory } = client.agent({ name: agent });
  await waitForStart();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < texts.length) {
      const index = next++;
      const idempotencyKey = keys?.[index];
      try {
        const { id, outcome } = await memory.add({
          content: texts[index]!,
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        });
        say({ type: 'added', index, id, outcome });
      } catch (error) {
        say({ type: 'failed', index, ...failureOf(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  await client.close();
}
