/** Reads from one TypeScript file what the architecture rules ask about: imports, exports, and a few expressions. */
import { parseAst } from 'vitest/node';

export interface Import {
  /** undefined when `import()` gets something other than a literal. */
  readonly target: string | undefined;
  readonly kind: 'static' | 'type' | 'dynamic';
  readonly line: number;
}

interface Finding {
  readonly what: string;
  readonly line: number;
}

export interface Syntax {
  readonly imports: readonly Import[];
  readonly defaultExports: readonly Finding[];
  readonly environment: readonly Finding[];
  readonly timeAndChance: readonly Finding[];
}

/** The parser's tree is ESTree with TypeScript nodes; a loose type is enough to walk it. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const nameOf = (value: unknown): unknown => (isNode(value) ? (value.name ?? value.value) : undefined);

/** `a.b` and `a['b']` as "a.b". */
function memberName(node: unknown): string | undefined {
  if (!isNode(node) || node.type !== 'MemberExpression') return undefined;
  return `${nameOf(node.object)}.${nameOf(node.property)}`;
}

const known = new Map<string, Syntax>();

/** Each text is parsed once, because the same tree is checked with the exceptions and without them. */
export function readSyntax(text: string): Syntax {
  const syntax = known.get(text) ?? parse(text);
  known.set(text, syntax);
  return syntax;
}

function parse(text: string): Syntax {
  const imports: Import[] = [];
  const defaultExports: Finding[] = [];
  const environment: Finding[] = [];
  const timeAndChance: Finding[] = [];
  const lineOf = (node: Node): number => text.slice(0, node.start).split('\n').length;
  const addImport = (node: Node, source: unknown, kind: Import['kind']): void => {
    const literal = isNode(source) && source.type === 'Literal' ? source.value : undefined;
    imports.push({ target: typeof literal === 'string' ? literal : undefined, kind, line: lineOf(node) });
  };

  function visit(node: Node): void {
    switch (node.type) {
      case 'ImportDeclaration':
        addImport(node, node.source, node.importKind === 'type' ? 'type' : 'static');
        if (/^(node:)?process$/.test(String(nameOf(node.source)))) {
          for (const specifier of node.specifiers as Node[]) {
            if (nameOf(specifier.imported) === 'env') environment.push({ what: 'env', line: lineOf(node) });
          }
        }
        break;
      case 'ExportAllDeclaration':
      case 'ExportNamedDeclaration':
        if (node.source) addImport(node, node.source, node.exportKind === 'type' ? 'type' : 'static');
        for (const specifier of (node.specifiers as Node[] | undefined) ?? []) {
          if (nameOf(specifier.exported) === 'default')
            defaultExports.push({ what: 'as default', line: lineOf(node) });
        }
        break;
      case 'ExportDefaultDeclaration':
        defaultExports.push({ what: 'export default', line: lineOf(node) });
        break;
      case 'ImportExpression':
        addImport(node, node.source, 'dynamic');
        break;
      case 'TSImportType':
        addImport(node, node.source ?? node.argument, 'type');
        break;
      case 'CallExpression':
        if (nameOf(node.callee) === 'require') addImport(node, (node.arguments as Node[])[0], 'static');
        // How packages are loaded that no bundler may follow; src/runtime itself passes names on.
        if (nameOf(node.callee) === 'loadPackage') addImport(node, (node.arguments as Node[])[0], 'dynamic');
        break;
      case 'NewExpression':
        if (nameOf(node.callee) === 'Date' && (node.arguments as Node[]).length === 0) {
          timeAndChance.push({ what: 'new Date()', line: lineOf(node) });
        }
        break;
      case 'MemberExpression': {
        const member = memberName(node);
        if (member === 'process.env' || memberName(node.object) === 'globalThis.process') {
          if (nameOf(node.property) === 'env') environment.push({ what: 'process.env', line: lineOf(node) });
        }
        if (member === 'Date.now' || member === 'Math.random')
          timeAndChance.push({ what: member, line: lineOf(node) });
        break;
      }
      case 'VariableDeclarator': {
        const pattern = node.id;
        if (nameOf(node.init) !== 'process' || !isNode(pattern) || pattern.type !== 'ObjectPattern') break;
        for (const property of pattern.properties as Node[]) {
          if (nameOf(property.key) === 'env') environment.push({ what: 'process.env', line: lineOf(node) });
        }
        break;
      }
    }
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) value.filter(isNode).forEach(visit);
      else if (isNode(value)) visit(value);
    }
  }

  visit(parseAst(text, { lang: 'ts' }) as unknown as Node);
  return { imports, defaultExports, environment, timeAndChance };
}
