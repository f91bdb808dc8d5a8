/** Every verb checks what it is given, before it does anything: the same words on every surface. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type AnyVerb, callVerb } from '../../src/kernel/verb.ts';
import { VERBS as all } from '../../src/verbs.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

const owner = { viewer: { role: 'admin', agent: 'alice' }, via: 'sdk' } as const;

/** What each verb says about an input: [name, its code, its message]. */
async function answers(cases: readonly (readonly [verb: AnyVerb, input: unknown])[]) {
  const engine = await testWorkspace().open().open();
  return Promise.all(
    cases.map(async ([verb, input]) => {
      const said = await callVerb(verb, engine, input, owner).catch((error: unknown) => error);
      const { code, message } = (said ?? {}) as { code?: string; message?: string };
      return { name: verb.name, code, message: message ?? '', input };
    }),
  );
}

it('a name that an verb does not know is refused', async () => {
  const told = await answers(all.map((verb) => [verb, { nonsense: 1 }]));
  expect(told.length).toBeGreaterThan(60);
  expect(
    told.filter(
      ({ name, code, message }) =>
        code !== 'INVALID_INPUT' ||
        !message.startsWith(`Invalid input for ${name}:`) ||
        !message.includes('"nonsense" is unknown'),
    ),
  ).toEqual([]);
});

it('a value of the wrong type is refused, with the field that has it', async () => {
  const cases = all.flatMap((verb) => {
    const { properties = {} } = z.toJSONSchema(verb.input, { io: 'input', unrepresentable: 'any' });
    return Object.entries(properties).flatMap(([field, node]) => {
      const type = typeof node === 'object' ? node.type : undefined;
      if (type === undefined) return [];
      return [{ verb, field, input: { [field]: type === 'object' ? 'x' : { a: 1 } } }];
    });
  });
  expect(cases.length).toBeGreaterThan(100);
  const told = await answers(cases.map(({ verb, input }) => [verb, input]));
  expect(
    told.filter(
      ({ name, code, message }, i) =>
        code !== 'INVALID_INPUT' ||
        !message.startsWith(`Invalid input for ${name}:`) ||
        !new RegExp(`\\b${cases[i]!.field}: `).test(message),
    ),
  ).toEqual([]);
});

it('every field of an input is described: the sentence becomes flag help, hover text and reference', () => {
  const undescribed = all.flatMap(({ name, input }) => {
    const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
    return Object.entries(properties).flatMap(([field, node]) => {
      const { description, anyOf = [] } = node as {
        description?: string;
        anyOf?: { description?: string }[];
      };
      const isDescribed = description !== undefined || anyOf.some((each) => each.description !== undefined);
      return isDescribed ? [] : [`${name}: input.${field} needs a .describe()`];
    });
  });
  expect(undescribed).toEqual([]);
});
