/** How a conformance suite meets a test runner: the runner is handed in, and what a driver does otherwise is declared. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { Storage } from '../../ports/storage.ts';

/** The part of `expect` that the suites use; vitest, jest and bun have it. */
export interface Expectation {
  toBe(expected: unknown): void;
  toEqual(expected: unknown): void;
  toMatchObject(expected: object): void;
  toBeGreaterThan(expected: number): void;
}

export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
  expect(value: unknown): Expectation;
}

/** A store on its own, with nothing in it, and a way to come to the same data as another process would. */
export interface Opened<Store> {
  readonly storage: Store;
  /** A second handle on the same data, open at the same time. */
  again(): Promise<Store>;
  /** Removes the data; the suite has closed every handle by then. */
  remove?(): Promise<void>;
}

/** What one suite needs of a storage, so that an engine with a single store can run its suite too. */
export type StoreOf<Name extends keyof Storage> = Pick<Storage, Name | 'close'>;

export interface ConformanceOptions<Store> extends TestRunner {
  open(): Promise<Opened<Store>>;
  /**
   * Name of a test → why this driver does otherwise. The test is then expected to fail, so that a divergence that was
   * mended cannot stay declared.
   */
  readonly diverges?: Readonly<Record<string, string>>;
}

export interface Handles<Store> {
  readonly store: Store;
  again(): Promise<Store>;
  readonly expect: TestRunner['expect'];
}

export type Test<Store> = (handles: Handles<Store>) => Promise<void>;
/** Theme → name of the test → test. Names are unique in a suite: divergences refer to them. */
export type Themes<Store> = Readonly<Record<string, Readonly<Record<string, Test<Store>>>>>;

type Closing = { close(): Promise<void> };

/** Opens fresh data for a test and takes it away afterwards, whatever happens. */
async function isolated<Store extends Closing>(
  { open, expect }: ConformanceOptions<Store>,
  test: Test<Store>,
): Promise<void> {
  const opened = await open();
  const handles = [opened.storage];
  try {
    await test({
      store: opened.storage,
      again: async () => {
        const other = await opened.again();
        handles.push(other);
        return other;
      },
      expect,
    });
  } finally {
    for (const handle of handles) await handle.close();
    await opened.remove?.();
  }
}

/** The same test, passing when it fails. Opening and closing stay outside: a driver that cannot open conforms to nothing. */
function inverted<Store>(name: string, test: Test<Store>): Test<Store> {
  return async (handles) => {
    try {
      await test(handles);
    } catch {
      return;
    }
    throw new Error(
      `"${name}" is declared as a divergence, but the driver conforms. Remove the declaration.`,
    );
  };
}

function checkDeclarations(
  suite: string,
  names: readonly string[],
  diverges: Readonly<Record<string, string>>,
) {
  if (names.length === 0) throw new Error(`The suite "${suite}" registered no test.`);
  if (new Set(names).size !== names.length)
    throw new Error(`The suite "${suite}" has two tests of one name.`);
  for (const [name, reason] of Object.entries(diverges)) {
    if (!names.includes(name)) throw new Error(`The suite "${suite}" has no test "${name}".`);
    if (reason.trim() === '') throw new Error(`The divergence "${name}" needs a reason.`);
  }
}

/** Registers every test of a suite with the runner. */
export function registerSuite<Store extends Closing>(
  suite: string,
  themes: Themes<Store>,
  options: ConformanceOptions<Store>,
): void {
  const { describe, it, diverges = {} } = options;
  const names = Object.values(themes).flatMap((tests) => Object.keys(tests));
  checkDeclarations(suite, names, diverges);
  describe(suite, () => {
    for (const [theme, tests] of Object.entries(themes)) {
      describe(theme, () => {
        for (const [name, test] of Object.entries(tests)) {
          const reason = Object.hasOwn(diverges, name) ? diverges[name] : undefined;
          if (reason === undefined) it(name, () => isolated(options, test));
          else it(`${name} (diverges: ${reason})`, () => isolated(options, inverted(name, test)));
        }
      });
    }
  });
}

/** The error that a promise ends in; success, or an error that is not Keepsake's, fails the test. */
export async function failure(promise: Promise<unknown>): Promise<KeepsakeError> {
  try {
    await promise;
  } catch (error) {
    if (KeepsakeError.is(error)) return error;
    throw new Error(`Expected a KeepsakeError, got: ${String(error)}`, { cause: error });
  }
  throw new Error('Expected a failure, but the call succeeded.');
}
