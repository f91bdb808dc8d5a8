/** `/memory` in a chat: everything that the agent remembers, one section, or what facts and sections say about something. */
import type { AgentHandle } from '../../../../client/index.ts';
import { oneLine, printable } from '../../terminal/printable.ts';
import { counted } from '../../terminal/sizes.ts';

type Remembering = Pick<AgentHandle, 'memory' | 'sections'>;

const SHOWN = 10;
const LINES_SHOWN = 5;

export async function memoryLines(agent: Remembering, query: string): Promise<string[]> {
  if (query === '') return overview(agent);
  const sections = await agent.sections.list();
  const named = sections.find(({ name }) => folded(name) === folded(query.replace(/^#\s*/, '')));
  return named === undefined ? found(agent, query, sections) : section(agent, named.name);
}

async function overview({ sections, memory }: Remembering): Promise<string[]> {
  const [named, records] = await Promise.all([sections.list(), memory.list({ limit: SHOWN })]);
  if (named.length === 0 && records.length === 0) return ['Nothing is remembered yet.'];
  return [
    ...named.map(({ name, lines }) => `# ${oneLine(name)} (${counted(lines, 'line')})`),
    ...records.map(({ content, category }) => `(${category}) ${oneLine(content)}`),
  ];
}

async function section({ sections }: Remembering, name: string): Promise<string[]> {
  const { content } = await sections.get(name);
  return [`# ${oneLine(name)}`, ...content.trimEnd().split('\n').map(printable)];
}

async function found(
  { memory, sections }: Remembering,
  query: string,
  named: readonly { readonly name: string }[],
): Promise<string[]> {
  const words = folded(query).split(/\s+/);
  const [hits, ...inSections] = await Promise.all([
    memory.search(query, { limit: SHOWN }),
    ...named.map(async ({ name }) => matches(name, (await sections.get(name)).content, words)),
  ]);
  const facts = hits.map(
    ({ content, category, score }) => `${score.toFixed(2)} (${category}) ${oneLine(content)}`,
  );
  const lines = [...facts, ...inSections.flat()];
  return lines.length === 0 ? ['Nothing is remembered about that.'] : lines;
}

/** The lines of a section that hold a word of the question, or its first ones when only the name does. */
function matches(name: string, content: string, words: readonly string[]): string[] {
  const holds = (text: string): boolean => words.some((word) => folded(text).includes(word));
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  const said = lines.filter(holds);
  const shown = said.length === 0 && holds(name) ? lines : said;
  return shown.slice(0, LINES_SHOWN).map((line) => `# ${oneLine(name)}: ${oneLine(line.trim())}`);
}

function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
