/** What each verb answers with, by the names of the types: asked of the compiler, since `run` says it nowhere else. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API, SignatureKind } from 'typescript/unstable/sync';

const root = join(import.meta.dirname, '../..');
const file = join(root, 'src/verbs.ts');

/** NodeBuilderFlags.NoTruncation of the compiler. */
const WHOLE = 1;

/** Key in the list of verbs → for example `AddedMemory` or `readonly MemoryRecord[]`. */
export function resultTypes(): ReadonlyMap<string, string> {
  // In the repository, where the compiler finds the packages that the sources import.
  const folder = mkdtempSync(join(root, '.tmp-types-'));
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), files: [file], include: [] }));
  const api = new API({ cwd: root });
  try {
    const { checker, program } = api.updateSnapshot({ openProject: config }).getProjects()[0]!;
    const at = program.getSourceFile(file)!.text.indexOf('verbs = {');
    const verbs = checker.getTypeAtPosition(file, at)!;
    const results = checker.getPropertiesOfType(verbs).map((verb) => {
      const run = checker.getPropertyOfType(checker.getTypeOfSymbol(verb)!, 'run')!;
      const [signature] = checker.getSignaturesOfType(checker.getTypeOfSymbol(run)!, SignatureKind.Call);
      const promise = checker.typeToString(checker.getReturnTypeOfSignature(signature!)!, undefined, WHOLE);
      return [verb.name, promise.replace(/^Promise<(.*)>$/, '$1')] as const;
    });
    return new Map(results);
  } finally {
    api.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
