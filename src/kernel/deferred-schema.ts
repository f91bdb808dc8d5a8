/** Builds a schema when it is first used: a command uses a few of the thousands that loading all verbs would build. */
import type { z } from 'zod';

/** A schema and how to build it; stands behind every deferred schema. */
interface Deferred {
  readonly build: () => z.ZodType;
  built: z.ZodType | undefined;
}

/** Methods that make another schema of this one, which can be deferred as well. All others build the schema. */
const CHAINED = new Set<PropertyKey>(
  `array catchall check clone default describe email extend gt gte int length lt lte max meta min negative nonempty
  nonnegative nullable nullish omit optional overwrite partial pick pipe positive prefault readonly refine regex required
  strict superRefine transform trim`.split(/\s+/),
);

const DEFERRED = Symbol('deferred schema');

function schemaOf(deferred: Deferred): z.ZodType {
  // What `deferred` is given may return a schema that is deferred itself.
  deferred.built ??= resolved(deferred.build()) as z.ZodType;
  return deferred.built;
}

const HANDLER: ProxyHandler<Deferred> = {
  get(deferred, key) {
    if (key === DEFERRED) return deferred;
    // Also once this schema is built: the arguments may be deferred, and those of methods of the result.
    if (CHAINED.has(key) && (deferred.built === undefined || key in deferred.built)) {
      return (...args: unknown[]) => {
        // Without arguments, `meta` reads.
        if (args.length === 0 && key === 'meta') return schemaOf(deferred).meta();
        return defer(() => call(schemaOf(deferred), key, args));
      };
    }
    if (deferred.built === undefined && key === 'shape') return deferredShape(deferred);
    const schema = schemaOf(deferred);
    return Reflect.get(schema, key, schema);
  },
  set: (deferred, key, value) => Reflect.set(schemaOf(deferred), key, value),
  has: (deferred, key) => key in schemaOf(deferred),
  getPrototypeOf: (deferred) => Reflect.getPrototypeOf(schemaOf(deferred)),
};

type Shape = Readonly<Record<PropertyKey, z.ZodType>>;

/** The fields of an object, each of which is a deferred schema. Which fields exist is known once the object is built. */
function deferredShape(deferred: Deferred): Shape {
  const shape = () => Reflect.get(schemaOf(deferred), 'shape') as Shape;
  const fieldOf = (key: string): z.ZodType => {
    if (!Object.hasOwn(shape(), key)) throw new TypeError(`The schema has no field "${key}".`);
    return shape()[key]!;
  };
  return new Proxy<Shape>(
    {},
    {
      get: (_, key) => {
        if (typeof key !== 'string') return undefined;
        const isKnown = deferred.built === undefined || Object.hasOwn(shape(), key);
        return isKnown ? defer(() => fieldOf(key)) : undefined;
      },
      has: (_, key) => key in shape(),
      ownKeys: () => Reflect.ownKeys(shape()),
      getOwnPropertyDescriptor: (_, key) => ({ value: shape()[key], enumerable: true, configurable: true }),
    },
  );
}

type Method = (...args: unknown[]) => z.ZodType;

const call = (schema: z.ZodType, key: PropertyKey, args: readonly unknown[]): z.ZodType =>
  (Reflect.get(schema, key) as Method).apply(schema, args.map(resolved));

function defer(build: () => z.ZodType): z.ZodType {
  return new Proxy<Deferred>({ build, built: undefined }, HANDLER) as unknown as z.ZodType;
}

/** The schema itself: zod keeps descriptions by identity, so a deferred schema must not become part of another one. */
function resolved(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const deferred = (value as { readonly [DEFERRED]?: Deferred })[DEFERRED];
  if (deferred !== undefined) return schemaOf(deferred);
  if (Array.isArray(value)) return value.map(resolved);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each)]));
}

/** A function of zod that returns a schema, returning a deferred one. */
export function deferring<Make>(make: Make): Make {
  return ((...args: unknown[]) => defer(() => (make as Method)(...args.map(resolved)))) as Make;
}

/** A schema whose making needs parts of others, such as all of their fields. */
export function deferred<Schema extends z.ZodType>(make: () => Schema): Schema {
  return defer(make) as Schema;
}

/** A function of zod that uses schemas, accepting deferred ones. */
export function accepting<Use>(use: Use): Use {
  return ((...args: unknown[]) => (use as (...all: unknown[]) => unknown)(...args.map(resolved))) as Use;
}
