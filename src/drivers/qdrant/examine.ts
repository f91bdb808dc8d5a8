/** Checks whether Qdrant can be reached and holds what the main storage says; with `fix`, repairs it. */
import { defined } from '../../kernel/defined.ts';
import { toKeepsakeError } from '../../kernel/errors.ts';
import type { Finding } from '../../ports/maintenance.ts';
import type { FeedModel } from '../../ports/vector-feed.ts';
import type { Carrier } from './carrier.ts';
import type { QdrantClient } from './client.ts';
import type { Collections } from './collections.ts';
import { type Compared, compare, repair } from './compare.ts';

export interface Examined extends Omit<Compared, 'identity'> {
  readonly client: QdrantClient;
  readonly carrier: Carrier;
  /** Undefined: nothing was ever carried. */
  readonly identity: string | undefined;
}

const FIX = 'Run "keepsake doctor --fix"; the index is rebuilt from the main storage.';

export async function examine(examined: Examined, { fix }: { readonly fix: boolean }): Promise<Finding[]> {
  const { client, feed, carrier, collections, identity } = examined;
  try {
    await collections.probe();
  } catch (error) {
    const { message, hint } = toKeepsakeError(error);
    const server: Finding = { check: 'qdrant.server', severity: 'problem', message };
    return [{ ...server, ...defined({ hint }) }, behind(await feed.backlog())];
  }
  const findings: Finding[] = [
    { check: 'qdrant.server', severity: 'ok', message: `Qdrant at ${client.place} answers.` },
  ];
  if (identity === undefined) {
    const message = 'Nothing was carried to Qdrant yet; it begins when the workspace is next opened.';
    return [...findings, { check: 'qdrant.content', severity: 'notice', message }];
  }
  try {
    if (fix) await carrier.carryAll();
    findings.push(behind(await feed.backlog()));
    // Before the models are read: whoever creates a collection has stored a vector for it by then.
    const names = await collections.namesOf(identity);
    const models = (await feed.models()).filter(({ vectors }) => vectors > 0);
    for (const model of models) {
      findings.push(await examineModel({ feed, collections, identity }, model, fix, carrier));
    }
    if (fix) for (const model of models) await carrier.results.repair(identity, model);
    if (fix) await carrier.carryAll();
    const used = new Set(
      models.flatMap((model) => [
        collections.nameOf(identity, model),
        collections.resultsOf(identity, model),
      ]),
    );
    findings.push(
      ...(await examineUnused(
        collections,
        names.filter((name) => !used.has(name)),
        fix,
      )),
    );
  } catch (error) {
    const { message, hint } = toKeepsakeError(error);
    const failed: Finding = { check: 'qdrant.content', severity: 'problem', message };
    findings.push({ ...failed, ...defined({ hint }) });
  }
  return findings;
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function behind(backlog: number): Finding {
  const check = 'qdrant.backlog';
  if (backlog === 0) return { check, severity: 'ok', message: 'Qdrant has confirmed every change.' };
  return {
    check,
    severity: 'notice',
    message: `${counted(backlog, 'change waits', 'changes wait')} for Qdrant; search finds what waits in the main storage.`,
    hint: 'They are carried as soon as Qdrant answers, by any process that runs; or with "keepsake doctor --fix".',
  };
}

async function examineModel(
  compared: Compared,
  model: FeedModel,
  fix: boolean,
  carrier: Carrier,
): Promise<Finding> {
  const check = 'qdrant.content';
  const { missing, extra } = fix ? await repair(compared, model) : await compare(compared, model);
  if (missing.length + extra.length === 0) {
    const { words } = await compared.collections.shape(compared.collections.nameOf(compared.identity, model));
    const what = words === undefined ? 'vectors' : 'vectors and words';
    return { check, severity: 'ok', message: `Qdrant holds the ${what} of ${model.id}, and no others.` };
  }
  const problem: Finding = {
    check,
    severity: 'problem',
    message: `Qdrant lacks ${counted(missing.length, 'vector', 'vectors')} of ${model.id} and has ${extra.length} too many.`,
    hint: FIX,
    fixable: true,
  };
  if (!fix) return problem;
  await carrier.carryAll();
  const after = await compare(compared, model);
  return { ...problem, fixed: after.missing.length + after.extra.length === 0 };
}

/** What is left of another model after this one replaced it. */
async function examineUnused(
  collections: Collections,
  names: readonly string[],
  fix: boolean,
): Promise<Finding[]> {
  if (fix) for (const name of names) await collections.drop(name);
  return names.map((name) => ({
    check: 'qdrant.unused',
    severity: 'notice',
    message: `The collection ${name} is of a model that no memory uses any more.`,
    hint: 'Run "keepsake doctor --fix" to drop it.',
    fixable: true,
    ...(fix ? { fixed: true } : {}),
  }));
}
