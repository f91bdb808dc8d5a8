/** Checks the folders of a workspace: write access, access of other users, and leftovers of a crash. */
import { constants, type Stats } from 'node:fs';
import { access, chmod, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Finding } from '../ports/maintenance.ts';
import { examineLeftovers } from './examine-leftovers.ts';
import type { LocatedWorkspace } from './target.ts';

const PRIVATE_FOLDER = 0o700;
const OTHERS = 0o077;

async function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** Of one folder: the others of a workspace are on the same file system, or are reported when this one can be written. */
const readOnly = (folder: string): Finding => ({
  ...{ check: 'files.writable', severity: 'notice' },
  message: `${folder} is on a read-only file system: everything can be read, and writes are refused.`,
  hint: 'To write, copy the workspace to a file system that can be written.',
});

async function examineWriting(folders: readonly string[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const folder of folders) {
    try {
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EROFS') return [readOnly(folder)];
      findings.push({
        check: 'files.writable',
        severity: 'problem',
        message: `This user has no permission to write to ${folder}.`,
        hint: 'Change its owner or its permissions, or choose another workspace.',
      });
    }
  }
  return findings;
}

/** What is not there yet is made by the first write, for which the folder above it must be open. */
async function examineMaking(missing: readonly string[], present: readonly string[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  const seen = new Set(present);
  for (const folder of missing) {
    let above = dirname(folder);
    while ((await statOf(above)) === undefined && above !== dirname(above)) above = dirname(above);
    if (seen.has(above)) continue;
    seen.add(above);
    try {
      await access(above, constants.W_OK | constants.X_OK);
    } catch {
      findings.push({
        check: 'files.writable',
        severity: 'problem',
        message: `${folder} cannot be created: this user has no permission to write to ${above}.`,
        hint: `Change the owner or the permissions of ${above}, or choose another workspace.`,
      });
    }
  }
  return findings;
}

async function examineAccess(present: readonly string[], missing: readonly string[]): Promise<Finding[]> {
  const findings = [...(await examineWriting(present)), ...(await examineMaking(missing, present))];
  if (findings.length > 0 || present.length === 0) return findings;
  return [{ check: 'files.writable', severity: 'ok', message: 'The folders are readable and writable.' }];
}

/** Only folders that hold nothing but memories: the root may well be a project that others are meant to read. */
async function examinePrivacy(folders: readonly string[], fix: boolean): Promise<Finding[]> {
  if (process.platform === 'win32') return [];
  const findings: Finding[] = [];
  for (const folder of folders) {
    const mode = (await statOf(folder))?.mode ?? 0;
    if ((mode & OTHERS) === 0) continue;
    if (fix) await chmod(folder, PRIVATE_FOLDER).catch(() => {});
    const fixed = fix && (((await statOf(folder))?.mode ?? OTHERS) & OTHERS) === 0;
    findings.push({
      check: 'files.private',
      severity: 'notice',
      message: `Other users of this machine can read ${folder} (mode ${(mode & 0o777).toString(8).padStart(4, '0')}).`,
      ...(fixed ? {} : { hint: 'Run "keepsake doctor --fix" to make it private.' }),
      fixable: true,
      fixed,
    });
  }
  if (findings.length > 0 || folders.length === 0) return findings;
  return [{ check: 'files.private', severity: 'ok', message: 'Only you can read the agents folder.' }];
}

export async function examineFiles(
  workspace: LocatedWorkspace,
  { fix, now }: { readonly fix: boolean; readonly now: number },
): Promise<Finding[]> {
  const { root, paths } = workspace;
  const wanted = [...new Set([root, paths.agentsFolder, dirname(paths.database)])];
  const present: string[] = [];
  for (const folder of wanted) if ((await statOf(folder)) !== undefined) present.push(folder);
  const missing = wanted.filter((folder) => !present.includes(folder));
  if (present.length === 0) return examineAccess([], missing);
  return [
    ...(await examineAccess(present, missing)),
    ...(await examinePrivacy(
      present.filter((folder) => folder !== root),
      fix,
    )),
    ...(await examineLeftovers(workspace, { fix, now })),
  ];
}
