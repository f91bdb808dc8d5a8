/** The functions of a source file, and a copy of the file in which each of them notes that it was called. */
import { isNode, parse, type SyntaxNode, walk } from './syntax.ts';

/** The name of the set into which calls are noted, in the process that runs the tests. */
export const CALLED = '__calledFunctions';

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

function functionsOf(source: string): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  walk(parse(source), (node) => {
    if (FUNCTIONS.has(node.type) && isNode(node.body)) found.push(node.body);
  });
  return found;
}

/** The number of the innermost function around a place of the text; -1 outside of all. */
export function functionAt(source: string): (offset: number) => number {
  const bodies = functionsOf(source);
  return (offset) => bodies.findLastIndex(({ start, end }) => start <= offset && offset < end);
}

/** Each function says `<name>#<number>` first. */
export function noting(source: string, name: string): string {
  const insertions = functionsOf(source).flatMap(({ type, start, end }, number) => {
    const note = `globalThis.${CALLED}?.add(${JSON.stringify(`${name}#${number}`)})`;
    return type === 'BlockStatement'
      ? [{ at: start + 1, text: `${note};`, order: 0 }]
      : [
          { at: start, text: `(${note}, `, order: 0 },
          { at: end, text: ')', order: 1 },
        ];
  });
  // From the end, so that the places before stay right. Where two meet, inner brackets close before outer ones open.
  insertions.sort((a, b) => b.at - a.at || a.order - b.order);
  return insertions.reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source);
}
