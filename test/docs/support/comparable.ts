/** What of an output is the same in every run. */
const ID = /\b(?:mem|msg|run|ses|qtn)_[0-9a-z]{26}\b/g;
const SCORE = /\b\d\.\d\d\b/g;

/** Ids, hours, folders, digests and sizes differ from run to run; scores are compared apart. */
export function comparable(text: string, cwd: string): string {
  return text
    .replaceAll(cwd, '/home/me')
    .replaceAll('/home/me/project', '/home/me')
    .replaceAll(ID, 'mem_01234567890123456789012345')
    .replaceAll(/today \d\d:\d\d/g, 'today 12:00')
    .replaceAll(/\b\d\d:\d\d:\d\d\b/g, '12:00:00')
    .replaceAll(/sha256 [0-9a-f]{16}…/g, 'sha256 0000000000000000…')
    .replaceAll(/\d+\.\d kB/g, '1.0 kB')
    .replaceAll(/\$\d+\.\d+/g, '$0')
    .replaceAll(SCORE, '0.00');
}

export const idsIn = (text: string): string[] => text.match(ID) ?? [];
export const scoresIn = (text: string): number[] => (text.match(SCORE) ?? []).map(Number);
