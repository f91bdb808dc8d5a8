/** Where the package lies: two folders above this file in src/kernel and dist/kernel, and above a bundle in dist/bundle. */
export const PACKAGE_ROOT = new URL('../../', import.meta.url);
