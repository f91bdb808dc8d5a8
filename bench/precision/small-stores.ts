/** Questions to small stores of facts, written before the decision that they measure: what comes back, and what should. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/index.ts';
import { estimateTokens } from '../../src/kernel/tokens.ts';

interface Fact {
  readonly content: string;
  readonly category?: string;
  /** Another agent's private memory. */
  readonly agent?: string;
  /** Place of the fact that took its place. */
  readonly supersededBy?: number;
}

interface Store {
  readonly facts: readonly (string | Fact)[];
  /** Kind, question, and the places of the facts that answer it; none for what cannot be answered. */
  readonly cases: readonly (readonly [kind: string, question: string, answers: readonly number[]])[];
}

export interface Outcome {
  readonly store: string;
  readonly kind: string;
  readonly question: string;
  readonly answers: readonly number[];
  /** Places of the facts that search returned, best first. */
  readonly returned: readonly number[];
  /** About so many tokens a prompt got for the question. */
  readonly tokens: number;
}

/**
 * `stores`: 197 questions of all kinds. `names`: 104 about whom and which one is meant, half of them without an answer. `unseen`: 62 more of these.
 * `fresh`: 30 of all kinds. `development` and `held-out`: 320 in ten other stores, half of them without an answer, written before the decision
 * was fitted again; the second half was asked once, at the end (docs/design/0029).
 */
export type Group = 'stores' | 'names' | 'unseen' | 'fresh' | 'development' | 'held-out';

/** Questions of each other store. */
const DRIFT = 5;

export async function askSmallStores(
  embedding: 'static' | 'none',
  {
    all = false,
    group = 'stores',
    drift = false,
  }: { readonly all?: boolean; readonly group?: Group; readonly drift?: boolean } = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const folder = join(import.meta.dirname, group);
  const stores = readdirSync(folder)
    .sort()
    .map((name) => ({ name, ...(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Store) }));
  for (const { name, facts, cases: written } of stores) {
    const cases = drift ? topicsOfOthers(name, stores) : written;
    const workspace = mkdtempSync(join(tmpdir(), 'keepsake-precision-'));
    const client = createClient({ workspace, config: { models: { embedding } } });
    const own = client.agent({ name: 'own' });
    const places = new Map<string, number>();
    const ids: string[] = [];
    for (const [place, given] of facts.entries()) {
      const { content, category, agent }: Fact = typeof given === 'string' ? { content: given } : given;
      const before = facts.findIndex((fact) => typeof fact !== 'string' && fact.supersededBy === place);
      const { memory } = agent === undefined ? own : client.agent({ name: agent });
      const { id } = await memory.add({
        content,
        ...(category === undefined ? {} : { category }),
        ...(before < 0 ? {} : { supersedes: ids[before]! }),
      });
      ids.push(id);
      places.set(id, place);
    }
    if (embedding !== 'none') await (await client.open()).embedder.drain();
    for (const [kind, question, answers] of cases) {
      const hits = await own.memory.search(question, { all });
      const { relevant } = await own.memory.recall(question, { standing: false });
      outcomes.push({
        ...{ store: name, kind, question, answers },
        returned: hits.map(({ id }) => places.get(id)!),
        tokens: relevant.reduce((sum, { content }) => sum + estimateTokens(content), 0),
      });
    }
    await client.close();
    rmSync(workspace, { recursive: true, force: true });
  }
  return outcomes;
}

/** Where a conversation drifts to: the first questions to every other store, which this one cannot answer. */
function topicsOfOthers(
  name: string,
  stores: readonly (Store & { readonly name: string })[],
): Store['cases'] {
  return stores
    .filter((other) => other.name !== name)
    .flatMap(({ cases }) => cases.slice(0, DRIFT).map(([, question]) => ['drift', question, []] as const));
}

export interface Summary {
  /** Of everything that was returned for questions that have an answer, the share that answers. */
  readonly precision: number;
  /** Of the answers to a question, the share that was returned; the mean over questions. */
  readonly recall: number;
  /** Of the questions without an answer, the share that something was returned for. */
  readonly answeredInVain: number;
  readonly tokensPerQuestion: number;
}

export function summarise(outcomes: readonly Outcome[]): Summary {
  const able = outcomes.filter(({ answers }) => answers.length > 0);
  const unable = outcomes.filter(({ answers }) => answers.length === 0);
  const right = ({ answers, returned }: Outcome) =>
    returned.filter((place) => answers.includes(place)).length;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    precision: sum(able.map(right)) / Math.max(1, sum(able.map(({ returned }) => returned.length))),
    recall: sum(able.map((outcome) => right(outcome) / outcome.answers.length)) / able.length,
    answeredInVain: unable.filter(({ returned }) => returned.length > 0).length / Math.max(1, unable.length),
    tokensPerQuestion: sum(outcomes.map(({ tokens }) => tokens)) / outcomes.length,
  };
}
