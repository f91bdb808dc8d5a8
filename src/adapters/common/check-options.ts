/** Refuses unknown options of an adapter: with a misspelt `user`, memories would be stored without a user. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { unknownName } from '../../kernel/explain-issue.ts';
import type { TroubleOptions, WhichStore, WhoseMemory } from './options.ts';
import type { TurnOptions } from './turn-memory.ts';

/** One for every option, so that a new one cannot be forgotten. */
export type OptionNames<Options> = { readonly [Name in keyof Required<Options>]: true };

export const STORE_OPTIONS: OptionNames<WhichStore> = {
  ...{ client: true, workspace: true, url: true, apiKey: true },
};
export const OWNER_OPTIONS: OptionNames<Omit<WhoseMemory, 'thread'> & WhichStore> = {
  ...{ agent: true, user: true, ...STORE_OPTIONS },
};
export const TROUBLE_OPTIONS: OptionNames<TroubleOptions> = {
  ...{ strict: true, timeoutMs: true, onTrouble: true },
};
export const TURN_OPTIONS: OptionNames<TurnOptions> = {
  ...{ ...OWNER_OPTIONS, thread: true, ...TROUBLE_OPTIONS },
  ...{ onRecall: true, save: true, maxChars: true },
};

/** @param call the function or class as a program calls it: "withKeepsake". */
export function checkOptions<Options extends object>(
  call: string,
  options: Options,
  names: OptionNames<Options>,
): void {
  if (typeof options !== 'object' || options === null) {
    throw new KeepsakeError(
      'INVALID_INPUT',
      `${call}: the options must be an object, not ${String(options)}.`,
    );
  }
  const known = Object.keys(names);
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    throw new KeepsakeError('INVALID_INPUT', `${call}: ${unknownName(name, known)}`, {
      hint: `Its options are ${known.join(', ')}.`,
    });
  }
}
