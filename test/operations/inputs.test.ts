/** Every operation checks what it is given, before it does anything: the same words on every surface. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type AnyVerb } from '../../src/kernel/verb.ts';
import { verbs } from '../../src/verbs.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

const all = Object.values(operations) as unknown as readonly Operation[];
const owner = { viewer: { role: 'admin', agent: 'alice' }, via: 'sdk' } as const;

/** What each operation says about an input: [name, its code, its message]. */
async function answers(cases: readonly (readonly [operation: Operation, input: unknown])[]) {
  const engine = await testWorkspace().open().open();
  return Promise.all(
    cases.map(async ([operation, input]) => {
      const said = await operation.run(engine, input, owner).catch((error: unknown) => error);
      const { code, message } = (said ?? {}) as { code?: string; message?: string };
      return { name: operation.name, code, message: message ?? '', input };
    }),
  );
}

it('a name that an operation does not know is refused', async () => {
  const told = await answers(all.map((operation) => [operation, { nonsense: 1 }]));
  expect(told.length).toBeGreaterThan(60);
  expect(
    told.filter(
      ({ name, code, message }) =>
        code !== 'INVALID_INPUT' ||
        !message.startsWith(`${name} cannot take this.`) ||
        !message.includes('"nonsense" is unknown'),
    ),
  ).toEqual([]);
});

it('a value of the wrong type is refused, with the field that has it', async () => {
  const cases = all.flatMap((operation) => {
    const { properties = {} } = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
    return Object.entries(properties).flatMap(([field, node]) => {
      const type = typeof node === 'object' ? node.type : undefined;
      if (type === undefined) return [];
      return [{ operation, field, input: { [field]: type === 'object' ? 'x' : { a: 1 } } }];
    });
  });
  expect(cases.length).toBeGreaterThan(100);
  const told = await answers(cases.map(({ operation, input }) => [operation, input]));
  expect(
    told.filter(
      ({ name, code, message }, i) =>
        code !== 'INVALID_INPUT' ||
        !message.startsWith(`${name} cannot take this.`) ||
        !new RegExp(`\\b${cases[i]!.field}: `).test(message),
    ),
  ).toEqual([]);
});
