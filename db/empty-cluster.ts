// A Postgres cluster in which nothing is yet, packed: to unpack it takes half a second of processor, to have PGlite's initdb
// make one takes six. scripts/empty-cluster.ts makes the file; it belongs to the version of PGlite that is pinned.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const EMPTY_CLUSTER_FILE = fileURLToPath(new URL('./empty-cluster.tar.gz', import.meta.url))

/** As PGlite takes it for `loadDataDir`. */
export const readEmptyCluster = async (): Promise<Blob> =>
  new Blob([await readFile(EMPTY_CLUSTER_FILE)], { type: 'application/gzip' })
