/** Where the package lies: two folders above this file in src/kernel, and above the parts in dist/sdk and dist/bundle. */
export const PACKAGE_ROOT = new URL('../../', import.meta.url);
