/** Whether a run of a swarm, or a value in it, names an agent or a user: decides what is removed when one of them is erased. */
import type { JsonValue } from '../../kernel/json.ts';
import type { RunRecord } from '../../ports/run-store.ts';

/** Ids that are shorter, and those that are plain words, occur in texts by chance. */
const LEAST_CHARACTERS = 8;
const PLAIN_WORD = /^\p{L}+$/u;
/** What an id continues with: "ana@b.example" is not in "dana@b.example", and not in "ana@b.example.org" or "x.ana@b.example". */
const GOES_ON = /^[-.+@]?[\p{L}\p{N}_]/u;
const BEGAN_BEFORE = /[\p{L}\p{N}_][-.+@]?$/u;

export const hasParticipant = ({ participants }: Pick<RunRecord, 'participants'>, agent: string): boolean =>
  participants.some(({ name }) => name === agent);

/** As a whole text or key of a JSON value; an id that no text holds by chance also inside of one. */
export function namesUser(value: JsonValue, user: string): boolean {
  if (typeof value === 'string') return value === user || isMentioned(value, user);
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some((each) => namesUser(each, user));
  return Object.entries(value).some(
    ([key, each]) => namesUser(key, user) || namesUser(each as JsonValue, user),
  );
}

function isMentioned(text: string, user: string): boolean {
  if (user.length < LEAST_CHARACTERS || PLAIN_WORD.test(user)) return false;
  for (let at = text.indexOf(user); at !== -1; at = text.indexOf(user, at + 1)) {
    // Three units hold a joining character and a whole letter.
    const before = text.slice(Math.max(0, at - 3), at);
    const after = text.slice(at + user.length, at + user.length + 3);
    if (!BEGAN_BEFORE.test(before) && !GOES_ON.test(after)) return true;
  }
  return false;
}
