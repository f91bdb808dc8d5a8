/** The commands that we suggest can be typed as they are. */
import { describe, expect, it } from 'vitest';
import { invocation, quoted } from '../../../src/surfaces/cli/invocation.ts';

describe('invocation', () => {
  it.each([
    ['/usr/local/bin/keepsake', 'keepsake'],
    ['/home/me/project/node_modules/.bin/keepsake', 'npx --no keepsake'],
    ['/home/me/.npm/_npx/0a1b/node_modules/.bin/keepsake', 'npx --no keepsake'],
    ['/home/me/project/node_modules/keepsake/bin/keepsake.js', 'npx --no keepsake'],
    ['/home/me/project/bin/keepsake.js', 'node bin/keepsake.js'],
    ['/home/me/other one/bin/keepsake.js', "node '../other one/bin/keepsake.js'"],
  ])('%s → %s', (script, text) => expect(invocation(script, '/home/me/project')).toBe(text));
});

describe('quoted', () => {
  it.each([
    ['plain/path-1.2', 'plain/path-1.2'],
    ["it's", "'it'\\''s'"],
    ['$HOME', "'$HOME'"],
  ])('%s → %s', (path, text) => expect(quoted(path)).toBe(text));
});
