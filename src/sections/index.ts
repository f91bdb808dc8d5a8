/** Curated sections: `<agent>.memory.md`. */
export {
  type AppendSectionInput,
  appendSectionInput,
  noInput,
  type SaveSectionInput,
  type SectionInput,
  saveSectionInput,
  sectionInput,
} from './inputs.ts';
export type {
  AppendedSection,
  RemovedSection,
  SavedSection,
  SectionSummary,
  SectionText,
} from './results.ts';
export { type SectionsParts, SectionsService } from './sections-service.ts';
export { userIn } from './user-line.ts';
