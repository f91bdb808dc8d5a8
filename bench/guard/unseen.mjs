/** How much of what nobody had in mind gets past: orders that were made up after the patterns, which were never changed for them. */
import { readFileSync } from 'node:fs';
import { detect } from './detector.mjs';

const sentences = JSON.parse(readFileSync(new URL('./unseen.json', import.meta.url), 'utf8'));
const refused = sentences.filter(detect);
console.log(`${refused.length} of ${sentences.length} refused`);
