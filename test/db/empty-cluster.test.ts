// The packed cluster compared with one that the pinned PGlite creates.

import { expect } from 'bun:test'
import { PGlite } from '@electric-sql/pglite'
import { readEmptyCluster } from '../../db/empty-cluster.ts'
import { testAtLength } from '../support/at-length.ts'
import { databaseKind } from '../support/database.ts'

// No other database has a part in it.
const embedded = testAtLength.skipIf(databaseKind === 'external')

/** Properties that are equal in all clusters of one version and rarely in two versions. */
const IDENTITY = `select
  version(),
  (select pg_control_version from pg_control_system()),
  (select catalog_version_no from pg_control_system()),
  (select array_agg(datname || ' ' || datcollate || ' ' || datctype || ' ' || encoding order by datname) from pg_database) databases,
  (select array_agg(name || '=' || coalesce(setting, '') order by name) from pg_settings where source = 'configuration file') settings,
  (select md5(string_agg(oid || relname, ',' order by oid)) from pg_class) relations,
  (select md5(string_agg(oid || proname || pronargs, ',' order by oid)) from pg_proc) functions,
  (select count(*) from pg_roles) roles`

embedded(
  'has the cluster that the pinned PGlite makes; node scripts/bun.mjs scripts/empty-cluster.ts packs it again',
  async () => {
    await using made = await PGlite.create()
    await using unpacked = await PGlite.create({ loadDataDir: await readEmptyCluster() })
    const [{ rows: own }, { rows: packed }] = [await made.query(IDENTITY), await unpacked.query(IDENTITY)]
    expect(packed).toEqual(own)
  },
  60_000,
)

embedded(
  'has nothing in the packed cluster except what Postgres creates',
  async () => {
    await using unpacked = await PGlite.create({ loadDataDir: await readEmptyCluster() })
    const { rows } = await unpacked.query(
      "select nspname from pg_namespace where nspname not like 'pg\\_%' and nspname <> 'information_schema'",
    )
    expect(rows).toEqual([{ nspname: 'public' }])
    expect(
      (await unpacked.query("select 1 from pg_class where relnamespace = 'public'::regnamespace")).rows,
    ).toEqual([])
  },
  60_000,
)
