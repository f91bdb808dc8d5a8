/** The small defects that can be planted into a source file: one change each, where the code decides or computes something. */
import { isNode, parse, type SyntaxNode, walk } from './syntax.ts';

export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** Counted from 1. */
  readonly line: number;
  readonly kind: 'boundary' | 'condition' | 'arithmetic' | 'boolean' | 'exit' | 'call' | 'constant';
}

type Change = Omit<Mutation, 'line'>;

const BOUNDARIES: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const OPPOSITES: Readonly<Record<string, string>> = { '===': '!==', '!==': '===', '==': '!=', '!=': '==' };
const LOGIC: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };
const ARITHMETIC: Readonly<Record<string, string>> = {
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' },
  ...{ '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=' },
};
/** A limit of thousands that is off by one is a matter of taste; a small number is counted on. */
const LARGEST_CONSTANT = 64;

/** What is said to people is not worth changing, and neither is how a schema describes itself. */
function isWording({ type, callee }: SyntaxNode): boolean {
  if (!isNode(callee)) return false;
  if (type === 'NewExpression') return /Error$/.test(String(callee.name));
  return type === 'CallExpression' && isNode(callee.property) && callee.property.name === 'describe';
}

function isText(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node.type === 'TemplateLiteral') return true;
  if (node.type === 'Literal') return typeof node.value === 'string';
  return node.type === 'BinaryExpression' && (isText(node.left) || isText(node.right));
}

/** Where the operator of an expression stands, between its two sides. */
function operatorOf(source: string, node: SyntaxNode, from: string): readonly [number, number] {
  const { left, operator } = node as unknown as { left: SyntaxNode; operator: string };
  const start = source.indexOf(operator, left.end);
  if (start === -1) throw new Error(`${from} has no operator ${operator}.`);
  return [start, start + operator.length];
}

const isSign = (node: unknown): boolean =>
  isNode(node) && (node.type === 'UnaryExpression' ? isSign(node.argument) : node.value === 1);

/** `… ? -1 : 1` says which of two comes first: how far, and what happens to two that are the same, makes no difference. */
const isOrder = ({ type, consequent, alternate }: SyntaxNode): boolean =>
  type === 'ConditionalExpression' && isSign(consequent) && isSign(alternate);

function operators(source: string, node: SyntaxNode, parent: SyntaxNode | undefined): Change[] {
  const operator = String(node.operator);
  if (parent !== undefined && isOrder(parent)) return [];
  const isSum = operator === '+' || operator === '+=';
  if (isSum && (isText(node.left) || isText(node.right))) return [];
  const found: [string | undefined, Change['kind']][] = [
    [BOUNDARIES[operator], 'boundary'],
    [OPPOSITES[operator] ?? LOGIC[operator], 'condition'],
    [ARITHMETIC[operator], 'arithmetic'],
  ];
  return found.flatMap(([replacement, kind]) => {
    if (replacement === undefined) return [];
    const [start, end] = operatorOf(source, node, node.type);
    return [{ start, end, replacement, kind }];
  });
}

/** A condition that is not a comparison of its own is turned around as a whole. */
function negated(source: string, test: unknown): Change[] {
  if (!isNode(test) || (test.type === 'BinaryExpression' && String(test.operator) in OPPOSITES)) return [];
  const { start, end } = test;
  return [{ start, end, replacement: `!(${source.slice(start, end)})`, kind: 'condition' }];
}

const EXITS = new Set(['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement']);

/** `if (…) return …;` without anything else: the exit is never taken. */
function exit(node: SyntaxNode): Change[] {
  const { consequent, alternate, test } = node;
  if (!isNode(consequent) || isNode(alternate) || !isNode(test)) return [];
  const body = consequent.type === 'BlockStatement' ? (consequent.body as SyntaxNode[]) : [consequent];
  if (!EXITS.has(body.at(-1)?.type ?? '')) return [];
  return [{ start: test.start, end: test.end, replacement: 'false', kind: 'exit' }];
}

/** A call whose answer nobody wants is not made; who awaited it still waits for a moment. */
function removedCall({ expression }: SyntaxNode): Change[] {
  if (!isNode(expression)) return [];
  const isAwaited = expression.type === 'AwaitExpression';
  const call = isAwaited ? expression.argument : expression;
  if (!isNode(call) || call.type !== 'CallExpression') return [];
  if (isNode(call.callee) && call.callee.type === 'Super') return [];
  return [{ start: call.start, end: call.end, replacement: 'undefined', kind: 'call' }];
}

function literal({ start, end, value }: SyntaxNode): Change[] {
  if (typeof value === 'boolean') return [{ start, end, replacement: String(!value), kind: 'boolean' }];
  if (typeof value !== 'number' || !Number.isInteger(value) || value > LARGEST_CONSTANT) return [];
  return [{ start, end, replacement: String(value + 1), kind: 'constant' }];
}

function changesAt(source: string, node: SyntaxNode, parents: readonly SyntaxNode[]): Change[] {
  const parent = parents.at(-1);
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return operators(source, node, parent);
    case 'IfStatement': {
      const gone = exit(node);
      // To turn an exit around and to leave it out are caught by the same tests; one of them is enough.
      return gone.length > 0 ? gone : negated(source, node.test);
    }
    case 'ConditionalExpression':
    case 'WhileStatement':
      return negated(source, node.test);
    case 'ExpressionStatement':
      return removedCall(node);
    case 'Literal':
      if (parents.slice(-2).some(isOrder)) return [];
      // Names of properties are wording too.
      return parent?.type === 'Property' && parent.key === node && parent.value !== node ? [] : literal(node);
    default:
      return [];
  }
}

/** All of them, in the order of the text. */
export function mutationsOf(source: string): readonly Mutation[] {
  const changes: Change[] = [];
  walk(parse(source), (node, parents) => {
    if (isWording(node)) return false;
    changes.push(...changesAt(source, node, parents));
    return true;
  });
  const lineOf = lineCounter(source);
  return changes
    .map((change) => ({ ...change, line: lineOf(change.start) }))
    .sort((a, b) => a.start - b.start || a.end - b.end || (a.replacement < b.replacement ? -1 : 1));
}

export function applied(source: string, { start, end, replacement }: Omit<Change, 'kind'>): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

function lineCounter(source: string): (offset: number) => number {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}
