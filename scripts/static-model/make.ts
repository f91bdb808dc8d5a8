/**
 * Makes the static embedding table from hash-checked inputs: `node scripts/static-model/make.ts`.
 * `--plain` skips the training, `--cache` and `--out` name other folders. About a quarter of an hour on two cores,
 * most of it the teacher's; what the teacher said is kept in the cache.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PieceTable } from '../../src/models/static/piece-table.ts';
import { WordPiece } from '../../src/models/static/word-piece.ts';
import { calibrate } from './calibrate.ts';
import { corpusHash, makeCorpus } from './corpus.ts';
import { distil, usefulPieces } from './distil.ts';
import { fetchTeacher, SOURCES, sha256, TEACHER_FILES } from './inputs.ts';
import { type Matrix, matrix, normaliseRows } from './matrix.ts';
import { refine } from './refine.ts';
import { loadTeacher, TEACHER_DIMENSIONS } from './teacher.ts';
import { makeLesson, sumRows } from './train.ts';
import { writeTable } from './write-table.ts';

const DIMENSIONS = 256;
/** The teacher sees this much of a text, two places being taken by its marks. */
const MAX_TOKENS = 126;
/** Texts that are kept from the training, to measure with. */
const HELD_OUT = 4_000;

const { values: options } = parseArgs({
  options: {
    plain: { type: 'boolean', default: false },
    cache: { type: 'string', default: join(tmpdir(), 'keepsake-model-cache') },
    out: { type: 'string', default: fileURLToPath(new URL('../../models/static/', import.meta.url)) },
  },
});

const started = performance.now();
function say(message: string): void {
  console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${message}`);
}

const teacher = fetchTeacher(options.cache);
const { pieces, ids } = usefulPieces(teacher.vocabulary);
const [begin, end] = ['[CLS]', '[SEP]'].map((mark) => teacher.vocabulary.indexOf(mark)) as [number, number];

/** The teacher's unit vectors of token lists, from the cache if it has been asked before. */
async function ask(name: string, lists: readonly (readonly number[])[]): Promise<Matrix> {
  const file = join(
    options.cache,
    `vectors-${name}-${sha256(Buffer.from(JSON.stringify(lists))).slice(0, 16)}.f32`,
  );
  if (!existsSync(file)) {
    const embed = await loadTeacher(teacher, availableParallelism());
    let next = 0;
    const vectors = await embed(
      lists.map((list) => [begin, ...list, end]),
      (done) => {
        if (done < next) return;
        say(`${name}: ${done} of ${lists.length}`);
        next = done + 20_000;
      },
    );
    const unit = matrix(vectors, TEACHER_DIMENSIONS);
    normaliseRows(unit);
    writeFileSync(file, new Uint8Array(unit.data.buffer));
  }
  const bytes = readFileSync(file);
  return matrix(new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4), TEACHER_DIMENSIONS);
}

const texts = makeCorpus(options.cache, teacher.vocabulary);
say(`${texts.length} texts, SHA-256 ${corpusHash(texts)}`);
const tokens = new WordPiece(new PieceTable(teacher.vocabulary.join('\n')));
const pieceVectors = await ask(
  'pieces',
  ids.map((id) => [id]),
);
const textVectors = await ask(
  'texts',
  texts.map((text) => tokens.rows(text).slice(0, MAX_TOKENS)),
);
const wordPiece = new WordPiece(new PieceTable(pieces.join('\n')));
const textRows = texts.map((text) => wordPiece.rows(text).slice(0, MAX_TOKENS));

const table = options.plain
  ? distil(pieceVectors, DIMENSIONS)
  : refine({ pieceVectors, textVectors, textRows, dimensions: DIMENSIONS, heldOut: HELD_OUT, say });

const lesson = makeLesson(textRows.slice(0, HELD_OUT), textVectors);
const held = matrix(new Float32Array(HELD_OUT * DIMENSIONS), DIMENSIONS);
for (let text = 0; text < HELD_OUT; text += 1) {
  sumRows(table, lesson, text, held.data.subarray(text * DIMENSIONS, (text + 1) * DIMENSIONS));
}
normaliseRows(held);
const measured = calibrate(held, textVectors);
say(JSON.stringify(measured));

const manifest = writeTable(options.out, pieces, table, {
  calibration: measured.calibration,
  inputs: {
    ...Object.fromEntries(Object.values(SOURCES).map((source) => [source.package, source.sha256])),
    ...Object.fromEntries(Object.entries(TEACHER_FILES).map(([file, hash]) => [`gte-small/${file}`, hash])),
    corpus: corpusHash(texts),
  },
});
say(`${manifest.id} written to ${options.out}`);
