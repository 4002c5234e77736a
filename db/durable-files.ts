// The folder of the embedded database as PGlite's file system: syncs what Postgres syncs, and makes all files private.
//
// Postgres in WebAssembly calls fsync, but emscripten's NODEFS lacks that operation and reports success. A real one
// would block the thread at each commit for as long as the disk takes. So the journal is synced asynchronously: fsync
// only notes the segment, and a result leaves the database when `synced` has resolved (one fsync for all commits that
// wait). Postgres relies on the journal being on the disk before anything else changes. The barrier guarantees that:
// before any other change of a file or a name, a noted segment is synced at once.

import { chmodSync, closeSync, fsync, fsyncSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { DatabaseDiskError } from '../src/lib/database-errors.ts'

const OTHERS = 0o077

/** Created with the database and never again. Its mode is changed last, so it shows whether all modes are. */
const WITNESS = 'PG_VERSION'

const JOURNAL = '/pg_wal/'
/** A journal segment in use; one that is being created (`xlogtemp`) is synced at once. */
const SEGMENT = /\/pg_wal\/[0-9A-F]{24}$/

/** `errno` in WebAssembly's system interface: an input/output error, and the error of a full disk or a size limit. */
const WASI = { EIO: 29, EDQUOT: 19, EFBIG: 22, ENOSPC: 51 }
/** Postgres exits if it cannot write its journal; for other files a full disk only fails a statement. */
const ENDS_A_JOURNAL = Object.values(WASI)

type FileNode = { name: string; parent: FileNode }
type Stream = { node: FileNode; nfd: number }
type Attributes = { mode?: number | null; size?: number }
/** The operations of emscripten's NODEFS that change a file or a name. */
type NodeOperations = {
  setattr(node: FileNode, attributes: Attributes): void
  mknod(parent: FileNode, name: string, mode: number, device: number): FileNode
  rename(node: FileNode, folder: FileNode, name: string): void
  unlink(parent: FileNode, name: string): void
}
type StreamOperations = {
  setattr(stream: Stream, attributes: Attributes): void
  write(stream: Stream, ...bytes: unknown[]): number
  close(stream: Stream): void
  fsync(stream: Stream): number
}
type ModuleOnDisk = {
  NODEFS: {
    node_ops: NodeOperations
    stream_ops: StreamOperations
    realPath(node: FileNode): string
    /** converts an error of the operating system into an errno for Postgres */
    tryFSOperation<T>(operation: () => T): T
  }
}

const syncLater = promisify(fsync)

export class DurableFiles extends NodeFS {
  readonly #failure = new AbortController()
  /** Segments that Postgres considers synced and whose sync has not begun, by path. */
  #noted = new Map<Stream, string>()
  /** Segments of the current sync that no barrier has synced meanwhile. */
  #syncing = new Map<Stream, string>()
  #underway: Promise<void> | null = null

  /**
   * Fires when the disk fails a sync or a change: Postgres may assume more than the disk holds, so it must be reopened.
   * From then on, each change throws its reason through Postgres, as if the process had ended: Postgres's own way to
   * exit sometimes loops forever, and nothing can end a thread that loops in WebAssembly.
   */
  get failed(): AbortSignal {
    return this.#failure.signal
  }

  /** Everything committed so far is on the disk. */
  get isSynced(): boolean {
    return this.#noted.size === 0 && this.#underway === null
  }

  /** Resolves once everything that was committed before the call is on the disk; rejects with a DatabaseDiskError. */
  async synced(): Promise<void> {
    // The current sync may have begun before the newest commit; the next one covers the caller.
    for (let round = 0; round < 2 && (this.#noted.size > 0 || this.#underway !== null); round++) {
      this.failed.throwIfAborted()
      this.#underway ??= this.#syncNoted()
      await this.#underway
    }
    this.failed.throwIfAborted()
  }

  /**
   * Never rejects. Opens each segment itself: Postgres may close its own descriptor meanwhile, and the system reports a
   * failed write once per opened file, so that a barrier sees it too.
   */
  async #syncNoted(): Promise<void> {
    this.#syncing = this.#noted
    this.#noted = new Map()
    const syncs = await Promise.allSettled([...this.#syncing.values()].map(syncAside))
    this.#syncing = new Map()
    this.#underway = null
    const failed = syncs.find(({ status }) => status === 'rejected')
    if (failed !== undefined) this.#fail((failed as PromiseRejectedResult).reason)
  }

  /** Guarantees that the journal is on the disk before anything else changes. */
  #barrier(): void {
    this.failed.throwIfAborted()
    for (const { nfd } of new Set([...this.#noted.keys(), ...this.#syncing.keys()])) this.#syncNow(nfd)
    this.#noted.clear()
    this.#syncing.clear()
  }

  #syncNow(file: number): void {
    try {
      fsyncSync(file)
    } catch (error) {
      this.#fail(error)
      throw this.failed.reason
    }
  }

  /** There is no second attempt: the system may drop pages whose sync failed, so a later success proves nothing. */
  #fail(error: unknown): void {
    this.#failure.abort(new DatabaseDiskError(String(error)))
  }

  override init(...[pglite, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const preRun = [...(options.preRun ?? []), (module: unknown) => this.#follow(module as ModuleOnDisk)]
    return super.init(pglite, { ...options, preRun })
  }

  #follow({
    NODEFS: { node_ops: names, stream_ops: streams, realPath, tryFSOperation },
  }: ModuleOnDisk): void {
    /** Folders with new names since their last sync. Postgres expects that a synced file keeps its name. */
    const withNewNames = new Set<string>()
    const segments = new WeakMap<FileNode, boolean>()
    const isSegment = (node: FileNode): boolean => {
      const known = segments.get(node) ?? SEGMENT.test(realPath(node))
      segments.set(node, known)
      return known
    }
    /** Changes a file or a name. After a failure, Postgres's view and the disk may differ. */
    const changing = <T>(node: FileNode, change: () => T): T => {
      this.failed.throwIfAborted()
      if (!isSegment(node)) this.#barrier()
      try {
        return change()
      } catch (error) {
        const { errno = 0 } = error as { errno?: number }
        const isInJournal = `${realPath(node)}/`.includes(JOURNAL)
        if (errno === WASI.EIO || (isInJournal && ENDS_A_JOURNAL.includes(errno)))
          this.#fail(`error ${errno}`)
        throw this.failed.aborted ? this.failed.reason : error
      }
    }

    const { setattr, mknod, rename, unlink } = names
    names.setattr = (node, attributes) => {
      const { mode, size } = attributes
      const set = () => setattr(node, mode == null ? attributes : { ...attributes, mode: mode & ~OTHERS })
      if (size === undefined) set()
      else changing(node, set)
    }
    names.mknod = (parent, ...made) => {
      const node = changing(parent, () => mknod(parent, ...made))
      withNewNames.add(realPath(parent))
      return node
    }
    names.rename = (node, folder, name) => {
      changing(folder, () => rename(node, folder, name))
      segments.delete(node)
      withNewNames.add(realPath(folder))
    }
    names.unlink = (parent, name) => changing(parent, () => unlink(parent, name))

    const { setattr: setStreamAttr, write, close } = streams
    streams.setattr = (stream, attributes) => {
      if (attributes.size === undefined) setStreamAttr(stream, attributes)
      else changing(stream.node, () => setStreamAttr(stream, attributes))
    }
    streams.write = (stream, ...bytes) => changing(stream.node, () => write(stream, ...bytes))
    streams.close = (stream) => {
      if (this.#noted.has(stream) || this.#syncing.has(stream)) this.#barrier()
      close(stream)
    }
    streams.fsync = (stream) => {
      if (isSegment(stream.node) && !this.failed.aborted) this.#noted.set(stream, realPath(stream.node))
      else
        tryFSOperation(() => {
          this.#barrier()
          this.#syncNow(stream.nfd)
          withNewNames.delete(realPath(stream.node))
          for (let { parent } = stream.node; ; parent = parent.parent) {
            const folder = realPath(parent)
            if (withNewNames.delete(folder)) this.#syncFolder(folder)
            if (parent.parent === parent) break
          }
        })
      return 0
    }
  }

  #syncFolder(path: string): void {
    // Windows cannot open a folder, and journals names itself.
    if (process.platform === 'win32') return
    const folder = openSync(path, 'r')
    try {
      this.#syncNow(folder)
    } finally {
      closeSync(folder)
    }
  }
}

async function syncAside(path: string): Promise<void> {
  // Windows syncs only files that are open for writing.
  const file = openSync(path, 'r+')
  try {
    await syncLater(file)
  } finally {
    closeSync(file)
  }
}

/** The folder as PGlite's file system. The files in it are made private, which takes some milliseconds once. */
export function durableFiles(folder: string): DurableFiles {
  makeAllPrivate(folder)
  return new DurableFiles(folder)
}

function makeAllPrivate(folder: string): void {
  const witness = join(folder, WITNESS)
  const isOpen = (path: string) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0
  if (!isOpen(witness)) return
  for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const path = join(folder, name)
    if (path !== witness && isOpen(path)) closeToOthers(path)
  }
  closeToOthers(witness)
}

/** Files of another user, and file systems without modes, stay unchanged. */
function closeToOthers(path: string): void {
  try {
    chmodSync(path, statSync(path).mode & 0o700)
  } catch {
    // The folder above is private.
  }
}
