// A vitest reporter that writes one JSON file for the tally: every project that exists and every test that ended.
import { writeFileSync } from 'node:fs';

/**
 * @typedef {object} Report
 * @property {string[]} projects every project that was asked to run, also those without a test
 * @property {{ project: string, name: string, state: string }[]} tests
 * @property {string[]} errors files, groups and hooks that failed outside of any test
 */

// vitest loads a reporter by its default export.
export default class TallyReporter {
  /** @type {string[]} */
  #projects = [];

  /** @param {import('vitest/node').Vitest} vitest */
  onInit(vitest) {
    this.#projects = vitest.projects.map((project) => project.name);
  }

  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly { message: string }[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env.VITEST_TALLY_FILE;
    if (file === undefined) throw new Error('VITEST_TALLY_FILE must name the file to write.');
    /** @type {Report} */
    const report = { projects: this.#projects, tests: [], errors: [] };
    for (const module of modules) {
      const project = module.project.name;
      const where = `${project} › ${module.relativeModuleId}`;
      for (const { message } of module.errors()) report.errors.push(`${where}: ${message}`);
      for (const suite of module.children.allSuites()) {
        for (const { message } of suite.errors())
          report.errors.push(`${where} › ${suite.fullName}: ${message}`);
      }
      for (const test of module.children.allTests()) {
        report.tests.push({ project, name: `${where} › ${test.fullName}`, state: test.result().state });
      }
    }
    for (const { message } of unhandledErrors) report.errors.push(`outside of any test: ${message}`);
    writeFileSync(file, JSON.stringify(report));
  }
}
