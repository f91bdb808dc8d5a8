/** The workspace on disk: finding it, creating it, and the path of everything in it. */
export { type FindOptions, findWorkspace, type Workspace } from './find.ts';
export { makeFolder } from './folders.ts';
export { hideIfNew, makeHiddenFolder } from './git-ignore.ts';
export { type InitOptions, type InitResult, initWorkspace } from './init.ts';
export { refuseMissing } from './missing-folder.ts';
export {
  pathInside,
  USER_FOLDER,
  USER_SECTIONS,
  userHash,
  type WorkspacePaths,
  workspacePaths,
} from './paths.ts';
