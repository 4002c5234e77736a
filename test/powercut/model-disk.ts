// A model of a disk that tracks what would survive a power cut: synced bytes, and names in synced folders.

/** `isShared`: a snapshot has the same bytes, so the next change works on a copy. */
export type FileNode = { bytes: Uint8Array; synced: Uint8Array; isShared: boolean }
export type FolderNode = { names: Map<string, Node>; synced: Map<string, Node> }
export type Node = FileNode | FolderNode

/** Contents by path, relative to the top; the paths of folders end with a slash. */
export type Snapshot = Map<string, Uint8Array>

/** A name added or removed; `done` once its folder was synced. */
type NameChange = { folder: FolderNode; name: string; node: Node | null; done: boolean }
/** The name changes of one call: a rename adds one name and removes another, possibly in two folders. */
type NameCall = NameChange[]

/**
 * The state after the cut. `synced`: only synced data. `names_ahead`: every name change reached the disk, but no byte
 * beyond the synced ones. `mixed`: a random part of the unsynced changes and bytes.
 */
export const SURVIVALS = ['synced', 'names_ahead', 'mixed'] as const
export type Survival = (typeof SURVIVALS)[number]

export const isFolder = (node: Node): node is FolderNode => 'names' in node

const NOTHING = new Uint8Array()

const emptyFolder = (): FolderNode => ({ names: new Map(), synced: new Map() })
export const emptyFile = (): FileNode => ({ bytes: new Uint8Array(), synced: NOTHING, isShared: false })

export type ModelDisk = ReturnType<typeof createModelDisk>

/** Everything of the snapshot counts as synced. */
export function createModelDisk(snapshot: Snapshot) {
  const top = emptyFolder()
  let pending: NameCall[] = []

  function find(path: string): Node | undefined {
    let node: Node | undefined = top
    for (const name of path.split('/').filter(Boolean))
      node = node !== undefined && isFolder(node) ? node.names.get(name) : undefined
    return node
  }

  function parentOf(path: string): { folder: FolderNode; name: string } | null {
    const parts = path.split('/').filter(Boolean)
    const name = parts.pop() ?? ''
    const folder = find(parts.join('/'))
    return folder !== undefined && isFolder(folder) ? { folder, name } : null
  }

  function change(entries: [path: string, node: Node | null][]): void {
    const call = entries.flatMap(([path, node]) => {
      const at = parentOf(path)
      return at === null ? [] : [{ ...at, node, done: false }]
    })
    for (const { folder, name, node } of call) setName(folder.names, name, node)
    pending.push(call)
  }

  /** A rename is never half lost: if the old name is gone, the new one exists. */
  function settle(call: NameCall, folder: FolderNode): void {
    const [first] = call
    for (const part of call) {
      if (part.folder !== folder || part.done) continue
      for (const one of part.node === null && first !== part ? [first!, part] : [part]) {
        if (!one.done) setName(one.folder.synced, one.name, one.node)
        one.done = true
      }
    }
  }

  for (const [path, bytes] of [...snapshot].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const node = path.endsWith('/') ? emptyFolder() : { bytes, synced: bytes, isShared: true }
    const { folder, name } = parentOf(path)!
    folder.names.set(name, node)
    folder.synced.set(name, node)
  }

  return {
    find,
    make: (path: string, node: Node) => change([[path, node]]),
    makeFolder: (path: string) => change([[path, emptyFolder()]]),
    remove: (path: string) => change([[path, null]]),
    rename(from: string, to: string) {
      const node = find(from)
      if (node !== undefined)
        change([
          ...([
            [to, node],
            [from, null],
          ] as [string, Node | null][]),
        ])
    },
    write(file: FileNode, bytes: Uint8Array, at: number) {
      ownBytes(file, Math.max(file.bytes.length, at + bytes.length)).set(bytes, at)
    },
    resize: (file: FileNode, length: number) => void ownBytes(file, length),
    /** Call this when a sync begins, and the returned function when it ends: only earlier changes are synced. */
    sync(node: Node): () => void {
      if (!isFolder(node)) {
        const content = contentOf(node)
        return () => {
          node.synced = content
        }
      }
      const calls = [...pending]
      return () => {
        for (const call of calls) settle(call, node)
        pending = pending.filter((call) => call.some(({ done }) => !done))
      }
    },

    /** The state that processes see before the cut. */
    live: (): Snapshot => snapshotOf(top, ({ names }) => names, contentOf),

    /** @param chance returns numbers from 0 to 1 */
    survive(survival: Survival, chance: () => number): Snapshot {
      const names = new Map<FolderNode, Map<string, Node>>()
      const namesOf = (folder: FolderNode) => {
        if (!names.has(folder))
          names.set(folder, new Map(survival === 'names_ahead' ? folder.names : folder.synced))
        return names.get(folder)!
      }
      if (survival === 'mixed')
        for (const call of pending.filter(() => chance() < 0.5))
          for (const { folder, name, node, done } of call) if (!done) setName(namesOf(folder), name, node)
      return snapshotOf(top, namesOf, (file) =>
        survival !== 'mixed' || chance() < 0.5 ? file.synced : cutOff(file, chance),
      )
    },
  }
}

function snapshotOf(
  top: FolderNode,
  namesOf: (folder: FolderNode) => Map<string, Node>,
  contentLeft: (file: FileNode) => Uint8Array,
): Snapshot {
  const snapshot: Snapshot = new Map()
  const walk = (folder: FolderNode, path: string) => {
    for (const [name, node] of namesOf(folder)) {
      if (!isFolder(node)) snapshot.set(path + name, contentLeft(node))
      else {
        snapshot.set(`${path}${name}/`, NOTHING)
        walk(node, `${path}${name}/`)
      }
    }
  }
  walk(top, '')
  return snapshot
}

function contentOf(file: FileNode): Uint8Array {
  file.isShared = true
  return file.bytes
}

/** @returns bytes of that length that no snapshot shares, for a change */
function ownBytes(file: FileNode, length: number): Uint8Array {
  if (file.isShared || file.bytes.length !== length) {
    const own = new Uint8Array(length)
    own.set(file.bytes.subarray(0, length))
    file.bytes = own
    file.isShared = false
  }
  return file.bytes
}

function setName(names: Map<string, Node>, name: string, node: Node | null): void {
  if (node === null) names.delete(name)
  else names.set(name, node)
}

const SECTOR_BYTES = 4096

/** Some unsynced sectors arrived; the others have zeros or the synced content. */
function cutOff({ bytes, synced }: FileNode, chance: () => number): Uint8Array {
  if (bytes === synced) return synced
  const left = new Uint8Array(bytes.length)
  left.set(synced.subarray(0, bytes.length))
  for (let at = 0; at < bytes.length; at += SECTOR_BYTES)
    if (chance() < 0.5) left.set(bytes.subarray(at, at + SECTOR_BYTES), at)
  return left
}
