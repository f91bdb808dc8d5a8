/** The TypeScript type of a JSON Schema, as text: what a person would write for the field. */

export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaNode;
  readonly $ref?: string;
  readonly allOf?: readonly SchemaNode[];
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Names of the types that a text may need an import for. */
export const JSON_TYPES = ['JsonObject', 'JsonValue'] as const;

/** Undefined for what has no short form; the caller then refers to the schema itself. */
export function typeText(node: SchemaNode): string | undefined {
  if (node.$ref !== undefined || node.allOf !== undefined) return undefined;
  if (node.const !== undefined) return literal(node.const);
  if (node.enum !== undefined) return node.enum.map(literal).join(' | ');
  const choices = node.anyOf ?? node.oneOf;
  if (choices !== undefined) return union(choices);
  if (node.type === 'array') return listOf(node.items ?? {});
  if (node.type === 'object') return objectText(node);
  // A value of any kind; what is stored is JSON.
  if (node.type === undefined) return 'JsonValue';
  return PLAIN[node.type];
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value);

function union(nodes: readonly SchemaNode[]): string | undefined {
  const texts = nodes.map(typeText);
  return texts.includes(undefined) ? undefined : [...new Set(texts)].join(' | ');
}

function listOf(items: SchemaNode): string | undefined {
  const text = typeText(items);
  if (text === undefined) return undefined;
  return text.includes(' | ') ? `(${text})[]` : `${text}[]`;
}

function objectText({ properties, required = [], additionalProperties }: SchemaNode): string | undefined {
  if (properties === undefined) {
    if (typeof additionalProperties !== 'object') return 'JsonObject';
    const value = typeText(additionalProperties);
    return value === undefined ? undefined : `Record<string, ${value}>`;
  }
  const fields = Object.entries(properties).map(([key, node]) => {
    const text = typeText(node);
    if (text === undefined) return undefined;
    return required.includes(key) ? `${key}: ${text}` : `${key}?: ${text} | undefined`;
  });
  return fields.includes(undefined) ? undefined : `{ ${fields.join('; ')} }`;
}
