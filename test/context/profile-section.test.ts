/** Sections of a profile: requests are preferences, and what somebody is busy with is a project. */
import { expect, it } from 'vitest';
import { sectionOf } from '../../src/context/profile-section.ts';

it.each([
  ['Please always reply in a formal tone.', 'preferences'],
  ['Do not call him before noon.', 'preferences'],
  ['Don’t send attachments.', 'preferences'],
  ['Always ship to the office.', 'preferences'],
  ['Jonas is migrating the billing service to Postgres.', 'projects'],
  ['She is renovating a house in Sintra.', 'projects'],
  ['Never been to Paris.', 'who'],
  ['Allergic to penicillin.', 'who'],
  ['Runs a bakery with his brother Sami.', 'people'],
] as const)('%s', (content, section) => {
  expect(sectionOf({ category: 'fact', content })).toBe(section);
});
