/** All pages that tests follow; each of them does all that its pages say. */
import type { Pages } from '../../../docs/support/page.ts';
import { ENGINES } from './engines.ts';
import { FRAMEWORKS } from './frameworks.ts';
import { GUIDES } from './guides.ts';
import { MOVING_IN } from './moving-in.ts';
import { SWARM_PAGES } from './swarms.ts';

export const FOLLOWED: Pages = { ...GUIDES, ...FRAMEWORKS, ...ENGINES, ...SWARM_PAGES, ...MOVING_IN };
