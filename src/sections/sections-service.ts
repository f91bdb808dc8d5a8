/** Reads and changes the sections of an agent in one file that people may edit at the same time. */
import { dirname } from 'node:path';
import { DocumentFile, hashOf, nodeFiles } from '../documents/index.ts';
import type { Consent } from '../guard/index.ts';
import { type Caller, speakerOf, writingSpeaker } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
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
import { userLine } from './user-line.ts';

/** A section with more lines than this should be summarised. */
const DIGEST_LINES = 50;
/** An agent may serve a million users. */
const MOST_DOCUMENTS = 1_000;

export interface SectionsParts extends SectionGuardParts {
  /** Root of the workspace; nothing is written outside of it. */
  readonly root: string;
  readonly fileOf: (agent: string, user?: string) => string;
  readonly lock: FileLock;
  readonly files?: Files;
  /** Refuses every write. */
  readonly readOnly?: boolean;
}

/** Whose sections they are: an agent's own, or what it keeps about a user. */
interface Owner {
  readonly agent: string;
  readonly user?: string;
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
  /** One per file: a document serves calls in the order in which they were made. */
  readonly #documents = new Map<string, Promise<DocumentFile>>();

  constructor(parts: SectionsParts) {
    this.#parts = parts;
    this.#files = parts.files ?? nodeFiles;
    this.#guard = new SectionGuard(parts);
  }

  /** Replaces the whole section, or creates it. */
  async save(input: SaveSectionInput, caller: Caller, consent?: Consent): Promise<SavedSection> {
    const { section, content: given, ifHash } = validate(saveSectionInput, input, 'sections.save');
    const owner = this.#writer(caller);
    const name = await this.#nameOf(section, owner);
    const write = { verb: 'sections.save', name, content: given.toWellFormed(), caller, consent } as const;
    const content = await this.#guard.check(write);
    return this.#change(owner, async (text, file) => {
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
    const owner = this.#writer(caller);
    const name = await this.#nameOf(section, owner);
    const write = { verb: 'sections.append', name, content: given.toWellFormed(), caller, consent } as const;
    const added = await this.#guard.check(write);
    return this.#change(owner, async (text, file) => {
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
    const owner = ownerOf(caller);
    const name = await this.#nameOf(section, owner);
    const content = existing(await this.#read(owner), name);
    return { section: name, content, lines: countLines(content), hash: hashText(content) };
  }

  /** In the order of the file. */
  async list(caller: Caller): Promise<readonly SectionSummary[]> {
    const { sections } = await this.#read(ownerOf(caller));
    return sections.map((section) => ({ name: section.name, lines: countLines(contentOf(section)) }));
  }

  async remove(input: SectionInput, caller: Caller): Promise<RemovedSection> {
    const { section } = validate(sectionInput, input, 'sections.remove');
    const owner = this.#writer(caller);
    const name = await this.#nameOf(section, owner);
    // Whoever has no file yet does not get one by trying.
    existing(await this.#read(owner), name);
    return this.#change(owner, async (text, file) => {
      const lines = countLines(existing(file, name));
      return { text: dropSection(text, name), result: { section: name, lines } };
    });
  }

  /** What the system prompt says about the sections of the caller's agent: names only, empty when there are none. */
  async promptIndex(caller: Caller): Promise<string> {
    if (caller.viewer.agent === undefined) return '';
    const { sections } = await this.#read(ownerOf(caller));
    return promptIndex(sections.map(({ name }) => name));
  }

  /** A name that is not allowed may still be the heading of a section that somebody wrote by hand. */
  async #nameOf(section: string, owner: Owner): Promise<string> {
    try {
      return checkSectionName(section);
    } catch (error) {
      if (find(await this.#read(owner), section) !== undefined) return section;
      throw error;
    }
  }

  async #read(owner: Owner): Promise<SectionsFile> {
    const document = await this.#document(owner);
    return parseSections((await document.read()).text);
  }

  async #change<T>(owner: Owner, plan: (text: string, file: SectionsFile) => Promise<Plan<T>>): Promise<T> {
    const document = await this.#document(owner);
    let result: T | undefined;
    await document.update(async (text, { exists }) => {
      if (!exists) await this.#refuseNameCollision(owner);
      const before = exists || owner.user === undefined ? text : userLine(owner.user);
      const planned = await plan(before, parseSections(before));
      result = planned.result;
      return planned.text;
    });
    return result as T;
  }

  #document(owner: Owner): Promise<DocumentFile> {
    const { agent, user } = owner;
    const key = user === undefined ? agent : `${agent}\n${user}`;
    const known = this.#documents.get(key);
    if (known !== undefined) return known;
    const opening = this.#open(owner);
    this.#documents.set(key, opening);
    // Calls on two objects for one file still take turns, by its lock.
    if (this.#documents.size > MOST_DOCUMENTS) this.#documents.delete(this.#documents.keys().next().value!);
    opening.catch(() => this.#documents.delete(key));
    return opening;
  }

  async #open(owner: Owner): Promise<DocumentFile> {
    await this.#refuseNameCollision(owner);
    const { root, lock, fileOf } = this.#parts;
    const path = fileOf(owner.agent, owner.user);
    return new DocumentFile({ path, root, lock, files: this.#files });
  }

  /** Files of users lie in the folder of the agent, which collides with that of another one under the same conditions. */
  async #refuseNameCollision({ agent, user }: Owner): Promise<void> {
    await refuseNameCollision(this.#files, this.#parts.fileOf(agent), agent);
    if (user === undefined) return;
    await refuseNameCollision(this.#files, dirname(dirname(this.#parts.fileOf(agent, user))), agent);
  }

  #writer(caller: Caller): Owner {
    writingSpeaker(caller);
    if (this.#parts.readOnly) {
      throw new KeepsakeError('READ_ONLY', 'Sections are read-only here.', {
        hint: 'Open the workspace without the readOnly option to write.',
      });
    }
    return ownerOf(caller);
  }
}

const ownerOf = (caller: Caller): Owner => ({
  agent: speakerOf(caller),
  ...defined({ user: caller.viewer.user }),
});

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
