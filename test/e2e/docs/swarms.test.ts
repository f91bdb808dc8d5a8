/** Every block of the pages on swarms, of the examples, and of the pages for those who come from elsewhere is run. */
import { it } from 'vitest';
import { followPage, titled } from '../../docs/support/follow-page.ts';
import { MOVING_IN } from './pages/moving-in.ts';
import { SWARM_PAGES } from './pages/swarms.ts';

it.each(titled({ ...SWARM_PAGES, ...MOVING_IN }))('%s says what happens', (_, path, page) =>
  followPage(path, page),
);
