/** The count at the end of `npm test` must never be kinder than the run was. */
import { describe, expect, it } from 'vitest';
import { tally } from '../../scripts/setup/tally.mjs';

const test = (state: string, name = 'a', project = 'unit') => ({ project, name, state });
const options = { everyProject: true };

describe('tally', () => {
  it('counts what passed and what failed', () => {
    const report = {
      projects: ['unit'],
      tests: [test('passed'), test('passed', 'b'), test('failed', 'c')],
      errors: [],
    };
    expect(tally(report, 1, options)).toEqual({ passed: 2, failed: 1, notes: ['Failed: c'] });
  });

  it('counts a clean run without a word', () => {
    expect(tally({ projects: ['unit'], tests: [test('passed')], errors: [] }, 0, options)).toEqual({
      passed: 1,
      failed: 0,
      notes: [],
    });
  });

  it.each([
    [
      'a skipped test',
      { projects: ['unit'], tests: [test('passed'), test('skipped', 'b')], errors: [] },
      0,
      /Skipped.*: b$/,
    ],
    [
      'a test that never ended',
      { projects: ['unit'], tests: [test('passed'), test('pending', 'b')], errors: [] },
      0,
      /finish: b$/,
    ],
    [
      'a group without tests',
      { projects: ['unit', 'e2e'], tests: [test('passed')], errors: [] },
      0,
      /"e2e" ran no test/,
    ],
    [
      'a file that cannot be loaded',
      { projects: ['unit'], tests: [test('passed')], errors: ['x.test.ts: boom'] },
      1,
      /boom/,
    ],
    ['a bad exit code', { projects: ['unit'], tests: [test('passed')], errors: [] }, 139, /exit code 139/],
  ])('counts %s as a failure and says so', (_, report, exitCode, note) => {
    const { passed, failed, notes } = tally(report, exitCode, options);
    expect({ passed, failed }).toEqual({ passed: 1, failed: 1 });
    expect(notes.join('\n')).toMatch(note);
  });

  it('counts a group whose every test was skipped as one that ran none', () => {
    const report = { projects: ['unit'], tests: [test('skipped')], errors: [] };
    expect(tally(report, 0, { everyProject: true, allowedSkips: new Map([['a', 'why']]) }).failed).toBe(1);
  });

  it('fails when nothing ran, when the runner died, and when no group exists', () => {
    expect(tally(undefined, 134, options)).toMatchObject({ passed: 0, failed: 1 });
    expect(tally({ projects: [], tests: [], errors: [] }, 0, options)).toMatchObject({
      passed: 0,
      failed: 1,
    });
    expect(tally({ projects: [], tests: [], errors: [] }, 0, { everyProject: false }).failed).toBe(1);
  });

  it('lets an agreed skip pass by its exact name, and names its reason', () => {
    const report = { projects: ['unit'], tests: [test('passed'), test('skipped', 'b')], errors: [] };
    const allowedSkips = new Map([['b', 'needs a second disk']]);
    expect(tally(report, 0, { everyProject: true, allowedSkips })).toEqual({
      passed: 1,
      failed: 0,
      notes: ['Skipped, as agreed: b (needs a second disk)'],
    });
  });

  it('does not ask for every group when files were named', () => {
    const report = { projects: ['unit', 'e2e'], tests: [test('passed')], errors: [] };
    expect(tally(report, 0, { everyProject: false })).toMatchObject({ passed: 1, failed: 0 });
  });
});
