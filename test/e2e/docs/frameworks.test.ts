/** Every block of the pages about frameworks is run, in order, as a reader would. */
import { it } from 'vitest';
import { followPage, titled } from '../../docs/support/follow-page.ts';
import { FRAMEWORKS } from './pages/frameworks.ts';

it.each(titled(FRAMEWORKS))('%s says what happens', (_, path, page) => followPage(path, page));
