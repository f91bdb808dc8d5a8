/** Failures in words. */
import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { KeepsakeError } from '../../../src/kernel/errors.ts';
import { errorLines, usageError } from '../../../src/surfaces/cli/failures.ts';
import { plain } from '../../../src/surfaces/cli/terminal/paint.ts';

const bare = { paintError: plain, errorWidth: undefined };

describe('errorLines', () => {
  it('fits a terminal, and breaks no command that one would copy', () => {
    const hint =
      'It would have been better to look first: run "keepsake agents --help" to see what it takes.';
    const error = new KeepsakeError('INVALID_INPUT', 'There are more words here than the command knows.', {
      hint,
    });
    expect(errorLines(error, { ...bare, errorWidth: 40 })).toEqual([
      'error: There are more words here than',
      'the command knows.',
      'hint: It would have been better to look',
      'first: run "keepsake agents --help" to',
      'see what it takes.',
    ]);
  });

  it('has a message and a hint, and no stack', () => {
    const error = new KeepsakeError('NOT_FOUND', 'There is no memory x.', { hint: 'Search for it.' });
    expect(errorLines(error, bare)).toEqual(['error: There is no memory x.', 'hint: Search for it.']);
  });

  it('indents the lines of a list', () => {
    const error = new KeepsakeError('INVALID_CONFIG', 'Two problems:\none\ntwo');
    expect(errorLines(error, bare)).toEqual(['error: Two problems:', '  one', '  two']);
  });

  it('lets no escape sequence through', () => {
    const error = new KeepsakeError('NOT_FOUND', 'no \u001b[31m', { hint: 'no \u0007' });
    expect(errorLines(error, bare)).toEqual(['error: no ␛[31m', 'hint: no ␇']);
  });

  it('does not call it an error when someone says no', () => {
    expect(errorLines(new KeepsakeError('ABORTED', 'Nothing was changed.'), bare)).toEqual([
      'Nothing was changed.',
    ]);
  });
});

describe('usageError', () => {
  const usage = (code: string, message: string, names: string[] = []): KeepsakeError =>
    usageError(new CommanderError(1, code, message), 'keepsake memory add', names);

  it('turns the guess into the hint', () => {
    const error = usage(
      'commander.unknownOption',
      "error: unknown option '--agnet'\n(Did you mean --agent?)",
    );
    expect(error).toMatchObject({
      code: 'INVALID_INPUT',
      message: "Unknown option '--agnet'.",
      hint: 'Did you mean --agent?',
    });
  });

  it('prefers a command that begins with what was typed', () => {
    const message = "error: unknown command 'mem'\n(Did you mean demo?)";
    expect(usage('commander.unknownCommand', message, ['demo', 'memory']).hint).toBe('Did you mean memory?');
    expect(usage('commander.unknownCommand', message, ['memory', 'memo']).hint).toBe('Did you mean demo?');
  });

  it('explains a text that begins with a dash', () => {
    expect(usage('commander.unknownOption', "error: unknown option '- buy milk'").hint).toContain(
      'after "--"',
    );
  });

  it('points to the help otherwise', () => {
    const error = usage('commander.missingArgument', "error: missing required argument 'id'");
    expect(error.message).toBe("Missing required argument 'id'.");
    expect(error.hint).toBe('Run "keepsake memory add --help" to see what it takes.');
  });
});
