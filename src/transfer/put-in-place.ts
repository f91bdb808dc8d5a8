/** Renames a finished file, unless the name exists. */
import { link, rename, rm } from 'node:fs/promises';

/** File systems without a second name for a file say so in one of these ways. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Fails with EEXIST when the name is taken. */
export async function putInPlace(finished: string, name: string): Promise<void> {
  try {
    await link(finished, name);
    await rm(finished, { force: true });
  } catch (error) {
    if (!NO_LINKS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await rename(finished, name);
  }
}
