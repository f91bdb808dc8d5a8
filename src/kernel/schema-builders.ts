/** The part of zod that Keepsake uses, with schemas that are built when they are first used; imported as `z` from zod.ts. */
import * as zod from 'zod';
import { accepting, deferring } from './deferred-schema.ts';

export type { core, input, output, ZodError, ZodObject, ZodOptional, ZodRawShape, ZodType } from 'zod';
export { ZodDefault } from 'zod';
export { deferred } from './deferred-schema.ts';

export const string = deferring(zod.string);
export const number = deferring(zod.number);
export const int = deferring(zod.int);
export const boolean = deferring(zod.boolean);
export const unknown = deferring(zod.unknown);
export const url = deferring(zod.url);
export const literal = deferring(zod.literal);
export const array = deferring(zod.array);
export const record = deferring(zod.record);
export const object = deferring(zod.object);
export const strictObject = deferring(zod.strictObject);
export const looseObject = deferring(zod.looseObject);
export const union = deferring(zod.union);
export const discriminatedUnion = deferring(zod.discriminatedUnion);
export const custom = deferring(zod.custom);
export const preprocess = deferring(zod.preprocess);
export const iso = { datetime: deferring(zod.iso.datetime) };
const enumeration = deferring(zod.enum);
const nothing = deferring(zod.null);
const instanceOf = deferring(zod.instanceof);

export { enumeration as enum, instanceOf as instanceof, nothing as null };

export const toJSONSchema = accepting(zod.toJSONSchema);
