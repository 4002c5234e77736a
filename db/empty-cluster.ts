// A packed empty Postgres cluster: unpacking takes half a second of CPU time, PGlite's initdb takes six.
// scripts/empty-cluster.ts makes the file, for the pinned version of PGlite.

import { readCompressed } from '../src/lib/own-files.ts'

export const EMPTY_CLUSTER = 'db/empty-cluster.tar.zst'

/** In the form of PGlite's `loadDataDir`. */
export const readEmptyCluster = async (): Promise<Blob> =>
  new Blob([await readCompressed(EMPTY_CLUSTER)], { type: 'application/x-tar' })
