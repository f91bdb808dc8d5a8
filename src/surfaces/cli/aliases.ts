/** Other words for commands: those that earlier versions used, and those that source documents prescribe. */

interface Alias {
  /** The words after `keepsake`. */
  readonly command: string;
  /** Other words for the last one. */
  readonly words: readonly string[];
  /** Flags that the other words took; they are accepted and change nothing. */
  readonly flags?: readonly string[];
}

const ALIASES: readonly Alias[] = [
  { command: 'log get', words: ['show'] },
  { command: 'archive get', words: ['show'] },
  { command: 'sections get', words: ['show', 'retrieve'] },
  { command: 'swarm get', words: ['show'] },
  { command: 'guard get', words: ['show'] },
  { command: 'guard remove', words: ['delete'] },
  { command: 'memory forget-expired', words: ['prune'], flags: ['--expired'] },
];

export function aliasOf(command: string): Required<Omit<Alias, 'command'>> {
  const { words = [], flags = [] } = ALIASES.find((alias) => alias.command === command) ?? {};
  return { words, flags };
}
