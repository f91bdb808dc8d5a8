/** Validates agent names, which are identities and folder names; they are never rewritten. */
import { KeepsakeError } from './errors.ts';

export const MAX_NAME_LENGTH = 64;
const MAX_NAME_BYTES = 200;
/** The name that an agent gets when its author gives none. */
export const DEFAULT_AGENT_NAME = 'swarm-worker-01';

const ALLOWED = /^[\p{L}\p{M}\p{N}_. -]+$/u;
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

function problemWith(name: unknown): string | undefined {
  if (typeof name !== 'string') return 'it must be a string';
  if (name.length === 0) return 'it is empty';
  if ([...name].length > MAX_NAME_LENGTH) return `it is longer than ${MAX_NAME_LENGTH} characters`;
  if (!name.isWellFormed()) return 'it contains half of a character';
  if (name !== name.normalize('NFC')) return 'it is not in Unicode normal form C';
  if (!ALLOWED.test(name)) return 'only letters, digits, "-", "_", "." and spaces are allowed';
  if (name.startsWith('.')) return 'it starts with a dot';
  if (name.includes('..')) return 'it contains ".."';
  if (name.trim() !== name) return 'it starts or ends with a space';
  if (name.endsWith('.')) return 'it ends with a dot, which Windows drops';
  // "x.memory" would own the file x.memory.md, which is the sections file of agent "x".
  if (/\.memory$/i.test(name)) return 'it ends with ".memory", which is reserved for section files';
  // Likewise the folder of "x.md" would be the file that defines agent "x".
  if (/\.md$/i.test(name)) return 'it ends with ".md", which is reserved for agent files';
  // Files are named after agents, with endings; file systems allow 255 bytes for a name.
  if (new TextEncoder().encode(name).length > MAX_NAME_BYTES)
    return `it is longer than ${MAX_NAME_BYTES} bytes in UTF-8`;
  if (RESERVED.test(name)) return 'it is a reserved device name on Windows';
  return undefined;
}

/** Every call names its agent, and there are few of them. */
const sound = new Set<unknown>();
const MAX_REMEMBERED = 1_000;

/** Returns the name, or throws INVALID_NAME with the reason. */
export function checkAgentName(name: unknown): string {
  if (sound.has(name)) return name as string;
  const problem = problemWith(name);
  if (problem !== undefined) {
    const shown = typeof name === 'string' ? JSON.stringify(name.slice(0, 2 * MAX_NAME_LENGTH)) : typeof name;
    throw new KeepsakeError('INVALID_NAME', `${shown} cannot be an agent name: ${problem}.`, {
      hint: 'Choose 1–64 letters, digits, "-", "_", "." or spaces, for example "research-agent".',
    });
  }
  if (sound.size >= MAX_REMEMBERED) sound.clear();
  sound.add(name);
  return name as string;
}

/** Two names that fold alike would share a folder on a case-insensitive file system. */
export function foldAgentName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
