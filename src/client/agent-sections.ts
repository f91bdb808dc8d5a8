/** `agent.sections`: the curated memory of one agent by topic, as the SDK shows it. */

import type {
  AppendedSection,
  RemovedSection,
  SavedSection,
  SectionSummary,
  SectionText,
} from '../sections/index.ts';
import { verbs } from '../verbs.ts';
import type { Call } from './call.ts';

export class AgentSections {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Replaces the whole section, or creates it; resolves once it is on disk. */
  save(section: string, content: string): Promise<SavedSection> {
    return this.#call(verbs.sectionsSave, { section, content });
  }

  /** Adds below what the section says, or creates it. The answer has a `hint` when it exceeds 50 lines. */
  append(section: string, content: string): Promise<AppendedSection> {
    return this.#call(verbs.sectionsAppend, { section, content });
  }

  /** What a section says. NOT_FOUND carries the names that exist in `details.available`. */
  retrieve(section: string): Promise<SectionText> {
    return this.#call(verbs.sectionsGet, { section });
  }

  /** All sections in the order of the file, with the number of their lines. */
  list(): Promise<readonly SectionSummary[]> {
    return this.#call(verbs.sectionsList, {});
  }

  /** Removes a section with all it says. */
  remove(section: string): Promise<RemovedSection> {
    return this.#call(verbs.sectionsRemove, { section });
  }

  /** What the system prompt says about the sections: names only, and empty when there are none. */
  promptIndex(): Promise<string> {
    return this.#call(verbs.sectionsIndex, {});
  }
}
