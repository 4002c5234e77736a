// Makes db/empty-cluster.tar.gz anew, for the version of PGlite that package.json pins: npm run empty-cluster.
// It is committed, since making a cluster is what the first start would mostly be waiting for.

import { PGlite } from '@electric-sql/pglite'
import { EMPTY_CLUSTER_FILE } from '../db/empty-cluster.ts'
import { optionsOrExit } from './client/options.ts'

optionsOrExit(
  {},
  'usage: npm run empty-cluster\nHas PGlite make an empty Postgres cluster, and packs it for first starts.',
)
// In memory: one on disk is packed with modes that are its folder's.
await using pglite = await PGlite.create()
await pglite.exec('checkpoint')
const packed = await pglite.dumpDataDir('gzip')
await Bun.write(EMPTY_CLUSTER_FILE, packed)
console.log(`wrote ${EMPTY_CLUSTER_FILE}: ${(packed.size / 1e6).toFixed(1)} MB`)
