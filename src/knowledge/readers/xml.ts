/** A small XML reader for Office documents: tags, attributes, texts, and relations between files. */
import { posix } from 'node:path';
import { decodeEntities } from './entities.ts';
import { htmlTokens } from './html-tokens.ts';
import type { ZipFiles } from './zip.ts';

export interface XmlNode {
  readonly kind: 'open' | 'close' | 'text';
  /** In lower case, without the prefix of its namespace; empty for texts. */
  readonly name: string;
  readonly text: string;
  /** The value of an attribute, by its name without prefix. */
  attribute(name: string): string | undefined;
}

/** A tag that closes itself comes as an open and a close. */
export function* xmlNodes(xml: string): Generator<XmlNode> {
  for (const token of htmlTokens(xml)) {
    const source = xml.slice(token.start, token.end);
    if (token.kind === 'text') {
      yield { kind: 'text', name: '', text: decodeEntities(source), attribute: () => undefined };
      continue;
    }
    const name = token.name.slice(token.name.indexOf(':') + 1);
    const attribute = (wanted: string): string | undefined => {
      const found = new RegExp(`[\\s:]${wanted}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(source);
      return found === null ? undefined : decodeEntities(found[1] ?? found[2] ?? '');
    };
    yield { kind: token.kind, name, text: '', attribute };
    if (token.kind === 'open' && source.endsWith('/>'))
      yield { kind: 'close', name, text: '', attribute: () => undefined };
  }
}

/** What a file of an office document links to: id → path in the archive. */
export function relationsOf(files: ZipFiles, path: string): ReadonlyMap<string, string> {
  const folder = posix.dirname(path);
  const links = files.text(posix.join(folder, '_rels', `${posix.basename(path)}.rels`)) ?? '';
  const found = new Map<string, string>();
  for (const { kind, name, attribute } of xmlNodes(links)) {
    const [id, target] = [attribute('id'), attribute('target')];
    if (kind !== 'open' || name !== 'relationship' || id === undefined || target === undefined) continue;
    if (attribute('targetmode') === 'External') continue;
    found.set(id, target.startsWith('/') ? target.slice(1) : posix.join(folder, target));
  }
  return found;
}

/** A row as Markdown writes it. */
export const tableRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |\n`;

/** What Markdown writes below the header row. */
export const tableRule = (width: number): string => `|${' --- |'.repeat(Math.max(1, width))}\n`;
