/** `--per-project`: the memory of the project that a program works in, for programs that are used in many. */
export const PROJECT_FLAG = [
  '--per-project',
  'If nobody is named: the default agent of a workspace that is in the project, else an agent that is named after the folder of the project',
] as const;

/** Goes to the folder of the project, from where its workspace is found, and says whose memory it has. */
export async function enterProject(workspace: string | undefined): Promise<string | undefined> {
  const [{ agentOfProject, startedIn }, { locate }] = await Promise.all([
    import('../../administration/project.ts'),
    import('../../administration/target.ts'),
  ]);
  try {
    // A workspace that was named may be named as seen from here.
    if (workspace === undefined) process.chdir(startedIn());
  } catch {
    // It is gone, or nobody may enter it: then from where we are.
  }
  return agentOfProject(locate({ workspace }));
}
