/** Tests the embedding model, compares it with the stored vectors, and reports why search by meaning is not available. */
import { embeddingId, openEmbedding, openStoredEmbedding, readEnvironment } from '../config/index.ts';
import { KeepsakeError, toKeepsakeError } from '../kernel/errors.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { Finding, VectorFacts } from '../ports/maintenance.ts';
import type { LocatedWorkspace } from './target.ts';

/** As long as a search waits. */
const PATIENCE_MS = 10_000;
/** So many the next search makes before it looks, where that takes microseconds. */
const SOON = 2_000;

interface Tried {
  readonly works: boolean;
  /** Of its answer. */
  readonly dimensions?: number | undefined;
  /** Makes vectors at once, so that nothing waits for long. */
  readonly isInstant: boolean;
  readonly message: string;
  readonly hint?: string | undefined;
}

async function tried(open: () => Promise<EmbeddingModel | undefined>): Promise<Tried> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      reject(
        new KeepsakeError('TIMEOUT', `It did not answer within ${PATIENCE_MS / 1_000} seconds.`, {
          hint: 'Check that its server is running.',
        }),
      ),
    PATIENCE_MS,
  );
  const stop = new AbortController();
  let model: EmbeddingModel | undefined;
  try {
    model = await open();
    const isInstant = model?.embedNow !== undefined;
    if (model === undefined) return { works: false, isInstant, message: 'Keepsake does not know it.' };
    const embedding = model.embed(['Does it work?'], 'query', stop.signal);
    const [vector] = await Promise.race([embedding, promise]);
    return { works: true, isInstant, message: '', dimensions: vector?.length };
  } catch (error) {
    const { code, message, hint } = toKeepsakeError(error);
    return { works: false, isInstant: false, message, ...(code === 'INTERNAL' ? {} : { hint }) };
  } finally {
    clearTimeout(timer);
    stop.abort();
    await model?.close?.();
  }
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function describeModel(name: string, { works, message, hint }: Tried): Finding {
  const check = 'embedding.model';
  if (works) return { check, severity: 'ok', message: `The embedding model ${name} works.` };
  return {
    check,
    severity: 'notice',
    message: `The embedding model ${name} cannot be used. ${message}`,
    hint: hint ?? 'Run "keepsake models list" to see what it needs.',
  };
}

/** A server that changed the model behind a name. */
function describeMisfit(model: string, here: number, now: number): Finding {
  return {
    check: 'embedding.dimensions',
    severity: 'notice',
    message: `The stored vectors of ${model} have ${here} dimensions, but the model returns ${now}, so search uses words only.`,
    hint: 'Restore the previous model, or configure this one under another name and run "keepsake re-embed".',
  };
}

/** Vectors of two models are never compared, so those that are there decide which model search uses. */
function describeMismatch(present: string, wanted: string, { works, message }: Tried): Finding {
  const meanwhile = works
    ? 'Search continues with the model that made the stored vectors.'
    : `The model that made the stored vectors cannot be used here, so search uses words only. ${message}`;
  return {
    check: 'embedding.vectors',
    severity: 'notice',
    message: `The stored vectors were made by ${present}, but ${wanted} is configured. ${meanwhile}`,
    hint: 'Run "keepsake re-embed" to rebuild them, or configure the previous model.',
  };
}

function describeAside({ model, made }: NonNullable<VectorFacts['aside']>): Finding {
  return {
    check: 'embedding.unfinished',
    severity: 'notice',
    message: `The change to ${model} is not finished: ${counted(made, 'vector is', 'vectors are')} made.`,
    hint: 'Run "keepsake re-embed": it continues where it stopped.',
  };
}

function describeBacklog(waiting: number, { works, isInstant }: Tried): Finding {
  const check = 'embedding.backlog';
  if (waiting === 0) return { check, severity: 'ok', message: 'No memory waits for its vector.' };
  const found = waiting === 1 ? 'it is' : 'they are';
  const many = counted(waiting, 'memory waits for its vector', 'memories wait for their vectors');
  if (works && isInstant && waiting <= SOON)
    return { check, severity: 'ok', message: `${many}; the next search makes them.` };
  return {
    check,
    severity: 'notice',
    message: `${many}; until then ${found} found by words only.`,
    hint: 'Run "keepsake models embed".',
  };
}

export async function examineEmbedding(
  { config, root }: LocatedWorkspace,
  /** Unknown when the database could not be examined. */
  vectors: VectorFacts | undefined,
): Promise<Finding[]> {
  const name = config.models.embedding;
  if (name === 'none') return [];
  const place = { models: config.models, env: readEnvironment(), root };
  const configured = await tried(() => openEmbedding(place));
  const findings = [describeModel(name, configured)];
  if (vectors === undefined) return findings;
  const { present, aside, waiting } = vectors;
  const wanted = await embeddingId(place).catch(() => undefined);
  const isOther = present !== null && wanted !== undefined && present.model !== wanted;
  const used = isOther ? await tried(() => openStoredEmbedding(place, present.model)) : configured;
  if (isOther) findings.push(describeMismatch(present.model, wanted, used));
  const { dimensions } = used;
  if (present !== null && dimensions !== undefined && dimensions !== present.dimensions)
    findings.push(describeMisfit(present.model, present.dimensions, dimensions));
  if (aside !== null) findings.push(describeAside(aside));
  findings.push(describeBacklog(waiting, used));
  return findings;
}
