/** How receipts look to a person, with the contents of the memories in them. */
import type { Engine } from '../../../client/index.ts';
import { type ReceiptOf, renderReceipt } from '../../../client/index.ts';
import type { Caller } from '../../../kernel/caller.ts';
import { callVerb } from '../../../kernel/verb.ts';
import { verbs } from '../../../verbs.ts';
import { printable } from '../terminal/printable.ts';
import { shortTime } from '../terminal/short-time.ts';
import { type Answer, ownRun, type Presentations } from './presentation.ts';

/** Memories that were forgotten since are left out. */
async function contents(
  receipts: readonly ReceiptOf[],
  engine: Engine,
  caller: Caller,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(receipts.flatMap(({ receipt }) => receipt.memories.map(({ id }) => id)));
  const found = new Map<string, string>();
  for (const id of ids) {
    const memory = await callVerb(verbs.memoryHistory, engine, { id }, caller).catch(() => []);
    const content = memory.at(-1)?.content;
    if (typeof content === 'string') found.set(id, content);
  }
  return found;
}

export async function receiptLines(
  receipts: readonly ReceiptOf[],
  engine: Engine,
  caller: Caller,
): Promise<string[]> {
  const said = await contents(receipts, engine, caller);
  return receipts.map(({ receipt }) =>
    printable(
      renderReceipt(receipt, {
        contentOf: (id) => said.get(id),
        timeOf: (at) => shortTime(at, engine.clock.now()),
      }),
    ),
  );
}

interface Explained {
  readonly answer: Answer<'sessionWhy'>;
  readonly lines: readonly string[];
}

export const presentations: Presentations = {
  sessionWhy: ownRun<Explained>({
    run: async ({ engine, caller, input, context }) => {
      const answer = await callVerb(verbs.sessionWhy, engine, input, caller);
      return {
        answer,
        lines: context.output.json ? [] : await receiptLines(answer.receipts, engine, caller),
      };
    },
    show: ({ answer, lines }, { output }) =>
      output.result(answer, { text: () => lines, quiet: () => answer.session }),
  }),
};
