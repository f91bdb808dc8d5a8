/** The answers of the memory tool, in the wording of its reference implementation. */
import { foldersOf, isBelow } from './paths.ts';

const MAX_LINES = 999_999;
const NUMBER_WIDTH = String(MAX_LINES).length;
const UNITS = ['B', 'K', 'M', 'G'];

export interface MemoryFile {
  readonly path: string;
  readonly content: string;
}

const sizeOf = ({ content }: MemoryFile): number => Buffer.byteLength(content);

function shownSize(bytes: number): string {
  if (bytes === 0) return '0B';
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)));
  const size = bytes / 1024 ** unit;
  return `${size % 1 === 0 ? size : size.toFixed(1)}${UNITS[unit]}`;
}

/** `asked`: the folder as it was named; `folder`: in its one spelling. */
export function folderView(asked: string, folder: string, files: readonly MemoryFile[]): string {
  const below = files.filter(({ path }) => isBelow(path, folder));
  const paths = new Set(below.flatMap(({ path }) => [path, ...foldersOf(path)]));
  const shown = [...paths].flatMap((path) => {
    if (!isBelow(path, folder)) return [];
    const parts = path.slice(folder.length + 1).split('/');
    const isHidden = parts.some((part) => part.startsWith('.') || part === 'node_modules');
    return isHidden || parts.length > 2 ? [] : [{ path, parts }];
  });
  shown.sort((a, b) => (a.parts.join('\u0000') < b.parts.join('\u0000') ? -1 : 1));
  const total = (path: string): number =>
    below
      .filter((file) => file.path === path || isBelow(file.path, path))
      .reduce((sum, file) => sum + sizeOf(file), 0);
  const lines = shown.map(({ path, parts }) => {
    const isFile = below.some((file) => file.path === path);
    return `${shownSize(total(path))}\t${asked}/${parts.join('/')}${isFile ? '' : '/'}`;
  });
  const header = `Here're the files and directories up to 2 levels deep in ${asked}, excluding hidden items and node_modules:`;
  return [header, `${shownSize(total(folder))}\t${asked}`, ...lines].join('\n');
}

export function fileView(asked: string, content: string, range: readonly number[] | undefined): string {
  const lines = content.split('\n');
  if (lines.length > MAX_LINES) {
    throw new Error(
      `File ${asked} has too many lines (${lines.length}). Maximum is ${MAX_LINES.toLocaleString('en-US')} lines.`,
    );
  }
  const from = range?.length === 2 ? Math.max(1, range[0]!) - 1 : 0;
  const to = range?.length === 2 && range[1] !== -1 ? range[1]! : lines.length;
  return `Here's the content of ${asked} with line numbers:\n${numbered(lines.slice(from, to), from)}`;
}

/** The lines around a change. */
export function snippet(content: string, line: number): string {
  const lines = content.split('\n');
  const from = Math.max(0, line - 2);
  const shown = numbered(lines.slice(from, Math.min(lines.length, line + 3)), from);
  return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${shown}`;
}

const numbered = (lines: readonly string[], from: number): string =>
  lines.map((line, i) => `${String(from + i + 1).padStart(NUMBER_WIDTH)}\t${line}`).join('\n');
