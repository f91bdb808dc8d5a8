/** No regular expression of the guard can be made to run for ever: a static check, and proof that the check works. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHAPES } from '../../src/guard/patterns/index.ts';
import { SECRET_SHAPES } from '../../src/guard/secrets.ts';

/** Repetitions of a regular expression: where each group begins and ends, and what is repeated how often. */
function problemsOf(source: string): string[] {
  const problems: string[] = [];
  /** For each open group: whether something inside may match at several lengths. */
  const open: boolean[] = [false];
  let variable = false;
  for (let i = 0; i < source.length; ) {
    const character = source[i]!;
    if (character === '\\') {
      const long = /^\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)/.exec(source.slice(i))!;
      i += long[0].length;
      variable = false;
    } else if (character === '[') {
      for (i++; source[i] !== ']'; i++) if (source[i] === '\\') i++;
      i++;
      variable = false;
    } else if (character === '(') {
      i += /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(source.slice(i))![0].length;
      open.push(false);
      variable = false;
    } else if (character === ')') {
      i++;
      variable = open.pop()!;
    } else {
      i++;
      variable = false;
    }
    const repeat = /^(?:([*+])|\{(\d+)(,?)(\d*)\}|(\?))\??/.exec(source.slice(i));
    if (repeat === null) {
      if (variable) open[open.length - 1] = true;
      continue;
    }
    i += repeat[0].length;
    const [, endless, least, comma, most, optional] = repeat;
    if (optional !== undefined) {
      if (variable) open[open.length - 1] = true;
      continue;
    }
    if (endless !== undefined || (comma === ',' && most === ''))
      problems.push(`without an end: ${repeat[0]}`);
    const isVariable = endless !== undefined || (comma === ',' && most !== least);
    if (variable && isVariable) problems.push(`a repetition inside ${repeat[0]}`);
    if (isVariable || variable) open[open.length - 1] = true;
  }
  return problems;
}

describe('regular expressions of the guard', () => {
  it.each([...SHAPES, ...SECRET_SHAPES].map(({ name, shape }) => [name, shape] as const))(
    '%s repeats nothing without end, and no repetition inside another',
    (_, shape) => {
      expect(problemsOf(shape.source)).toEqual([]);
    },
  );

  it('the check sees what it looks for', () => {
    expect(problemsOf('(a+)+b')).toHaveLength(3);
    expect(problemsOf('(?:a{1,9}){1,9}')).toEqual(['a repetition inside {1,9}']);
    expect(problemsOf('(?:(?:x[ab]{0,3}) ){2,5}')).toEqual(['a repetition inside {2,5}']);
    expect(problemsOf('a*')).toEqual(['without an end: *']);
    expect(problemsOf('[(+*]{1,5}\\({2,3}(?:ab?){3}[0-9]{4}')).toEqual([]);
  });

  it('none is built from a text that somebody else wrote', () => {
    const folder = join(import.meta.dirname, '../../src/guard');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const building = files.filter((file) => readFileSync(join(folder, file), 'utf8').includes('new RegExp('));
    // From our own: the spellings of the fence, all shapes as one, and what secrets hold.
    expect(building.sort()).toEqual(['neutralise.ts', 'scan.ts', 'secrets.ts']);
  });
});
