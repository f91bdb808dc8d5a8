/** Cron patterns, in the time zone of the machine: five fields, or a nickname such as @daily. */
import { Cron } from 'croner';

/** Without a function to call it never starts a timer. */
function patternOf(text: string): Cron {
  return new Cron(text, { mode: '5-part' });
}

/** What is wrong with a pattern, for the end of a sentence; undefined when nothing is. */
export function cronProblem(given: string): string | undefined {
  const text = given.trim();
  const fields = text === '' ? 0 : text.split(/\s+/).length;
  if (!/^@[a-z]+$/i.test(text) && fields !== 5) return `it has ${fields} fields, not five`;
  try {
    // Any moment will do to see whether there is a time at all.
    return patternOf(text).nextRun(new Date(0)) === null ? 'no date matches it' : undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return reason.replace(/^\w+: /, '').trim();
  }
}

export function nextCronTime(text: string, after: number): number | undefined {
  return patternOf(text).nextRun(new Date(after))?.getTime();
}
