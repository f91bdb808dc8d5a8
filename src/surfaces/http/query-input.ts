/** From the texts of a query to the values that the schema of an operation expects. */

import { KeepsakeError } from '../../kernel/errors.ts';
import { z } from '../../kernel/zod.ts';

export interface SchemaNode {
  readonly type?: string;
  readonly anyOf?: readonly SchemaNode[];
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly [key: string]: unknown;
}

const cache = new WeakMap<z.ZodType, SchemaNode>();

export function inputSchema(input: z.ZodType): SchemaNode {
  let node = cache.get(input);
  if (node === undefined) {
    const { $schema: _, ...rest } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
    node = rest as SchemaNode;
    cache.set(input, node);
  }
  return node;
}

function typesOf({ type, anyOf }: SchemaNode): string[] {
  return anyOf === undefined ? [type ?? 'string'] : anyOf.flatMap(typesOf);
}

/** What cannot be read is handed on as text, for validation to explain. */
function readValue(text: string, node: SchemaNode): unknown {
  const types = typesOf(node);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.includes('null') && text === 'null') return null;
  const isNumeric = types.includes('integer') || types.includes('number');
  if (isNumeric && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (!types.includes('object')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Repeat a name, or separate by commas, where a list is expected. */
export function queryInput(
  query: URLSearchParams,
  input: z.ZodType,
  renamed: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  const properties = inputSchema(input).properties ?? {};
  const values: Record<string, unknown> = Object.create(null);
  for (const given of new Set(query.keys())) {
    const name = Object.hasOwn(renamed, given) ? renamed[given]! : given;
    const node = Object.hasOwn(properties, name) ? properties[name]! : {};
    const texts = query.getAll(given);
    if (node.items !== undefined) {
      values[name] = texts.flatMap((text) => text.split(',')).map((text) => readValue(text, node.items!));
    } else if (texts.length === 1) {
      values[name] = readValue(texts[0]!, node);
    } else {
      throw new KeepsakeError('INVALID_INPUT', `"${given}" is given ${texts.length} times.`, {
        hint: 'Give it once.',
      });
    }
  }
  // A plain object: null prototypes are not what schemas expect.
  return { ...values };
}
