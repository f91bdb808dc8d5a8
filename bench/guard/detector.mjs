/** The guard as a detector for the injection benchmark: flags what it would refuse from an untrusted origin. */
import { createGuard } from '../../src/guard/index.ts';

const guard = createGuard({ secrets: 'allow' });
/** `ORIGIN=user` measures how texts are judged that a person writes. */
const origin = /** @type {import('../../src/index.ts').Origin} */ (process.env.ORIGIN ?? 'web');

/** @param {string} content */
export function detect(content) {
  return !guard.inspect({ content, category: 'fact', tags: [], origin }).allowed;
}
