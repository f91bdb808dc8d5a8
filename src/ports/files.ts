/** Port: the file operations that documents need, so that a test can make each one fail. */

export interface FileStat {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  /** Permission bits only. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** When the content changed, in nanoseconds since the epoch. */
  readonly mtimeNs: bigint;
  /** When the content, the mode, the owner or a name changed. */
  readonly ctimeNs: bigint;
  /** Device and inode: two paths with the same identity are the same file. */
  readonly identity: string;
}

export interface OpenFile {
  stat(): Promise<FileStat>;
  /** Resolves to the number of bytes read; 0 is the end of the file. */
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<number>;
  /** Resolves to the number of bytes written, which may be fewer than asked for. Writes at the current position. */
  write(from: Uint8Array, offset: number, length: number): Promise<number>;
  truncate(size: number): Promise<void>;
  chmod(mode: number): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  /** Content and metadata are on the disk when it resolves. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Files {
  open(path: string, flags: number, mode?: number): Promise<OpenFile>;
  /** Never follows a link. */
  lstat(path: string): Promise<FileStat>;
  realpath(path: string): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  /** A second name for a file; fails when the name is taken. */
  link(existing: string, path: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** One level only. */
  mkdir(path: string, mode: number): Promise<void>;
  readdir(path: string): Promise<string[]>;
}
