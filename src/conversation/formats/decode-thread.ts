/** The program of the thread that reads long conversations. */
import { serveItems } from '../../documents/index.ts';
import { type DecodeInput, partsOf } from './decode-parts.ts';

serveItems((input: DecodeInput) => partsOf(input));
