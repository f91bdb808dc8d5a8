/** Every block of the pages on other engines is run, against real servers. */
import { it } from 'vitest';
import { followPage, titled } from '../../docs/support/follow-page.ts';
import { ENGINES } from './pages/engines.ts';

it.each(titled(ENGINES))('%s says what happens', (_, path, page) => followPage(path, page));
