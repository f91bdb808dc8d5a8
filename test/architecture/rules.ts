/** Checks a set of source files, real or made up, against the table and returns every violation as a sentence. */
import { posix } from 'node:path';
import { type Import, readSyntax } from './syntax.ts';
import {
  ALLOWED,
  BROWSER,
  EXCEPTIONS,
  type Exceptions,
  LAYERS,
  MAX_LINES,
  PACKAGE_HOMES,
  PACKAGES,
  RULES,
  RULES_MAY_IMPORT,
  RULES_READERS,
  SELF_CONTAINED,
  SEPARATE_CHILDREN,
  SHARED_CHILDREN,
  TYPES_ONLY,
  VERBS,
} from './table.ts';

/** Path below src, with forward slashes → content. */
export type Sources = Readonly<Record<string, string>>;

export interface Violation {
  readonly rule: string;
  readonly file: string;
  readonly message: string;
}

/** The files that know drivers and models by name. */
const REGISTRIES = [
  'config/registry.ts',
  'config/embedding.ts',
  'config/language.ts',
  'config/reranker.ts',
  'config/late-interaction.ts',
];
/** It wires everything together, so it alone may reach for the registry and the loader. */
const COMPOSITION_ROOT = 'client';

const folderOf = (file: string): string => file.split('/')[0]!;
const childOf = (file: string): string => file.split('/').slice(0, 2).join('/');
const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
/** Whether a file is one of the pure decisions of its layer. */
const isRule = (file: string): boolean => isLayer(folderOf(file)) && file.split('/')[1] === RULES;
const isInBrowser = (file: string): boolean => file.startsWith(`${BROWSER.folder}/`);
const isLayer = (folder: string): boolean => (LAYERS as readonly string[]).includes(folder);

export function checkSources(
  sources: Sources,
  declaredPackages: readonly string[],
  exceptions: Exceptions = EXCEPTIONS,
): Violation[] {
  const violations: Violation[] = [];
  for (const [file, text] of Object.entries(sources)) {
    const report = (rule: string, line: number, message: string): void => {
      if (exceptions[rule]?.[file] === undefined)
        violations.push({ rule, file, message: `src/${file}:${line} ${message}` });
    };
    const syntax = readSyntax(text);
    for (const found of syntax.imports) checkImport(file, found, declaredPackages, report);
    for (const { what, line } of syntax.defaultExports)
      report('named-exports', line, `has a default export (${what})`);
    for (const { what, line } of syntax.environment) report('environment', line, `reads ${what}`);
    for (const { what, line } of syntax.timeAndChance)
      report('time-and-chance', line, `uses ${what} instead of an injected source`);
    checkText(text, report);
  }
  return violations;
}

type Report = (rule: string, line: number, message: string) => void;

function checkImport(
  file: string,
  { target, kind, line }: Import,
  declared: readonly string[],
  report: Report,
): void {
  const folder = folderOf(file);
  if (target === undefined) {
    report('direction', line, 'computes the name of an import, which nobody can check');
    return;
  }
  if (!target.startsWith('.')) {
    checkPackage(file, target, line, declared, report);
    return;
  }
  const imported = posix.join(posix.dirname(file), target);
  const importedFolder = folderOf(imported);
  if (imported.startsWith('..')) {
    report('direction', line, `imports ${target}, which is outside of src`);
    return;
  }
  if (isInBrowser(file) || isInBrowser(imported)) {
    checkBrowserImport(file, imported, kind, line, report);
    return;
  }
  if (importedFolder === 'drivers' || importedFolder === 'models') {
    if (REGISTRIES.includes(file) && kind === 'dynamic') return;
    if (folder !== importedFolder) {
      report(
        'drivers',
        line,
        `imports ${imported}; only ${REGISTRIES.join(' and ')} name drivers and models, by import()`,
      );
      return;
    }
  }
  const alone = isRule(file) ? RULES_MAY_IMPORT : SELF_CONTAINED[childOf(file)];
  if (alone !== undefined && childOf(imported) !== childOf(file) && !alone.includes(importedFolder)) {
    report('direction', line, `imports ${imported}, and ${childOf(file)} is self-contained`);
    return;
  }
  if (importedFolder === folder) {
    const isAllowed = childOf(imported) === childOf(file) || SHARED_CHILDREN.includes(childOf(imported));
    if (SEPARATE_CHILDREN.includes(folder) && !isAllowed) {
      report('direction', line, `imports ${imported}, which belongs to another implementation`);
    }
    return;
  }
  if (isRule(imported) && RULES_READERS.includes(folder)) return;
  const allowed = kind === 'type' ? ALLOWED[folder]?.concat(TYPES_ONLY[folder] ?? []) : ALLOWED[folder];
  if (allowed === undefined) {
    report('direction', line, `is in a folder that the table of ARCHITECTURE.md does not know`);
  } else if (!allowed.includes(importedFolder)) {
    report('direction', line, `imports ${imported}, and ${folder} may not import ${importedFolder}`);
  } else if (isLayer(importedFolder) && imported !== `${importedFolder}/index.ts`) {
    if (file === VERBS && imported === `${importedFolder}/${VERBS}`) return;
    if (importedFolder === 'config' && (kind === 'type' || folder === COMPOSITION_ROOT)) return;
    report('front-door', line, `imports ${imported} instead of ${importedFolder}/index.ts`);
  }
}

function checkBrowserImport(
  file: string,
  imported: string,
  kind: Import['kind'],
  line: number,
  report: Report,
): void {
  if (isInBrowser(file) && isInBrowser(imported)) return;
  const isAllowed = BROWSER.types.some((folder) => imported.startsWith(`${folder}/`));
  if (!isInBrowser(file)) report('browser', line, `imports ${imported}, which runs in a browser only`);
  else if (kind !== 'type')
    report('browser', line, `imports ${imported} into the browser; it may import types only`);
  else if (!isAllowed) report('browser', line, `imports types of ${imported}`);
  else if (isLayer(folderOf(imported)) && imported !== `${folderOf(imported)}/index.ts`) {
    report('front-door', line, `imports ${imported} instead of ${folderOf(imported)}/index.ts`);
  }
}

function checkPackage(
  file: string,
  target: string,
  line: number,
  declared: readonly string[],
  report: Report,
): void {
  if (isInBrowser(file)) {
    report('packages', line, `imports ${target}, and what runs in a browser imports no package`);
    return;
  }
  const folder = isRule(file) ? childOf(file) : folderOf(file);
  const limit = isRule(file) ? [] : PACKAGES[folder];
  if (target.startsWith('node:')) {
    if (limit !== undefined)
      report('packages', line, `imports ${target}, and ${folder} does no input or output`);
    return;
  }
  const name = packageOf(target);
  const home = PACKAGE_HOMES[name];
  if (limit !== undefined && !limit.includes(name))
    report('packages', line, `imports ${name}, and ${folder} may not`);
  else if (!declared.includes(name))
    report('packages', line, `imports ${name}, which package.json does not declare for users`);
  else if (home !== undefined && !file.startsWith(`${home}/`))
    report('packages', line, `imports ${name}, which is for ${home} only`);
}

function checkText(text: string, report: Report): void {
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines.length > MAX_LINES)
    report('size', lines.length, `has ${lines.length} lines; ${MAX_LINES} is the limit`);
  if (!opensWithSentence(text)) report('opening', 1, 'does not open with a comment of one sentence');
  lines.forEach((line, index) => {
    if (/\b(TODO|FIXME|XXX)\b/.test(line))
      report('unfinished', index + 1, 'leaves a note instead of finishing');
  });
}

function opensWithSentence(text: string): boolean {
  const comment = /^(?:\/\*\*?([\s\S]*?)\*\/|((?:\/\/.*\n)+))/.exec(text);
  if (comment === null) return false;
  const words = (comment[1] ?? comment[2] ?? '').replace(/^\s*(\*|\/\/)/gm, ' ').trim();
  return words.split(/\s+/).length >= 2 && /[.:!?)]$/.test(words);
}
