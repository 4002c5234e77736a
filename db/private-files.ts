// Keeps the files of the embedded database to their owner. Postgres in WebAssembly sets every file that it makes to 0666,
// past the umask (emscripten's `open` does so), and files of older versions of this server have modes like that.

import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { NodeFS } from '@electric-sql/pglite/nodefs'

const OTHERS = 0o077

/** Made with the database and never again: the last whose mode is mended, so that it tells whether all are. */
const WITNESS = 'PG_VERSION'

type Attributes = { mode?: number | null }
type NodeOperations = { setattr(node: unknown, attributes: Attributes): void }
type ModuleOnDisk = { NODEFS: { node_ops: NodeOperations } }

class PrivateFiles extends NodeFS {
  override init(...[pglite, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const keepPrivate = (module: unknown) => {
      const { node_ops: operations } = (module as ModuleOnDisk).NODEFS
      const { setattr } = operations
      operations.setattr = (node, attributes) =>
        setattr(
          node,
          attributes.mode == null ? attributes : { ...attributes, mode: attributes.mode & ~OTHERS },
        )
    }
    return super.init(pglite, { ...options, preRun: [...(options.preRun ?? []), keepPrivate] })
  }
}

/** The folder as PGlite's file system. What is in it already is made private, which takes some ms once. */
export function privateFiles(folder: string): NodeFS {
  makeAllPrivate(folder)
  return new PrivateFiles(folder)
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

/** What belongs to somebody else, and a file system that knows no modes, stay as they are. */
function closeToOthers(path: string): void {
  try {
    chmodSync(path, statSync(path).mode & 0o700)
  } catch {
    // The folder above is private in any case.
  }
}
