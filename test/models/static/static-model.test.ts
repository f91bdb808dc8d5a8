/** The embedded default model, as it ships. */
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createStaticModel } from '../../../src/models/static/index.ts';
import { indexPieces, packIndex, unpackIndex } from '../../../src/models/static/piece-index.ts';

const shipped = new URL('../../../models/static/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('manifest.json', shipped), 'utf8'));
const model = createStaticModel();
const vector = (text: string): Float32Array => model.embedNow!(text);
const cosine = (a: string, b: string): number => {
  const other = vector(b);
  return vector(a).reduce((sum, x, i) => sum + x * other[i]!, 0);
};
const lengthOf = (v: Float32Array): number => Math.hypot(...v);

describe('the shipped table', () => {
  it('is the one that the manifest names', () => {
    for (const [file, hash] of Object.entries(manifest.files)) {
      expect(
        createHash('sha256')
          .update(readFileSync(new URL(file, shipped)))
          .digest('hex'),
        file,
      ).toBe(hash);
    }
    expect(model.id).toBe(`static/keepsake-1-${manifest.files['table.bin'].slice(0, 8)}@${model.dimensions}`);
  });

  it('has the index that its vocabulary gives', () => {
    const text = readFileSync(new URL('vocabulary.txt', shipped), 'utf8');
    const made = indexPieces(text);
    const bytes = readFileSync(new URL('vocabulary.index', shipped));
    expect(packIndex(made).equals(bytes)).toBe(true);
    expect(unpackIndex(bytes, manifest.rows, text)).toEqual(made);
    // One that begins anywhere in memory, one of another text, one that is cut off.
    const shifted = Buffer.concat([Buffer.from([0]), bytes]).subarray(1);
    expect(unpackIndex(shifted, manifest.rows, text)).toEqual(made);
    expect(unpackIndex(bytes, manifest.rows, `${text}.`)).toBeUndefined();
    expect(unpackIndex(bytes.subarray(4), manifest.rows, text)).toBeUndefined();
  });

  it('is small enough for a package', () => {
    const bytes = Object.keys(manifest.files).map((file) => statSync(new URL(file, shipped)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(8_500_000);
  });
});

describe('a vector', () => {
  it('has unit length and the promised dimensions', () => {
    for (const text of ['dog', 'The meeting was moved to Tuesday.', '東京', 'a '.repeat(5_000)]) {
      expect(vector(text)).toHaveLength(model.dimensions);
      expect(lengthOf(vector(text))).toBeCloseTo(1, 5);
    }
  });

  it('is zeros when no word is known', () => {
    for (const text of ['', ' \n', '😀', '!', 'Когда?', '\ud800', 'x'.repeat(1_000_000)]) {
      expect(
        vector(text).every((x) => x === 0),
        JSON.stringify(text.slice(0, 10)),
      ).toBe(true);
    }
  });

  it('is the same every time, from every instance, alone and in a batch', async () => {
    const texts = ['She plays the cello.', 'Nightly builds fail on Sundays.', ''];
    const batch = await createStaticModel().embed(texts, 'document');
    expect(batch).toEqual(texts.map(vector));
    expect(await model.embed(texts, 'query')).toEqual(batch);
  });

  it('has a length of one or zero for any text at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const length = lengthOf(vector(text));
        expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true);
      }),
    );
  });
});

describe('meaning', () => {
  it.each([
    ['The car would not start', 'automobile engine trouble', 'recipe for soup'],
    ['Where does she live?', 'Her home is in a small town by the sea.', 'The invoice was paid in March.'],
    ['I cannot eat peanuts', 'food allergy', 'train timetable'],
    ['Our database is slow', 'SQL queries take too long', 'The cat slept on the sofa'],
    ['My sister is getting married', 'wedding of a relative', 'broken kitchen window'],
    ['How do I cancel the subscription?', 'ending a paid membership', 'the height of the mountain'],
    ['He broke his leg while skiing', 'winter sports injury', 'choosing a colour for the website'],
  ])('of %j is nearer to %j than to %j', (text, near, far) => {
    expect(cosine(text, near)).toBeGreaterThan(cosine(text, far) + 0.1);
  });

  it('is calibrated: unrelated texts stay below, the same said otherwise comes near', () => {
    const { unrelated, same } = model.calibration;
    expect(unrelated).toBeGreaterThan(0);
    expect(same).toBeGreaterThan(unrelated + 0.2);
    expect(same).toBeLessThan(1);
    expect(cosine('The violin lesson starts at five', 'Rust prevents data races')).toBeLessThan(unrelated);
    expect(cosine('I bought a new car last week', 'Last week I purchased a new automobile')).toBeGreaterThan(
      (unrelated + same) / 2,
    );
  });
});

describe('a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-static-'));
  cpSync(fileURLToPath(shipped), folder, { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('may be named by path or address', () => {
    expect(createStaticModel({ folder }).embedNow!('dog')).toEqual(vector('dog'));
    expect(createStaticModel({ folder: shipped }).id).toBe(model.id);
  });

  it('may lack the index', () => {
    rmSync(join(folder, 'vocabulary.index'));
    expect(createStaticModel({ folder }).embedNow!('winter sports')).toEqual(vector('winter sports'));
  });

  it('is refused when the table is cut off, of another format, or missing', () => {
    const hint = expect.stringContaining('Install keepsake again');
    truncateSync(join(folder, 'table.bin'), 1_000);
    expect(() => createStaticModel({ folder })).toThrow(expect.objectContaining({ code: 'CORRUPT', hint }));
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, format: 99 }));
    expect(() => createStaticModel({ folder })).toThrow(/unknown format 99/);
    expect(() => createStaticModel({ folder: join(folder, 'nowhere') })).toThrow(
      expect.objectContaining({ code: 'CORRUPT', hint }),
    );
  });
});

describe('the rows of the table', () => {
  const words = readFileSync(new URL('vocabulary.txt', shipped), 'utf8')
    .split('\n')
    .filter((piece) => /^[a-z]{3,}$/.test(piece))
    .slice(0, 2_000);

  it('are the same, read one by one or all at once', async () => {
    const slow = createStaticModel();
    const [first, ...rest] = words;
    expect(slow.embedNow!(first!)).toEqual(vector(first!));
    const quick = createStaticModel();
    quick.embedNow!(words.join(' '));
    for (const word of rest) {
      expect(slow.embedNow!(word)).toEqual(vector(word));
      expect(quick.embedNow!(word)).toEqual(vector(word));
    }
    await Promise.all([slow.close!(), quick.close!()]);
    expect(slow.embedNow!('dog')).toEqual(vector('dog'));
  });

  it('are of the file that was opened, whatever takes its place', () => {
    const folder = mkdtempSync(join(tmpdir(), 'keepsake-static-'));
    cpSync(fileURLToPath(shipped), folder, { recursive: true });
    const opened = createStaticModel({ folder });
    rmSync(folder, { recursive: true });
    expect(opened.embedNow!('dog')).toEqual(vector('dog'));
    for (const word of words) opened.embedNow!(word);
    expect(opened.embedNow!('dog')).toEqual(vector('dog'));
  });

  it('cannot be read after the model was closed, if they were not before', async () => {
    const closed = createStaticModel();
    closed.embedNow!('dog');
    await closed.close!();
    await closed.close!();
    expect(closed.embedNow!('dog')).toEqual(vector('dog'));
    expect(() => closed.embedNow!('cat')).toThrow(expect.objectContaining({ code: 'CLOSED' }));
  });

  it('that are gone are told', () => {
    const folder = mkdtempSync(join(tmpdir(), 'keepsake-static-'));
    cpSync(fileURLToPath(shipped), folder, { recursive: true });
    const opened = createStaticModel({ folder });
    truncateSync(join(folder, 'table.bin'), 0);
    expect(() => opened.embedNow!('dog')).toThrow(expect.objectContaining({ code: 'CORRUPT' }));
    rmSync(folder, { recursive: true });
  });
});

describe('a batch', () => {
  it('stops when asked to', async () => {
    const stop = new AbortController();
    const batch = model.embed(
      Array.from({ length: 2_000 }, (_, n) => `text ${n}`),
      'document',
      stop.signal,
    );
    setImmediate(() => stop.abort());
    await expect(batch).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('lets other work go on', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await model.embed(
      Array.from({ length: 2_000 }, (_, n) => `text ${n}`),
      'document',
    );
    clearImmediate(timer);
    expect(turns).toBeGreaterThanOrEqual(5);
  });
});
