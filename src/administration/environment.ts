/** The few things a surface asks the environment, which only the configuration reads. */
import { readEnvironment } from '../config/index.ts';

/** KEEPSAKE_DEBUG shows stack traces; "0" and an empty text switch it off. */
export function isDebugging(): boolean {
  const { KEEPSAKE_DEBUG = '' } = readEnvironment();
  return KEEPSAKE_DEBUG !== '' && KEEPSAKE_DEBUG !== '0';
}
