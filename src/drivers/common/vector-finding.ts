/** What `doctor` reports about the vectors of an engine, the same for each. */
import type { Finding, VectorFacts } from '../../ports/maintenance.ts';

export function vectorFinding(vectors: VectorFacts): Finding {
  const { present } = vectors;
  const message = present === null ? 'There are no vectors yet.' : `The vectors are of ${present.model}.`;
  return { check: 'vectors.models', severity: 'ok', message, vectors };
}
