// The test groups: `unit` is the inner loop of seconds, the others start processes, generate cases or break things.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Damaged databases by the dozen, each built, looked at and mended: too slow for the inner loop. */
const REPAIRS = ['test/drivers/*/maintenance/**/*.test.ts', 'test/drivers/*/migrations.test.ts'];

/** Whole stories through servers, agents, commands and every store: a minute's worth, too slow for the inner loop. */
const STORIES = [
  'test/adapters/**/*.test.ts',
  'test/agents/**/*.test.ts',
  'test/docs/**/*.test.ts',
  'test/surfaces/**/*.test.ts',
  'test/client/**/*.test.ts',
  'test/conformance/**/*.test.ts',
  'test/{conversation,working}/*.test.ts',
  // Rules are pure functions: their tests belong to the inner loop.
  'test/{conversation,working}/!(rules)/**/*.test.ts',
  'test/knowledge/**/*.test.ts',
  'test/learning/**/*.test.ts',
  'test/models/{language,onnx}/**/*.test.ts',
  'test/drivers/{redis,postgres,qdrant}/**/*.test.ts',
  'test/drivers/sqlite/{text,vectors}/**/*.test.ts',
  'test/transfer/migrate.test.ts',
  // These start processes.
  'test/sections/processes.test.ts',
  'test/package.test.ts',
];

/** To load the sources anew for each of 300 files would take as long as the tests themselves; none of these leaves a trace. */
const together = { isolate: false, setupFiles: ['test/fixtures/check-answers.ts'] };

const startsPrograms = {
  globalSetup: ['scripts/setup/vitest-build.mjs', 'scripts/setup/vitest-children.mjs'],
};

const servesPages = { globalSetup: ['scripts/setup/vitest-inspector.mjs'] };

export default defineConfig({
  test: {
    passWithNoTests: false,
    globalSetup: ['scripts/setup/vitest-folder.mjs'],
    pool: 'forks',
    // By default one core is left free, which on a machine with two means half of it; tests wait for disks anyway.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          ...together,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/browser/**',
            'test/e2e/**',
            'test/faults/**',
            'test/frameworks/**',
            'test/property/**',
            ...REPAIRS,
            ...STORIES,
          ],
        },
      },
      {
        extends: true,
        test: {
          ...together,
          ...servesPages,
          name: 'stories',
          include: STORIES,
          exclude: REPAIRS,
          testTimeout: 60_000,
        },
      },
      { extends: true, test: { ...together, name: 'repairs', include: REPAIRS, testTimeout: 120_000 } },
      {
        extends: true,
        test: {
          ...together,
          name: 'property',
          include: ['test/property/**/*.test.ts'],
          testTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          ...startsPrograms,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'frameworks',
          include: ['test/frameworks/*.test.ts'],
          globalSetup: ['scripts/setup/vitest-frameworks.mjs'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: [...servesPages.globalSetup, 'test/browser/support/one-browser.ts'],
          // As long as pages are waited for; a second is little on a busy machine.
          expect: { poll: { timeout: 20_000 } },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          ...startsPrograms,
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
