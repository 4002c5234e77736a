// A packed empty Postgres cluster: unpacking takes half a second of CPU time, PGlite's initdb takes six.
// scripts/empty-cluster.ts makes the file, for the pinned version of PGlite.

import { readFile } from 'node:fs/promises'
import { ownFile } from '../src/lib/own-files.ts'

export const EMPTY_CLUSTER_FILE = ownFile('db/empty-cluster.tar.gz')

/** In the form of PGlite's `loadDataDir`. */
export const readEmptyCluster = async (): Promise<Blob> =>
  new Blob([await readFile(EMPTY_CLUSTER_FILE)], { type: 'application/gzip' })
