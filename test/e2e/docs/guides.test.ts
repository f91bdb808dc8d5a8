/** Every block of the guides is run, in order, as a reader would. */
import { it } from 'vitest';
import { followPage, titled } from '../../docs/support/follow-page.ts';
import { GUIDES } from './pages/guides.ts';

it.each(titled(GUIDES))('%s says what happens', (_, path, page) => followPage(path, page));
