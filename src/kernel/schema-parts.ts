/** Pieces of the output schemas that the verbs of several layers share. */

import type { JsonObject, JsonValue } from './json.ts';
import { ORIGINS, SOURCES } from './record.ts';
import { SCOPES } from './scope.ts';
import { z } from './zod.ts';

export const text = z.string();
export const time = z.int().describe('Milliseconds since 1970.');
export const maybeTime = time.nullable();
export const count = z.int().nonnegative();
export const share = z.number().describe('From 0 to 1.');
export const origin = z.enum(ORIGINS).describe('Who wrote the text in the first place.');
export const source = z.enum(SOURCES);
export const scope = z.enum(SCOPES);
/** Any JSON object; stored as it was given, so it is not looked into. */
export const jsonObject = z
  .custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
  .meta({ type: 'object', description: 'Any JSON object.' });
/** Any JSON value. */
export const jsonValue = z
  .custom<JsonValue>((value) => value !== undefined)
  .meta({ description: 'Any JSON value.' });

/** What a verb takes that takes nothing. */
export const noInput = z.strictObject({});
