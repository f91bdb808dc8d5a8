/** The texts of the sources, as short passages with a label. */
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { parquetReader } from './parquet.ts';
import type { SourceName } from './sources.ts';
import { pick, type Random, shuffle } from './templates.ts';
import { filesOf } from './unpack.ts';

export interface Texts {
  readonly orders: readonly string[];
  readonly harmless: readonly string[];
}

type Reader = (folder: string, random: Random) => Texts | Promise<Texts>;

const harmlessOnly = (harmless: readonly string[]): Texts => ({ orders: [], harmless });
const read = (file: string): string => readFileSync(file, 'utf8');
const distinct = (texts: readonly string[]): string[] => [...new Set(texts.map((text) => text.trim()))];
const some = (texts: readonly string[], count: number, random: Random): string[] =>
  shuffle(distinct(texts), random).slice(0, count);

/** Lines and paragraphs of Markdown, without its marks. */
function passages(markdown: string): string[] {
  const text = markdown.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/```[\s\S]*?```/g, '\n');
  return text
    .split(/\n\s*\n|\n(?=\s*(?:[-*#>|]|\d+\.))/)
    .map((part) =>
      part
        .replace(/^\s*(?:[-*#>]+|\d+\.)\s*/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((part) => part.length >= 15 && part.length <= 600 && !/[{<]{2}|<!--/.test(part));
}

const linesOf = (text: string): Record<string, string>[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, string>);

const ASKS_FOR_SECRET = /pass ?word|secret|instruct|prompt|ignore|forget|rules|letters?\b|spell|hidden/i;

interface Labelled {
  readonly text: string;
  readonly isOrder: boolean;
}

const isSentence = (text: string): boolean => text.length > 15;

function labelled(rows: readonly Labelled[]): Texts {
  const of = (isOrder: boolean): string[] =>
    distinct(rows.filter((row) => row.isOrder === isOrder).map(({ text }) => text)).filter(isSentence);
  return { orders: of(true), harmless: of(false) };
}

/** Rows of a CSV file with quotes. */
function rowsOf(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)!.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  return rows;
}

export const READERS: Readonly<Record<SourceName, Reader>> = {
  cursorrules: (folder, random) =>
    harmlessOnly(some(filesOf(folder).map(read).flatMap(passages), 8_000, random)),
  copilot: (folder, random) => harmlessOnly(some(filesOf(folder).map(read).flatMap(passages), 9_000, random)),
  clinc(folder, random) {
    const data = JSON.parse(read(filesOf(folder)[0]!)) as Record<string, [string, string][]>;
    return harmlessOnly(
      some(
        Object.values(data)
          .flat()
          .map(([text]) => text),
        6_000,
        random,
      ),
    );
  },
  banking: (folder, random) =>
    harmlessOnly(
      some(
        rowsOf(read(filesOf(folder)[0]!)).map(([text]) => text ?? ''),
        3_000,
        random,
      ),
    ),
  voice: (folder, random) =>
    harmlessOnly(
      filesOf(folder).flatMap((file) => some(read(file).split('\n').filter(Boolean), 1_200, random)),
    ),
  kubernetes(folder, random) {
    const byLanguage = Map.groupBy(filesOf(folder), (file) => basename(file).split('__')[1]!);
    return harmlessOnly(
      [...byLanguage.values()].flatMap((files) => some(files.map(read).flatMap(passages), 900, random)),
    );
  },
  home(folder, random) {
    const sentences = filesOf(folder).flatMap((file) =>
      [...read(file).matchAll(/^\s+- "?([^"{}:\n]{8,120})"?$/gm)].map(([, text]) => text!),
    );
    return harmlessOnly(some(sentences, 5_000, random));
  },
  tasks(folder) {
    const rows = filesOf(folder).flatMap((file) => linesOf(read(file)));
    return harmlessOnly(distinct(rows.map(({ instruction }) => instruction ?? '')));
  },
  fabric: (folder, random) => harmlessOnly(some(filesOf(folder).map(read).flatMap(passages), 6_000, random)),
  promptsource(folder, random) {
    const prompts = filesOf(folder).flatMap((file) =>
      [...read(file).matchAll(/\n {4}jinja: (["']?)([\s\S]*?)\1\n {4}metadata:/g)].map(([, , text]) =>
        text!
          .replace(/\|\|\|[\s\S]*/, '')
          .replace(/\{[{%][\s\S]*?[}%]\}/g, ' ')
          .replace(/\\[n"]|\s+/g, ' '),
      ),
    );
    return harmlessOnly(
      some(
        prompts.filter((text) => text.trim().length > 15),
        4_000,
        random,
      ),
    );
  },
  spikee(folder, random) {
    const rows = filesOf(folder).filter((file) =>
      /seeds-(cybersec|sysmsg|llm-mailbox|investment-advice__)/.test(file),
    );
    const orders = rows.filter((f) => f.endsWith('instructions.jsonl')).flatMap((f) => linesOf(read(f)));
    const wrappers = rows.filter((f) => f.endsWith('jailbreaks.jsonl')).flatMap((f) => linesOf(read(f)));
    const wrapped = wrappers.flatMap(({ text = '' }) =>
      [1, 2, 3].map(() => text.replaceAll('<INSTRUCTION>', () => pick(orders, random).instruction ?? '')),
    );
    return { orders: distinct(wrapped.filter((text) => text.length > 20)), harmless: [] };
  },
  giskard(folder) {
    const [head, ...rows] = rowsOf(read(filesOf(folder)[0]!));
    const [text, source] = [head!.indexOf('prompt'), head!.indexOf('source')];
    const own = rows.filter((row) => row[source] !== undefined && !row[source].includes('garak'));
    return {
      orders: distinct(own.map((row) => row[text] ?? '')).filter((each) => each.length > 15),
      harmless: [],
    };
  },
  async deepset(folder) {
    const { parquetReadObjects } = await parquetReader(dirname(folder));
    const rows = await Promise.all(
      filesOf(folder).map((file) => {
        const bytes = readFileSync(file);
        return parquetReadObjects({
          file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
        });
      }),
    );
    const all = rows.flat();
    const labelled = (label: number): string[] =>
      all.filter((row) => Number(row.label) === label).map(({ text }) => text);
    return { orders: labelled(1), harmless: labelled(0) };
  },
  lakera(folder) {
    const orders = filesOf(folder).flatMap((file) => {
      const texts = (parse(read(file)) as { content: string }[]).map(({ content }) => String(content));
      // Mosscap has all that players typed; what names no secret and no instruction may be anything.
      return file.includes('mosscap') ? texts.filter((text) => ASKS_FOR_SECRET.test(text)) : texts;
    });
    return { orders: distinct(orders).filter(isSentence), harmless: [] };
  },
  hinglish(folder) {
    const rows = filesOf(folder).flatMap((file) => {
      const [head, ...body] = rowsOf(read(file));
      const [text, expected] = [head!.indexOf('hinglish'), head!.indexOf('expected')];
      return body.map((row) => ({ text: row[text] ?? '', isOrder: row[expected] === 'BLOCK' }));
    });
    return labelled(rows);
  },
  authensor(folder) {
    const rows = filesOf(folder).flatMap(
      (file) => JSON.parse(read(file)) as { input: string; expected_detection: boolean }[],
    );
    return labelled(rows.map((row) => ({ text: row.input, isOrder: row.expected_detection })));
  },
  firewall(folder) {
    const rows = filesOf(folder).flatMap(
      (file) => (JSON.parse(read(file)) as { samples: { text: string; label: string }[] }).samples,
    );
    return labelled(rows.map(({ text, label }) => ({ text, isOrder: label === 'malicious' })));
  },
  lessons(folder, random) {
    const byLanguage = Map.groupBy(filesOf(folder), (file) => /translations__([A-Za-z-]+)__/.exec(file)![1]!);
    return harmlessOnly(
      [...byLanguage.values()].flatMap((files) => some(files.map(read).flatMap(passages), 250, random)),
    );
  },
  prompting: (folder, random) =>
    harmlessOnly(
      some(
        filesOf(folder)
          .filter((file) => !/advers|risk|inject|jailbreak|leaking|dan/i.test(basename(file)))
          .map(read)
          .flatMap(passages),
        6_000,
        random,
      ),
    ),
  roles: (folder, random) =>
    harmlessOnly(
      some(
        rowsOf(read(filesOf(folder)[0]!))
          .slice(1)
          .map(([, text]) => text ?? '')
          .filter((text) => text.length <= 4_000 && !/jailbreak|\bDAN\b|unfiltered|ignore/i.test(text)),
        3_000,
        random,
      ),
    ),
  chats(folder, random) {
    const lines = linesOf(gunzipSync(readFileSync(filesOf(folder)[0]!)).toString());
    const asked = lines.flatMap(({ chosen = '' }) => chosen.split('\n\nHuman: ').slice(1));
    return harmlessOnly(
      some(
        asked.map((turn) => turn.split('\n\nAssistant: ')[0]!),
        4_000,
        random,
      ),
    );
  },
};
