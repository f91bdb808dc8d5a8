/** Brings the texts of a public repository at an exact commit into the cache, and says what they hash to. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from './sources.ts';

/** `mirror` may hold clones already, as `owner+name/repo`; otherwise one is made without its blobs. */
export function unpack(source: Source, cache: string, mirror: string | undefined): string {
  const name = source.repository.replace('/', '+');
  const folder = join(cache, name);
  if (existsSync(join(folder, '.complete'))) return folder;
  mkdirSync(folder, { recursive: true });
  const local = mirror === undefined ? undefined : join(mirror, name, 'repo');
  const clone = local !== undefined && existsSync(local) ? local : join(cache, `${name}.git`);
  if (!existsSync(clone)) {
    git('clone', '--quiet', '--bare', '--filter=blob:none', `https://github.com/${source.repository}`, clone);
  }
  const files = git('-C', clone, 'ls-tree', '-r', '--name-only', source.commit).split('\n');
  for (const path of source.paths.flatMap(alternatives)) {
    for (const file of files.filter((each) => matches(each, path))) {
      const target = join(folder, file.replaceAll('/', '__'));
      writeFileSync(
        target,
        execFileSync('git', ['-C', clone, 'show', `${source.commit}:${file}`], { maxBuffer: 1e9 }),
      );
    }
  }
  writeFileSync(join(folder, '.complete'), '');
  return folder;
}

export function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name !== '.complete')
    .sort()
    .map((name) => join(folder, name));
}

export function hashOf(folder: string): string {
  const hash = createHash('sha256');
  for (const file of filesOf(folder)) hash.update(readFileSync(file));
  return hash.digest('hex');
}

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1e9 });

const alternatives = (path: string): string[] => {
  const braces = /\{([^}]*)\}/.exec(path);
  return braces === null ? [path] : braces[1]!.split(',').map((part) => path.replace(braces[0], part));
};

function matches(file: string, path: string): boolean {
  if (!path.startsWith(':(glob)')) return file === path || file.startsWith(`${path}/`);
  const [start, end] = path.slice(':(glob)'.length).split('**/*');
  return file.startsWith(start!) && file.endsWith(end!);
}
