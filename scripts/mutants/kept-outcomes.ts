/** What became of each mutant, kept in memory so that a run that was stopped goes on where it was. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Mutant, Outcome } from './trial.ts';
import { digestOf, filesOf, isAsked, memoryFolder } from './workplace.ts';

type Known = Omit<Outcome, 'mutant'>;

/** Counts as long as no source changes; that a mutant survived, as long as no test changes either. */
export class KeptOutcomes {
  readonly #file: string;
  readonly #tests: string;
  readonly #known = new Map<string, Known & { readonly tests: string }>();

  constructor(root: string) {
    const files = filesOf(root);
    const sources = files.filter((file) => /^(src|scripts\/mutants)\/.*\.ts$/.test(file));
    this.#file = join(memoryFolder(), 'keepsake-mutants', `outcomes-${digestOf(root, sources)}.jsonl`);
    this.#tests = digestOf(root, files.filter(isAsked));
    if (!existsSync(this.#file)) return;
    for (const line of readFileSync(this.#file, 'utf8').split('\n').filter(Boolean)) {
      const { key, ...known } = JSON.parse(line) as Known & { key: string; tests: string };
      this.#known.set(key, known);
    }
  }

  find(mutant: Mutant): Known | undefined {
    const known = this.#known.get(keyOf(mutant));
    if (known === undefined || !(known.isKilled || known.tests === this.#tests)) return undefined;
    const { tests: _, ...outcome } = known;
    return outcome;
  }

  add({ mutant, ...outcome }: Outcome): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    const line = JSON.stringify({ key: keyOf(mutant), tests: this.#tests, ...outcome });
    appendFileSync(this.#file, `${line}\n`);
  }
}

const keyOf = ({ file, start, end, replacement }: Mutant): string =>
  [file, start, end, replacement].join(' ');
