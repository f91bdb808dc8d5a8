/** Environment variables that surfaces need; only the configuration reads the environment. */
import { readEnvironment } from '../config/index.ts';

/** KEEPSAKE_DEBUG shows stack traces; "0" and an empty text switch it off. */
export function isDebugging(): boolean {
  const { KEEPSAKE_DEBUG = '' } = readEnvironment();
  return KEEPSAKE_DEBUG !== '' && KEEPSAKE_DEBUG !== '0';
}
