/** The rules of a .gitignore file, matched without regular expressions, so that no pattern can stall the walk. */

interface Rule {
  readonly segments: readonly string[];
  readonly negated: boolean;
  readonly foldersOnly: boolean;
}

export interface IgnoreRules {
  /** What the last rule that fits says; undefined when none does. The path is relative to the folder of the file. */
  verdict(path: readonly string[], isFolder: boolean): 'ignored' | 'kept' | undefined;
}

export function parseIgnoreRules(text: string): IgnoreRules {
  const rules = text.split(/\r?\n/).flatMap((line) => parseRule(line) ?? []);
  return {
    verdict(path, isFolder) {
      const rule = rules.findLast(
        ({ segments, foldersOnly }) => (isFolder || !foldersOnly) && matchesPath(segments, path),
      );
      return rule === undefined ? undefined : rule.negated ? 'kept' : 'ignored';
    },
  };
}

function parseRule(line: string): Rule | undefined {
  let pattern = line.replace(/(?<!\\) +$/, '');
  if (pattern === '' || pattern.startsWith('#')) return undefined;
  const negated = pattern.startsWith('!');
  if (negated || /^\\[#!]/.test(pattern)) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  const anchored = pattern.includes('/');
  const segments = pattern.split('/').filter((segment, i) => segment !== '' || i > 0);
  return segments.length === 0
    ? undefined
    : { segments: anchored ? segments : ['**', ...segments], negated, foldersOnly };
}

/** Whether a path is what a pattern means: "*.md" at any depth, "docs/*.md" and "docs/**" from the top. */
export function matchesGlob(pattern: string, path: string): boolean {
  const segments = pattern.split('/').filter((segment) => segment !== '' && segment !== '.');
  const anchored = pattern.includes('/') ? segments : ['**', ...segments];
  return matchesPath(
    anchored,
    path.split('/').filter((segment) => segment !== ''),
  );
}

export const isGlob = (pattern: string): boolean => /[*?[]/.test(pattern);

/** Matches greedily and goes back to the last "**" only, which is enough and takes no more than length × length. */
function matchesPath(pattern: readonly string[], path: readonly string[]): boolean {
  return matchesWild(pattern, path, (part) => part === '**', matchesName);
}

function matchesName(pattern: string, name: string): boolean {
  const tokens = [...pattern.matchAll(/\\(.)|\[(!|\^)?(\]?[^\]]*)\]|[\s\S]/gu)].map(
    ([all, escaped, not, set]) => ({
      star: all === '*',
      fits: (char: string): boolean =>
        escaped !== undefined
          ? char === escaped
          : set !== undefined
            ? inSet(set, char) !== (not !== undefined)
            : all === '?' || char === all,
    }),
  );
  return matchesWild(
    tokens,
    [...name],
    ({ star }) => star,
    (token, char) => token.fits(char),
  );
}

function inSet(set: string, char: string): boolean {
  const all = [...set];
  return all.some((each, i) => {
    const to = all[i + 1] === '-' ? all[i + 2] : undefined;
    return to === undefined ? each === char : char >= each && char <= to;
  });
}

function matchesWild<P, T>(
  pattern: readonly P[],
  text: readonly T[],
  isWild: (part: P) => boolean,
  fits: (part: P, item: T) => boolean,
): boolean {
  let [p, t, wild, resume] = [0, 0, -1, 0];
  while (t < text.length) {
    const part = pattern[p];
    if (part !== undefined && isWild(part)) {
      wild = p++;
      resume = t;
    } else if (part !== undefined && fits(part, text[t] as T)) {
      p++;
      t++;
    } else if (wild !== -1) {
      p = wild + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  // "a/**" means what is in a, not a itself.
  while (p < pattern.length && isWild(pattern[p] as P)) p++;
  return p === pattern.length;
}
