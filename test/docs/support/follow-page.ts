/** Does what a page says, block by block, and compares what happens with what the page shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parseConfig } from '../../../src/config/load.ts';
import { parseSource } from '../../../src/config/source-file.ts';
import { comparable, idsIn, scoresIn } from './comparable.ts';
import { NOT_RUN, type Page, type Pages } from './page.ts';
import { programOf } from './programs.ts';
import { type Snippet, snippetsOf } from './snippets.ts';
import { type Said, textOf, World } from './world.ts';

const root = join(import.meta.dirname, '../../..');
/** Run until somebody ends them. */
const ENDLESS = /^keepsake (?:serve|start|watch|notes watch)\b(?!.*--once)/;
/** Run as long as what they look at. */
const WATCHING = /^keepsake swarm \w+ \S+ .*--watch$/;
const BETWEEN = '\u0001';

/** Lines as they are typed: those that end with a backslash go on. */
const linesOf = (text: string): string[] =>
  text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

class Reader {
  readonly #page: Page;
  readonly #blocks: readonly Snippet[];
  readonly #world = new World();
  /** What the program or the commands before said, for the block that shows it. */
  #output = '';
  readonly #outputs = new Map<Snippet, string>();
  readonly #known = new Map<string, string>();
  #url: string | undefined;

  constructor(page: Page, blocks: readonly Snippet[]) {
    this.#page = page;
    this.#blocks = blocks;
  }

  async follow(): Promise<void> {
    const { ready, before = {}, elsewhere = {} } = this.#page;
    const blocks = (language: string): string[] => this.#all(language).map(({ text }) => text);
    await ready?.(this.#world, blocks);
    for (const block of this.#blocks) {
      const number = this.#all(block.language).indexOf(block) + 1;
      const name = `${block.language} ${number}`;
      if (Object.hasOwn(elsewhere, name)) {
        const test = readFileSync(join(root, elsewhere[name]!), 'utf8');
        expect([elsewhere[name], test.includes(block.page)]).toEqual([elsewhere[name], true]);
        continue;
      }
      await before[name]?.(this.#world, blocks);
      await this.#block(block, number);
    }
    // 130 is what a shell says of a program that was ended with Ctrl-C.
    for (const code of await this.#world.stop()) expect([0, 130]).toContain(code);
  }

  #all(language: string): Snippet[] {
    return this.#blocks.filter((block) => block.language === language);
  }

  async #block(block: Snippet, number: number): Promise<void> {
    const look = this.#page.looks?.[block.language]?.[number - 1];
    // Generated from the sources, which the type check of the repository reads.
    if (block.language === 'ts signature') return;
    // test/docs/examples.test.ts runs them.
    if (block.language === 'ts example') return;
    if (block.language === 'sh') await this.#shell(block.text);
    else if (block.language === 'console') await this.#console(block.text);
    else if (block.language === 'ts') await this.#program(block, number);
    else if (block.language === 'jsonc') checkSettings(block.text);
    else if (block.language === 'json') JSON.parse(block.text);
    else if (block.language === 'text' && look === undefined) this.#shown(block.text);
    else expect(look, `Nobody looks at block ${number} of "${block.language}":\n${block.text}`).toBeDefined();
    await look?.(block.text, this.#world);
  }

  /** Everything in a block is typed, and has to work. */
  async #shell(text: string): Promise<void> {
    this.#output = '';
    for (const line of linesOf(text)) {
      const variable = /^export (\w+)=(.*)$/.exec(this.#changed(line));
      if (variable !== null) {
        // "…" is what only the reader knows; a page that needs one has set it already.
        if (variable[2] !== '…') this.#world.env[variable[1]!] = variable[2]!;
        else this.#world.env[variable[1]!] ??= 'not-a-real-one';
        continue;
      }
      if (Object.hasOwn(NOT_RUN, line)) continue;
      const said = await this.#type(line);
      this.#output += said.stdout;
      const expected = said.code === null ? null : this.#exit(said.line);
      expect([line, said.code, textOf(said)]).toEqual([line, expected, textOf(said)]);
    }
  }

  #exit(line: string): number {
    const { exits = {} } = this.#page;
    return exits[Object.keys(exits).find((start) => line.startsWith(start)) ?? ''] ?? 0;
  }

  #changed(text: string): string {
    const ours = [...this.#known].reduce((line, [theirs, known]) => line.replaceAll(theirs, known), text);
    const moved = this.#url === undefined ? ours : ours.replaceAll('http://127.0.0.1:4444', this.#url);
    return this.#page.change?.(moved, this.#world) ?? moved;
  }

  async #type(line: string): Promise<Said> {
    const { answers = {}, idFor } = this.#page;
    let typed = this.#changed(line.replace(/\s+#.*$/, ''));
    if (typed.includes('<id>')) {
      expect(idFor, `What is <id> in "${line}"?`).toBeDefined();
      typed = typed.replaceAll('<id>', await idFor!(typed, this.#world));
    }
    // The page lets the reader agree.
    if (/\bmcp install\b/.test(typed)) typed += ' --yes';
    if (ENDLESS.test(typed)) return this.#start(typed);
    if (WATCHING.test(typed) && !typed.includes(' run '))
      return this.#world.start(typed, (stdout) => stdout !== '', { endsItself: true });
    const answer = Object.keys(answers).find((start) => typed.startsWith(start));
    const said = await this.#world.type(typed, answer === undefined ? '' : answers[answer]);
    const key = /\bksk_\S+/.exec(said.stdout)?.[0];
    if (key !== undefined) this.#world.env.KEEPSAKE_KEY = key;
    return said;
  }

  async #start(typed: string): Promise<Said> {
    if (!typed.startsWith('keepsake serve')) return this.#world.start(typed, (stdout) => stdout !== '');
    const anywhere = `${typed.replace(/ --port \d+/, '')} --port 0`;
    const said = await this.#world.start(anywhere, (stdout) => stdout.includes('Ctrl-C'));
    this.#url = /listens on (\S+)/.exec(said.stdout)![1]!;
    return said;
  }

  /** What follows a prompt is typed; the rest is what it says. */
  async #console(text: string): Promise<void> {
    const parts = text.split(/^\$ /m).slice(1);
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) {
      const [line = '', ...shown] = part.split('\n');
      const said = await this.#type(line);
      const output = shown.join('\n').trim();
      idsIn(output).forEach((id, i) => void this.#known.set(id, idsIn(textOf(said))[i] ?? id));
      this.#compare(textOf(said), output);
    }
  }

  #compare(ours: string, theirs: string): void {
    const { cwd } = this.#world;
    expect(comparable(ours, cwd)).toBe(comparable(this.#changed(theirs), cwd));
    // Ranking is tuned now and then: a page may be a little behind, not wrong.
    const [here, there] = [scoresIn(ours), scoresIn(theirs)];
    for (const [i, score] of there.entries()) expect(Math.abs(score - here[i]!)).toBeLessThan(0.1);
  }

  /** Programs of a page see what those before them declared, so they are run as one, when the first of them comes. */
  async #program(block: Snippet, number: number): Promise<void> {
    const blocks = this.#all('ts');
    const { programs = { 1: blocks.map((_, i) => i + 1) }, assumed } = this.#page;
    const together = programs[number];
    if (together === undefined) expect(Object.values(programs).flat()).toContain(number);
    else
      await this.#execute(
        together.map((each) => blocks[each - 1]!),
        assumed?.values ?? '',
      );
    this.#output = this.#outputs.get(block) ?? '';
  }

  async #execute(blocks: readonly Snippet[], assumed: string): Promise<void> {
    const marked = blocks.map(({ text, ...rest }) => {
      return { ...rest, text: `${this.#changed(text)}\nprocess.stdout.write('${BETWEEN}');\n` };
    });
    const said = await this.#world.program(programOf(marked, { root, assumed }));
    expect({ stderr: said.stderr, code: said.code }).toEqual({ stderr: '', code: 0 });
    const outputs = said.stdout.split(BETWEEN);
    for (const [i, block] of blocks.entries()) this.#outputs.set(block, outputs[i]!);
  }

  #shown(text: string): void {
    this.#compare(this.#output, text);
  }
}

function checkSettings(text: string): void {
  const settings = parseSource('keepsake.jsonc', text).value as object;
  expect(() => parseConfig(settings)).not.toThrow();
}

export function blocksOf(path: string): Snippet[] {
  return snippetsOf(path, readFileSync(join(root, path), 'utf8'));
}

export async function followPage(path: string, page: Page): Promise<void> {
  const blocks = blocksOf(path);
  for (const [language, looks] of Object.entries(page.looks ?? {})) {
    // A look at a block that is gone would look at nothing, or at another one.
    expect([language, blocks.filter((each) => each.language === language).length]).toEqual([
      language,
      looks.length,
    ]);
  }
  await new Reader(page, blocks).follow();
}

/** Pages with the names of their tests. */
export function titled(pages: Pages): [title: string, path: string, page: Page][] {
  return Object.entries(pages).map(([path, page]) => [`${page.proves ?? ''} ${path}`.trim(), path, page]);
}
