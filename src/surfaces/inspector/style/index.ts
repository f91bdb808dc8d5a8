/** The look of the inspector: follows the system between light and dark, and fits a phone. */
import { BASE_CSS } from './base.ts';
import { FRAME_CSS } from './frame.ts';
import { PARTS_CSS } from './parts.ts';
import { VIEWS_CSS } from './views.ts';

export const INSPECTOR_CSS = [BASE_CSS, FRAME_CSS, PARTS_CSS, VIEWS_CSS].join('');
