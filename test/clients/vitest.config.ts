/** Opt-in, because it downloads 2 GB of clients: `npm run test:clients`. */
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest wants it so
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.clients-test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
