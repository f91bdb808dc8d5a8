/** Checks program, workspace, configuration, files, disk and database; changes something only with `fix`. */

import { existsSync } from 'node:fs';
import {
  type ConfigProblem,
  examineStorage,
  hintFor,
  openReranker,
  openStorage,
  readEnvironment,
} from '../config/index.ts';
import { defined } from '../kernel/defined.ts';
import { type ErrorCode, KeepsakeError, toKeepsakeError } from '../kernel/errors.ts';
import type { Finding } from '../ports/maintenance.ts';
import { examineDisk, examineDrive } from './examine-disk.ts';
import { examineEmbedding } from './examine-embedding.ts';
import { examineFiles } from './examine-files.ts';
import { examineLateInteraction } from './examine-late-interaction.ts';
import { examineLauncher } from './examine-launcher.ts';
import { examineLearning } from './examine-learning.ts';
import { examineWitnesses } from './examine-witnesses.ts';
import { examineMigration } from './migration-note.ts';
import { examineFolder } from './shared-folder.ts';
import { findTarget, type LocatedWorkspace, locate, type WorkspaceTarget } from './target.ts';

export interface DoctorOptions extends WorkspaceTarget {
  /** Mend what can be mended. Without it nothing is changed, not even a missing folder made. */
  readonly fix: boolean;
  readonly now: number;
  readonly program: { readonly version: string; readonly oldestNode: string };
}

export interface DoctorReport {
  /** No problem is left. */
  readonly ok: boolean;
  readonly workspace?: string;
  readonly findings: readonly Finding[];
  /** What the first remaining problem amounts to; decides the exit code. */
  readonly code?: ErrorCode;
}

const FOUND: Readonly<Record<LocatedWorkspace['found'], string>> = {
  explicit: 'named by --workspace',
  variable: 'named by $KEEPSAKE_WORKSPACE',
  config: 'the nearest folder with a configuration file',
  env: 'named by $WORKSPACE_DIR',
  home: 'the default folder, because no keepsake.jsonc was found here or in a parent folder',
};

/** What a problem with such a name amounts to. The first that fits counts. */
const CODES: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^program\./, 'UNSUPPORTED'],
  [/^config/, 'INVALID_CONFIG'],
  [/^database\.version/, 'TOO_NEW'],
  [/^(database|qdrant|redis|reranker)\.server/, 'UNAVAILABLE'],
  [/^redis\.version/, 'UNSUPPORTED'],
  [/^database\.(owner|migration)/, 'CONFLICT'],
  [/^sqlite\./, 'UNSUPPORTED'],
  [/space|^disk/, 'STORAGE_FULL'],
  [/^(workspace|files)|^database\.file/, 'PERMISSION'],
  [/./, 'CORRUPT'],
];

export const isOpen = ({ severity, fixed = false }: Finding): boolean => severity === 'problem' && !fixed;

function isAtLeast(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

function examineProgram({ version, oldestNode }: DoctorOptions['program']): Finding[] {
  const { node } = process.versions;
  const fine = isAtLeast(node, oldestNode);
  return [
    { check: 'program.version', severity: 'ok', message: `Keepsake ${version}.` },
    fine
      ? { check: 'program.node', severity: 'ok', message: `Node ${node}.` }
      : {
          check: 'program.node',
          severity: 'problem',
          message: `Node ${node} is too old; ${oldestNode} or newer is needed.`,
          hint: 'Install a newer one from https://nodejs.org.',
        },
  ];
}

function failed(check: string, thrown: unknown): Finding {
  const { message, hint } = toKeepsakeError(thrown);
  return { check, severity: 'problem', message, ...defined({ hint }) };
}

/** One finding per mistake, each with its file, line and column. */
function configFindings(error: KeepsakeError): Finding[] {
  const problems = error.details.problems as readonly ConfigProblem[] | undefined;
  if (error.code !== 'INVALID_CONFIG' || problems === undefined) return [failed('config.readable', error)];
  return problems.map((problem) => {
    const { file, line, column, variable, path, message } = problem;
    const inFile = line === undefined ? file : `${file}:${line}:${column}`;
    const place = variable === undefined ? inFile : `$${variable}`;
    return {
      check: 'config.valid',
      severity: 'problem',
      message: `${[place, path].filter(Boolean).join(' ')}: ${message}`,
      hint: hintFor(problem),
    };
  });
}

function describeConfig({ configFile, warnings }: LocatedWorkspace): Finding[] {
  const message =
    configFile === undefined
      ? 'There is no configuration file, so the defaults apply.'
      : `${configFile} is valid.`;
  return [
    { check: 'config.valid', severity: 'ok', message },
    ...warnings.map(
      (warning): Finding => ({ check: 'config.warning', severity: 'notice', message: warning }),
    ),
  ];
}

async function examineDatabase(
  { config, paths }: LocatedWorkspace,
  { fix, now }: DoctorOptions,
): Promise<readonly Finding[]> {
  try {
    const place = { storage: config.storage, database: paths.database };
    const findings = await examineStorage(place, { fix, now });
    return [...findings, ...(await examineSharing({ config, paths }, findings, now))];
  } catch (error) {
    return [failed('database.examined', error)];
  }
}

/** Asked only of a database that is there and sound, which opening it does not change. */
async function examineSharing(
  { config, paths }: Pick<LocatedWorkspace, 'config' | 'paths'>,
  found: readonly Finding[],
  now: number,
): Promise<readonly Finding[]> {
  const isSound = found.every(
    ({ check, severity }) => severity === 'ok' || !/^database\.(server|version|migration)/.test(check),
  );
  if (config.storage.records.driver !== 'postgres' || !isSound) return [];
  const storage = await openStorage({ storage: config.storage, database: paths.database });
  try {
    return await examineFolder({ config, paths, storage, clock: { now: () => now } });
  } finally {
    await storage.close();
  }
}

/** Search continues without it, and says so only where somebody reads why; here it is asked. */
async function examineReranker({ config }: LocatedWorkspace): Promise<Finding[]> {
  const check = 'reranker.server';
  try {
    const reranker = await openReranker({ models: config.models, env: readEnvironment() });
    if (reranker === undefined) return [];
    await reranker.rerank('Where is the key?', ['The key is under the mat.', 'It rained on Monday.']);
    return [{ check, severity: 'ok', message: `The reranker ${reranker.id} answers.` }];
  } catch (error) {
    return [failed(check, error)];
  }
}

function reportOn(findings: readonly Finding[], workspace?: string): DoctorReport {
  const open = findings.find(isOpen);
  const code = open === undefined ? undefined : CODES.find(([pattern]) => pattern.test(open.check))?.[1];
  return {
    ok: open === undefined,
    findings,
    ...defined({ workspace, code }),
  };
}

export async function workspaceDoctor(options: DoctorOptions): Promise<DoctorReport> {
  const findings = [...examineProgram(options.program), ...examineLauncher(options.program)];
  let root: string;
  let isNamed = false;
  try {
    const workspace = findTarget(options);
    root = workspace.root;
    isNamed = workspace.found === 'explicit' || workspace.found === 'variable';
    const message = `${root}, ${FOUND[workspace.found]}.`;
    findings.push({ check: 'workspace.found', severity: 'ok', message });
  } catch (error) {
    return reportOn([...findings, failed('workspace.found', error)]);
  }
  if (!existsSync(root)) {
    const hint = isNamed
      ? `Create it with "keepsake init ${root}", or correct its name.`
      : 'Create it with "keepsake init", or with the first "keepsake memory add".';
    const message = 'Nothing here yet: the folder does not exist.';
    // Whoever names a folder means one that exists; a typing error must not look like a clean bill of health.
    findings.push({ check: 'workspace.present', severity: isNamed ? 'problem' : 'notice', message, hint });
  }
  let located: LocatedWorkspace;
  try {
    located = locate(options);
    findings.push(...describeConfig(located));
  } catch (error) {
    if (!KeepsakeError.is(error)) throw error;
    // Where the database is, the configuration says; without it there is nothing more to examine.
    return reportOn([...findings, ...configFindings(error)], root);
  }
  findings.push(...(await examineFiles(located, options)));
  // An engine that is there looks after its own disk.
  if (!existsSync(located.paths.database)) findings.push(...(await examineDisk(root)));
  if (located.config.storage.records.driver === 'sqlite')
    findings.push(...(await examineWitnesses(located.paths)));
  const ofDatabase = await examineDatabase(located, options);
  const vectors = ofDatabase.find((finding) => finding.vectors !== undefined)?.vectors;
  findings.push(...(await examineDrive(root)));
  findings.push(...examineMigration(located.paths.dataFolder));
  findings.push(...ofDatabase, ...(await examineEmbedding(located, vectors)));
  const tokens = ofDatabase.find((finding) => finding.tokens !== undefined)?.tokens;
  findings.push(...(await examineLateInteraction(located, tokens)));
  findings.push(...(await examineReranker(located)), ...(await examineLearning(located)));
  return reportOn(findings, root);
}
