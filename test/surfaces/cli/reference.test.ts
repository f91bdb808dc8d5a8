/** docs/reference/cli.md is what the program says about itself. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedReference } from '../../../scripts/generate-cli-docs.ts';

describe('docs/reference/cli.md', () => {
  it('is up to date; else run "node scripts/generate-cli-docs.ts"', async () => {
    const { path, text } = await generatedReference();
    expect(readFileSync(join(import.meta.dirname, '../../..', path), 'utf8')).toBe(text);
  });
});
