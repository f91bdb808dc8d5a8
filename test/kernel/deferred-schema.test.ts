/** Deferred schemas must behave as those of zod, and must not be built before they are used. */
import { describe, expect, it } from 'vitest';
import { z as plain } from 'zod';
import { z } from '../../src/kernel/zod.ts';

type Builders = typeof plain | typeof z;

const person = (from: Builders) => {
  const { strictObject, string, int } = from as typeof plain;
  const name = string().trim().min(1, 'A name must not be empty.').describe('Who it is.');
  return strictObject({ name, age: int().min(0).default(7), nick: name.nullable().optional() });
};

const outcomes = (schema: plain.ZodType): unknown[] =>
  [{ name: ' Ada ' }, { name: '' }, { name: 'Ada', age: -1 }, { name: 'Ada', nick: null, more: 1 }, 3].map(
    (value) => {
      const { success, data, error } = schema.safeParse(value);
      return success ? data : error.issues;
    },
  );

describe('deferred schemas', () => {
  it('parse and refuse as schemas of zod do', () => {
    expect(outcomes(person(z))).toEqual(outcomes(person(plain)));
  });

  it('keep descriptions and defaults of nested schemas in JSON Schema', () => {
    const of = (from: Builders) => (from as typeof plain).toJSONSchema(person(from), { io: 'input' });
    expect(of(z)).toEqual(of(plain));
    expect(JSON.stringify(of(z))).toContain('Who it is.');
  });

  it('give fields, and objects made of fields', () => {
    const shape = (from: Builders) => {
      const { name, age } = person(from).shape;
      const { strictObject } = from as typeof plain;
      return [strictObject({ name, age: age.unwrap() }), strictObject(person(from).shape)];
    };
    const [some, all] = shape(z);
    const [plainSome, plainAll] = shape(plain);
    expect(outcomes(some!)).toEqual(outcomes(plainSome!));
    expect(outcomes(all!)).toEqual(outcomes(plainAll!));
    expect(Object.keys(person(z).shape)).toEqual(['name', 'age', 'nick']);
    expect('shape' in person(z)).toBe(true);
  });

  it('resolve what they are extended with, also after they were used', () => {
    const extended = (from: Builders) => {
      const schema = person(from);
      schema.parse({ name: 'Ada' });
      const { string, unknown, toJSONSchema } = from as typeof plain;
      const more = schema.extend({ town: string().describe('Where it lives.') });
      return [more, more.catchall(unknown().describe('More.')), string().pipe(string().describe('To.'))].map(
        (each) => toJSONSchema(each),
      );
    };
    expect(extended(z)).toEqual(extended(plain));
    expect(JSON.stringify(extended(z))).toContain('Where it lives.');
  });

  it('have no fields that the object does not have', () => {
    const schema = person(z);
    const shape = schema.shape as unknown as Record<string, plain.ZodType>;
    expect(() => shape.town!.parse('')).toThrow('The schema has no field "town".');
    schema.parse({ name: 'Ada' });
    expect(shape.town).toBeUndefined();
    expect('extend' in z.string()).toBe(false);
    const text = z.string();
    text.parse('');
    expect((text as unknown as Record<string, unknown>).extend).toBeUndefined();
  });

  it('can be told by their class', () => {
    const { shape } = person(z);
    expect(shape.age instanceof z.ZodDefault).toBe(true);
    expect(shape.name instanceof z.ZodDefault).toBe(false);
  });

  it('read their description', () => {
    expect(z.string().describe('A text.').description).toBe('A text.');
    expect(z.string().meta({ title: 'Text' }).meta()).toEqual({ title: 'Text' });
  });

  it('are built when they are first used', () => {
    let built = 0;
    const schema = z.deferred(() => {
      built++;
      return z.object({ at: z.int() });
    });
    const longer = z.strictObject({ more: schema.extend({ to: z.int() }).optional(), at: schema.shape.at });
    expect(built).toBe(0);
    expect(longer.parse({ at: 1, more: { at: 2, to: 3 } })).toEqual({ at: 1, more: { at: 2, to: 3 } });
    expect(longer.safeParse({ at: 'x' }).success).toBe(false);
    expect(built).toBe(1);
  });
});
