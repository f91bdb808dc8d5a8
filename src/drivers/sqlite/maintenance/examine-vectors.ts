/** Checks of vectors: each belongs to a memory, is whole, and the packed copies say the same. What is wrong is rebuilt. */
import type { Database } from 'better-sqlite3';
import type { Finding, VectorFacts } from '../../../ports/maintenance.ts';
import { PARTITION_OF_ROW } from '../../common/partitions.ts';
import { vectorFinding } from '../../common/vector-finding.ts';
import { fromBlob } from '../../common/vector-math.ts';
import { squareSum } from '../../search-kernels/vectors/dot.ts';
import { type PackedRows, readPack, writePack } from '../../search-kernels/vectors/pack-format.ts';
import { type Check, counted, rowCheck, some } from './examine-check.ts';
import { forgetFollowers } from './sequences.ts';

/** All that is in them can be rebuilt from the records. */
export const VECTOR_TABLES: readonly string[] = [
  'embedding_models',
  'record_vectors',
  'embedding_queue',
  'vectors_aside',
  'vector_packs',
  'vector_gaps',
  'vector_feed',
  'vector_changes',
];

const NO_OWNER = 'NOT IN (SELECT rid FROM records WHERE forgotten_at IS NULL)';
const WRONG_SILO = `EXISTS (SELECT 1 FROM records r WHERE r.rid = v.rid
  AND v.silo <> ${PARTITION_OF_ROW})`;
/** Stored vectors have length 1, or none at all; a torn one has lost some of it. */
const LENGTH_TOLERANCE = 1e-3;

const FIX = 'Run "keepsake doctor --fix"; what is missing afterwards is rebuilt.';

/** Records that neither have a vector nor wait for one would never be found by meaning. */
const ENQUEUE_MISSING = `INSERT INTO embedding_queue SELECT rid FROM records WHERE forgotten_at IS NULL
  AND rid NOT IN (SELECT rid FROM record_vectors) AND rid NOT IN (SELECT rid FROM embedding_queue)`;
const DEQUEUE_SURPLUS = 'DELETE FROM embedding_queue WHERE rid IN (SELECT rid FROM record_vectors)';

const owners = rowCheck({
  check: 'vectors.owners',
  fine: 'Every vector belongs to a memory, and to those who may see it.',
  rows: `SELECT rid FROM record_vectors WHERE rid ${NO_OWNER}
    UNION SELECT rid FROM embedding_queue WHERE rid ${NO_OWNER}
    UNION SELECT rid FROM vector_gaps WHERE rid ${NO_OWNER}
    UNION SELECT rid FROM record_vectors v WHERE ${WRONG_SILO}`,
  message: (count) =>
    `${counted(count, 'vector belongs', 'vectors belong')} to a memory that is gone, or to the wrong agent`,
  hint: FIX,
  mend: [
    `DELETE FROM vector_packs WHERE EXISTS (SELECT 1 FROM record_vectors v WHERE v.rid ${NO_OWNER} AND
      v.model = vector_packs.model AND v.silo = vector_packs.silo AND v.seq BETWEEN first_seq AND last_seq)`,
    `DELETE FROM vector_packs WHERE pack IN (SELECT pack FROM vector_gaps WHERE rid ${NO_OWNER})`,
    `DELETE FROM vector_gaps WHERE rid ${NO_OWNER}`,
    `DELETE FROM record_vectors WHERE rid ${NO_OWNER}`,
    `DELETE FROM embedding_queue WHERE rid ${NO_OWNER}`,
    `DELETE FROM record_vectors AS v WHERE ${WRONG_SILO}`,
    ENQUEUE_MISSING,
  ],
});

interface VectorRow {
  readonly seq: number;
  readonly rid: number;
  readonly vector: Buffer;
  readonly dimensions: number | null;
}

function isWhole({ vector, dimensions }: VectorRow): boolean {
  const numbers = dimensions === null ? undefined : fromBlob(vector, dimensions);
  if (numbers === undefined) return false;
  const squared = squareSum(numbers);
  return squared === 0 || Math.abs(squared - 1) < LENGTH_TOLERANCE;
}

function brokenVectors(database: Database): VectorRow[] {
  const rows = database
    .prepare(
      `SELECT v.seq, v.rid, v.vector, m.dimensions FROM record_vectors v LEFT JOIN embedding_models m ON m.key = v.model`,
    )
    .iterate() as IterableIterator<VectorRow>;
  const broken: VectorRow[] = [];
  for (const row of rows) if (!isWhole(row)) broken.push(row);
  return broken;
}

function dropBroken(database: Database): void {
  const drop = database.prepare('DELETE FROM record_vectors WHERE seq = ?');
  for (const { seq } of brokenVectors(database)) drop.run(seq);
  database.exec(ENQUEUE_MISSING);
}

const whole: Check = {
  check: 'vectors.whole',
  fine: 'Every vector is whole.',
  look(snapshot) {
    const broken = brokenVectors(snapshot).map((row) => row.rid);
    if (broken.length === 0) return undefined;
    return {
      message: `${counted(broken.length, 'vector is', 'vectors are')} damaged (${some(broken)}).`,
      hint: FIX,
    };
  },
  mend: dropBroken,
};

const waiting = rowCheck({
  check: 'vectors.waiting',
  fine: 'Every memory has a vector or waits for one.',
  rows: `SELECT id FROM records WHERE forgotten_at IS NULL AND
    (rid IN (SELECT rid FROM record_vectors)) = (rid IN (SELECT rid FROM embedding_queue))`,
  message: (count) =>
    `${counted(count, 'memory', 'memories')} neither with a vector nor waiting for one, or both`,
  hint: 'Run "keepsake doctor --fix".',
  mend: [ENQUEUE_MISSING, DEQUEUE_SURPLUS],
});

interface PackRow {
  readonly pack: number;
  readonly model: number;
  readonly silo: string;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly count: number;
  readonly dimensions: number | null;
}

/** Packs that lack a vector of their range, have one too many, or hold another one than the table. */
function wrongPacks(database: Database): number[] {
  const packs = database
    .prepare(
      `SELECT p.pack, p.model, p.silo, p.first_seq, p.last_seq, p.count, m.dimensions
       FROM vector_packs p LEFT JOIN embedding_models m ON m.key = p.model ORDER BY p.model, p.silo, p.first_seq`,
    )
    .all() as PackRow[];
  const data = database.prepare('SELECT data FROM vector_packs WHERE pack = ?').pluck();
  const rows = database.prepare(
    'SELECT seq, rid, vector FROM record_vectors WHERE model = ? AND silo = ? AND seq BETWEEN ? AND ? ORDER BY seq',
  );
  const gaps = database.prepare('SELECT seq FROM vector_gaps WHERE pack = ?').pluck();
  const isRight = (pack: PackRow, before: PackRow | undefined): boolean => {
    const { model, silo, first_seq, last_seq, count, dimensions } = pack;
    const overlaps = before?.model === model && before.silo === silo && before.last_seq >= first_seq;
    if (dimensions === null || overlaps) return false;
    const packed = readPack(data.get(pack.pack) as Buffer, count, dimensions);
    if (packed === undefined) return false;
    const stored = rows.all(model, silo, first_seq, last_seq) as Omit<VectorRow, 'dimensions'>[];
    const expected = stored.flatMap(({ seq, rid, vector }) => {
      const numbers = fromBlob(vector, dimensions);
      return numbers === undefined ? [] : [{ seq, rid, vector: numbers }];
    });
    const right = readPack(writePack(expected, dimensions), expected.length, dimensions)!;
    return isSame(packed, right, new Set(gaps.all(pack.pack) as number[]), dimensions);
  };
  return packs.filter((pack, i) => !isRight(pack, packs[i - 1])).map(({ pack }) => pack);
}

function isSame(
  packed: PackedRows,
  right: PackedRows,
  gaps: ReadonlySet<number>,
  dimensions: number,
): boolean {
  const codesOf = ({ codes }: PackedRows, row: number): Buffer =>
    Buffer.from(codes.buffer, codes.byteOffset + row * dimensions, dimensions);
  let next = 0;
  for (let row = 0; row < packed.seqs.length; row++) {
    const seq = packed.seqs[row]!;
    if (gaps.has(seq) && right.seqs[next] !== seq) continue;
    const equal =
      right.seqs[next] === seq &&
      right.rids[next] === packed.rids[row] &&
      right.scales[next] === packed.scales[row] &&
      right.margins[next] === packed.margins[row] &&
      codesOf(packed, row).equals(codesOf(right, next));
    if (!equal) return false;
    next++;
  }
  return next === right.seqs.length;
}

const packs: Check = {
  check: 'vectors.packs',
  fine: 'The packed copies of vectors say what the vectors say.',
  look(snapshot) {
    const wrong = wrongPacks(snapshot);
    if (wrong.length === 0) return undefined;
    return {
      message: `${counted(wrong.length, 'packed copy differs', 'packed copies differ')} from the vectors (${some(wrong)}).`,
      hint: 'Run "keepsake doctor --fix" to drop them; they are rebuilt.',
    };
  },
  mend(database) {
    const drop = database.prepare('DELETE FROM vector_packs WHERE pack = ?');
    for (const pack of wrongPacks(database)) drop.run(pack);
  },
};

/** Packs come last: they must agree with what is left of the vectors. */
export const VECTOR_CHECKS: readonly Check[] = [owners, whole, waiting, packs];

/** No trouble by itself: who knows the configured model judges it. Looked at last, after what was mended. */
export function vectorFacts(snapshot: Database): Finding {
  const present = snapshot
    .prepare(
      `SELECT m.id AS model, m.dimensions FROM record_vectors v JOIN embedding_models m ON m.key = v.model
       GROUP BY m.key ORDER BY count(*) DESC, m.key DESC LIMIT 1`,
    )
    .get() as VectorFacts['present'] | undefined;
  const aside = snapshot
    .prepare(
      `SELECT m.id AS model, count(*) AS made FROM vectors_aside a JOIN embedding_models m ON m.key = a.model
       GROUP BY m.key ORDER BY made DESC LIMIT 1`,
    )
    .get() as VectorFacts['aside'] | undefined;
  const queued = snapshot.prepare('SELECT count(*) FROM embedding_queue').pluck().get() as number;
  return vectorFinding({ present: present ?? null, waiting: queued, aside: aside ?? null });
}

/** After a salvage: only what is certain stays, everything else is rebuilt. Databases of old have no vectors. */
export function mendSalvagedVectors(database: Database): void {
  const has = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
  if (has.get('record_vectors') === undefined) return;
  if (has.get('vector_feed') !== undefined) forgetFollowers(database);
  database.exec('DELETE FROM vector_gaps; DELETE FROM vector_packs');
  database.exec(DEQUEUE_SURPLUS);
  dropBroken(database);
}
