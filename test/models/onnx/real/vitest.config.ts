/** Opt-in, because it downloads 200 MB: `vitest run --config test/models/onnx/real/vitest.config.ts`. Offline it fails. */
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest wants it so
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.onnx-test.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
