/** The curated sections of each agent: read, replaced, extended and removed in one file that people may edit meanwhile. */
import { DocumentFile, hashOf, nodeFiles } from '../documents/index.ts';
import type { Consent } from '../guard/index.ts';
import { agentOf, type Caller, writerOf } from '../kernel/caller.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { validate } from '../kernel/validate.ts';
import type { FileLock } from '../ports/file-lock.ts';
import type { Files } from '../ports/files.ts';
import { dropSection, putSection } from './edit.ts';
import { contentOf, countLines, parseSections, type SectionsFile } from './format.ts';
import {
  type AppendSectionInput,
  appendSectionInput,
  type SaveSectionInput,
  type SectionInput,
  saveSectionInput,
  sectionInput,
} from './inputs.ts';
import { refuseNameCollision } from './name-collision.ts';
import { checkSectionName, sectionNotFound, shownName } from './names.ts';
import { promptIndex } from './prompt-index.ts';
import type {
  AppendedSection,
  RemovedSection,
  SavedSection,
  SectionSummary,
  SectionText,
} from './results.ts';
import { SectionGuard, type SectionGuardParts } from './section-guard.ts';

/** A section with more lines than this should be summarised. */
const DIGEST_LINES = 50;

export interface SectionsParts extends SectionGuardParts {
  /** Root of the workspace; nothing is written outside of it. */
  readonly root: string;
  readonly fileOf: (agent: string) => string;
  readonly lock: FileLock;
  readonly files?: Files;
  /** Refuses every write. */
  readonly readOnly?: boolean;
}

/** The new text of the file, and what to answer once it is on disk. */
interface Plan<T> {
  readonly text: string;
  readonly result: T;
}

export class SectionsService {
  readonly #parts: SectionsParts;
  readonly #files: Files;
  readonly #guard: SectionGuard;
  /** One per agent: a document serves calls in the order in which they were made. */
  readonly #documents = new Map<string, Promise<DocumentFile>>();

  constructor(parts: SectionsParts) {
    this.#parts = parts;
    this.#files = parts.files ?? nodeFiles;
    this.#guard = new SectionGuard(parts);
  }

  /** Replaces the whole section, or creates it. */
  async save(input: SaveSectionInput, caller: Caller, consent?: Consent): Promise<SavedSection> {
    const { section, content: given, ifHash } = validate(saveSectionInput, input, 'sections.save');
    const agent = this.#writer(caller);
    const name = await this.#nameOf(section, agent);
    const write = { verb: 'sections.save', name, content: given.toWellFormed(), caller, consent } as const;
    const content = await this.#guard.check(write);
    return this.#change(agent, async (text, file) => {
      const present = find(file, name);
      refuseChanged(name, present, ifHash);
      const outcome = present === undefined ? 'created' : present === content ? 'unchanged' : 'replaced';
      return {
        text: outcome === 'unchanged' ? text : putSection(text, name, content),
        result: { section: name, outcome, lines: countLines(content), hash: hashText(content) },
      };
    });
  }

  /** Adds below what the section says, or creates it. */
  async append(input: AppendSectionInput, caller: Caller, consent?: Consent): Promise<AppendedSection> {
    const { section, content: given } = validate(appendSectionInput, input, 'sections.append');
    const agent = this.#writer(caller);
    const name = await this.#nameOf(section, agent);
    const write = { verb: 'sections.append', name, content: given.toWellFormed(), caller, consent } as const;
    const added = await this.#guard.check(write);
    return this.#change(agent, async (text, file) => {
      const present = find(file, name);
      const content = joined(present ?? '', added);
      await this.#guard.checkSum(write, present ?? '', content);
      const lines = countLines(content);
      const outcome = present === undefined ? 'created' : present === content ? 'unchanged' : 'appended';
      return {
        text: outcome === 'unchanged' ? text : putSection(text, name, content),
        result: {
          section: name,
          outcome,
          lines,
          ...(lines > DIGEST_LINES ? { hint: digestHint(name, lines) } : {}),
        },
      };
    });
  }

  async get(input: SectionInput, caller: Caller): Promise<SectionText> {
    const { section } = validate(sectionInput, input, 'sections.get');
    const agent = agentOf(caller);
    const name = await this.#nameOf(section, agent);
    const content = existing(await this.#read(agent), name);
    return { section: name, content, lines: countLines(content), hash: hashText(content) };
  }

  /** In the order of the file. */
  async list(caller: Caller): Promise<readonly SectionSummary[]> {
    const { sections } = await this.#read(agentOf(caller));
    return sections.map((section) => ({ name: section.name, lines: countLines(contentOf(section)) }));
  }

  async remove(input: SectionInput, caller: Caller): Promise<RemovedSection> {
    const { section } = validate(sectionInput, input, 'sections.remove');
    const agent = this.#writer(caller);
    const name = await this.#nameOf(section, agent);
    // Whoever has no file yet does not get one by trying.
    existing(await this.#read(agent), name);
    return this.#change(agent, async (text, file) => {
      const lines = countLines(existing(file, name));
      return { text: dropSection(text, name), result: { section: name, lines } };
    });
  }

  /** What the system prompt says about the sections of the caller's agent: names only, empty when there are none. */
  async promptIndex(caller: Caller): Promise<string> {
    // With a user it has none: sections are the agent's own.
    if (caller.viewer.agent === undefined || caller.viewer.user !== undefined) return '';
    const { sections } = await this.#read(agentOf(caller));
    return promptIndex(sections.map(({ name }) => name));
  }

  /** A name that is not allowed may still be the heading of a section that somebody wrote by hand. */
  async #nameOf(section: string, agent: string): Promise<string> {
    try {
      return checkSectionName(section);
    } catch (error) {
      if (find(await this.#read(agent), section) !== undefined) return section;
      throw error;
    }
  }

  async #read(agent: string): Promise<SectionsFile> {
    const document = await this.#document(agent);
    return parseSections((await document.read()).text);
  }

  async #change<T>(agent: string, plan: (text: string, file: SectionsFile) => Promise<Plan<T>>): Promise<T> {
    const document = await this.#document(agent);
    let result: T | undefined;
    await document.update(async (text, { exists }) => {
      if (!exists) await this.#refuseNameCollision(agent);
      const planned = await plan(text, parseSections(text));
      result = planned.result;
      return planned.text;
    });
    return result as T;
  }

  #document(agent: string): Promise<DocumentFile> {
    const known = this.#documents.get(agent);
    if (known !== undefined) return known;
    const opening = this.#open(agent);
    this.#documents.set(agent, opening);
    opening.catch(() => this.#documents.delete(agent));
    return opening;
  }

  async #open(agent: string): Promise<DocumentFile> {
    await this.#refuseNameCollision(agent);
    const { root, lock, fileOf } = this.#parts;
    return new DocumentFile({ path: fileOf(agent), root, lock, files: this.#files });
  }

  #refuseNameCollision(agent: string): Promise<void> {
    return refuseNameCollision(this.#files, this.#parts.fileOf(agent), agent);
  }

  #writer(caller: Caller): string {
    const agent = writerOf(caller);
    if (this.#parts.readOnly) {
      throw new KeepsakeError('READ_ONLY', 'Sections are read-only here.', {
        hint: 'Open the workspace without the readOnly option to write.',
      });
    }
    return agent;
  }
}

function find({ sections }: SectionsFile, name: string): string | undefined {
  const section = sections.find((candidate) => candidate.name === name);
  return section === undefined ? undefined : contentOf(section);
}

function existing(file: SectionsFile, name: string): string {
  const content = find(file, name);
  if (content !== undefined) return content;
  throw sectionNotFound(
    name,
    file.sections.map((section) => section.name),
  );
}

const hashText = (content: string): string => hashOf(Buffer.from(content)).slice(0, 32);

function refuseChanged(name: string, present: string | undefined, ifHash: string | undefined): void {
  if (ifHash === undefined || (present !== undefined && hashText(present) === ifHash)) return;
  throw new KeepsakeError('CONFLICT', `Section ${shownName(name)} is not what it was when it was read.`, {
    hint: 'Read it again and repeat the change.',
    details: { section: name, found: present === undefined ? null : hashText(present) },
  });
}

/** What is added begins on a line of its own. */
function joined(present: string, added: string): string {
  if (present === '' || added === '' || present.endsWith('\n')) return present + added;
  return present + (present.includes('\r\n') ? '\r\n' : '\n') + added;
}

function digestHint(name: string, lines: number): string {
  return `Section ${shownName(name)} now has ${lines} lines, more than ${DIGEST_LINES}. Read it with memory_retrieve, summarise it, and replace it with memory_save.`;
}
