// A packed empty Postgres cluster: unpacking takes half a second of CPU time, PGlite's initdb takes six.
// scripts/empty-cluster.ts makes the file, for the pinned version of PGlite.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const EMPTY_CLUSTER_FILE = fileURLToPath(new URL('./empty-cluster.tar.gz', import.meta.url))

/** In the form of PGlite's `loadDataDir`. */
export const readEmptyCluster = async (): Promise<Blob> =>
  new Blob([await readFile(EMPTY_CLUSTER_FILE)], { type: 'application/gzip' })
