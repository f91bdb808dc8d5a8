/** The program that the children of these tests run: `node child.ts <task> <options as JSON>`. */

const TASKS = {
  'add-many': () => import('./tasks/add-many.ts'),
  'crash-writer': () => import('./tasks/crash-writer.ts'),
  'failing-sequences': () => import('./tasks/failing-sequences.ts'),
  'fill-disk': () => import('./tasks/fill-disk.ts'),
  'hold-lock': () => import('./tasks/hold-lock.ts'),
  'no-rights': () => import('./tasks/no-rights.ts'),
  sequence: () => import('./tasks/sequence.ts'),
  'system-calls': () => import('./tasks/system-calls.ts'),
  'update-one': () => import('./tasks/update-one.ts'),
};

export type TaskName = keyof typeof TASKS;
export type TaskOptions<Name extends TaskName> = Parameters<
  Awaited<ReturnType<(typeof TASKS)[Name]>>['run']
>[0];

if (import.meta.main) {
  const [name, options] = process.argv.slice(2);
  const { run } = await TASKS[name as TaskName]();
  await run(JSON.parse(options!));
}
