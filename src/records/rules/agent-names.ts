/** Decides whether the name of an agent is new, known, or too much like another one. */
import { KeepsakeError } from '../../kernel/errors.ts';

/** `existing`: the agent whose folded name is the same. Refuses a name that differs from it only by upper and lower case. */
export function isKnownAgent(name: string, existing: string | undefined): boolean {
  if (existing === undefined || existing === name) return existing === name;
  throw new KeepsakeError(
    'INVALID_NAME',
    `There is an agent "${existing}"; "${name}" would share its folder.`,
    {
      hint: `Use "${existing}", or choose a name that differs in more than upper and lower case.`,
    },
  );
}
