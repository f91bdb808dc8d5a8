/** Reads TypeScript into a syntax tree and walks over the part of it that runs. */
import { parseSync } from 'rolldown/utils';

/** A node of the tree, as far as this is concerned: its kind, its place in the text, and whatever else it has. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export function parse(source: string): SyntaxNode {
  const { program, errors } = parseSync('source.ts', source);
  if (errors.length > 0) throw new Error(`This is not TypeScript: ${errors[0]!.message}`);
  return program as unknown as SyntaxNode;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** Expressions with a type attached: the type is not code, what it is attached to is. */
const WRAPPERS = new Set([
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSInstantiationExpression',
]);
const NOT_CODE = new Set(['ImportDeclaration', 'ExportAllDeclaration']);

/** The nodes below one, without types and imports. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) children.push(child);
  }
  return children.filter(({ type }) => (!type.startsWith('TS') || WRAPPERS.has(type)) && !NOT_CODE.has(type));
}

/** Calls `visit` for every node, parents first; where it answers false, nothing below is visited. */
export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, parents: readonly SyntaxNode[]) => unknown,
  parents: readonly SyntaxNode[] = [],
): void {
  if (visit(node, parents) === false) return;
  const path = [...parents, node];
  for (const child of childrenOf(node)) walk(child, visit, path);
}
