/** Starts one Chromium for all files of the group; each file connects to it. */
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

const CHROMIUM = '/usr/bin/chromium';
const QUIETLY = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
];

declare module 'vitest' {
  interface ProvidedContext {
    browserEndpoint: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({ executablePath: CHROMIUM, args: QUIETLY });
  project.provide('browserEndpoint', server.wsEndpoint());
  return () => server.close();
}
