// Rebuilds db/empty-cluster.tar.zst for the pinned version of PGlite. It is committed because creating a cluster takes
// most of the time of a first start.

import { PGlite } from '@electric-sql/pglite'
import { EMPTY_CLUSTER } from '../db/empty-cluster.ts'
import { ownFile } from '../src/lib/own-files.ts'
import { optionsOrExit } from './options.ts'

optionsOrExit(
  {},
  'usage: node scripts/bun.mjs scripts/empty-cluster.ts\nCreates an empty Postgres cluster with PGlite and packs it for first starts.',
)
// In memory: a cluster on disk would be packed with the file modes of its folder.
await using pglite = await PGlite.create()
await pglite.exec('checkpoint')
const dumped = await pglite.dumpDataDir('none')
const packed = await Bun.zstdCompress(await dumped.arrayBuffer(), { level: 19 })
await Bun.write(ownFile(EMPTY_CLUSTER), packed)
console.log(`wrote ${EMPTY_CLUSTER}: ${(packed.length / 1e6).toFixed(1)} MB`)
