/** The generator of mutants: what it changes, what it leaves alone, and that functions can be told apart. */
import { describe, expect, it } from 'vitest';
import { testsFor } from '../../scripts/mutants/coverage.ts';
import { functionAt, noting } from '../../scripts/mutants/functions.ts';
import { applied, mutationsOf } from '../../scripts/mutants/mutations.ts';

/** The source with each defect planted. */
const mutants = (source: string): string[] =>
  mutationsOf(source).map((mutation) => applied(source, mutation));

describe('a mutant', () => {
  it.each([
    ['a boundary', 'x = a < b;', ['x = a <= b;']],
    ['the other boundary', 'x = a >= b;', ['x = a > b;']],
    ['a comparison', 'x = a === b;', ['x = a !== b;']],
    ['logic', 'x = a && b;', ['x = a || b;']],
    ['arithmetic', 'x = a + b;', ['x = a - b;']],
    ['a sum that goes on', 'x += y;', ['x -= y;']],
    ['a boolean', 'x = { on: true };', ['x = { on: false };']],
    ['a constant', 'x = 3;', ['x = 4;']],
    ['a condition as a whole', 'x = isSo() ? a : b;', ['x = !(isSo()) ? a : b;']],
    ['which of two comes first', 'x = a < b ? -1 : 1;', ['x = !(a < b) ? -1 : 1;']],
    ['a condition of a loop', 'while (isSo()) a();', ['while (!(isSo())) a();', 'while (isSo()) undefined;']],
    ['an exit', 'function f() { if (isSo()) return; }', ['function f() { if (false) return; }']],
    [
      'an exit in a block',
      'for (const a of b) { if (a.c) { d = a; continue; } }',
      ['for (const a of b) { if (false) { d = a; continue; } }'],
    ],
    ['a call', 'tell(a);', ['undefined;']],
    ['a call that is waited for: the waiting stays', 'await tell(a);', ['await undefined;']],
    ['what a type is attached to', 'x = (a as number) < b!;', ['x = (a as number) <= b!;']],
  ])('changes %s', (_, source, expected) => {
    expect(mutants(source).toSorted()).toEqual(expected.toSorted());
  });

  it.each([
    ['types', 'type A = 1 | 2; interface B { c: true }; let d: 3 | false;'],
    ['comments', '// a < b\n/* true */'],
    ['strings', "x = 'a < b' + c + `d < e`;"],
    ['imports', "import { a } from 'b'; export * from 'c';"],
    ['the wording of an error', "throw new KeepsakeError('A', 'b', { hint: c ? 'd' : 'e', code: 1 });"],
    ['descriptions', 'x = text.describe(a ? b : c);'],
    ['names of properties', 'x = { 1: a };'],
    ['numbers that are only large', 'x = 10_000;'],
    ['the call of a parent class', 'class A extends B { constructor() { super(); } }'],
  ])('leaves %s alone', (_, source) => {
    expect(mutants(source)).toEqual([]);
  });

  it('is named by its line, and they come in the order of the text', () => {
    const found = mutationsOf('const a = 1;\n\nif (b < a) c();\n');
    expect(found.map(({ line, kind }) => [line, kind])).toEqual([
      [1, 'constant'],
      [3, 'condition'],
      [3, 'boundary'],
      [3, 'call'],
    ]);
  });
});

describe('functions', () => {
  const source = 'const a = (b) => b + 1;\nclass C { d() { return () => ({ e: 2 }); } }\nconst f = 3;';

  it('are told apart, the innermost first', () => {
    const at = functionAt(source);
    expect([at(source.indexOf('b + 1')), at(source.indexOf('return')), at(source.indexOf('e: 2'))]).toEqual([
      0, 1, 2,
    ]);
    expect(at(source.indexOf('f = 3'))).toBe(-1);
  });

  it('note that they were called, and do what they did', () => {
    const place = globalThis as unknown as { __calledFunctions?: Set<string> };
    place.__calledFunctions = new Set();
    try {
      const run = new Function(`${noting(source, 'x.ts')}; return [a(1), new C().d()()];`) as () => unknown;
      expect(run()).toEqual([2, { e: 2 }]);
      expect([...place.__calledFunctions]).toEqual(['x.ts#0', 'x.ts#1', 'x.ts#2']);
    } finally {
      delete place.__calledFunctions;
    }
  });
});

describe('the tests that are asked', () => {
  const coverage = {
    'test/client/all.test.ts': {
      file: '',
      tests: ['one', 'two'],
      costs: [1, 1],
      calls: { 'src/records/a.ts#0': [0], b: [0] },
    },
    'test/records/a.test.ts': {
      file: '',
      tests: ['three', 'four'],
      costs: [1, 1],
      calls: { 'src/records/a.ts#0': [1] },
    },
    'test/records/b.test.ts': {
      file: '',
      tests: ['five', 'six'],
      costs: [1, 1],
      calls: { 'src/records/a.ts#1': [-1] },
    },
  };
  const names = (number: number) => testsFor(coverage, 'src/records/a.ts', number).map(({ name }) => name);

  it('are those that call the function, the nearest first', () => {
    expect(names(0)).toEqual(['four', 'one']);
  });

  it('are all of a file that calls it between its tests', () => {
    expect(names(1)).toEqual(['five', 'six']);
  });

  it('are those of the whole file for what stands outside of functions', () => {
    expect(names(-1)).toEqual(['four', 'five', 'six', 'one']);
  });
});
