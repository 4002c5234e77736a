// Damages the files of an embedded database that is not open: maps tables and indexes to files, and damages them in
// four ways.

import { open, readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'

export type Relation = { name: string; kind: 'table' | 'index'; path: string }

const PAGE_BYTES = 8192
/** Bytes that are flipped in a page's header and in the middle of its rows. */
const FLIPPED_AT = [20, 4100, 8100]
const FLIPPED_BYTES = 12

/** Every table and every index, including the queue's and TOAST tables, except the catalogue of Postgres. */
export async function relationsOf(database: Database): Promise<Relation[]> {
  const { rows } = (await database.run((orm) =>
    orm.execute(sql`
      select n.nspname || '.' || c.relname as name, c.relkind in ('i', 'I') as index, pg_relation_filepath(c.oid) as path
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'i', 't') and c.oid >= 16384 order by name`),
  )) as unknown as { rows: { name: string; index: boolean; path: string }[] }
  return rows.map(({ name, index, path }) => ({ name, kind: index ? 'index' : 'table', path }))
}

export const DAMAGES = ['flip', 'zero', 'cut', 'tear'] as const
export type Damage = (typeof DAMAGES)[number]

/** False if the file contains nothing to damage in this way; `older` is an earlier version of the file. */
export async function damage(path: string, how: Damage, older?: string): Promise<boolean> {
  const { size } = await stat(path)
  if (size === 0) return false
  if (how === 'cut') await truncate(path, size - PAGE_BYTES)
  else {
    await using file = await open(path, 'r+')
    const page = Buffer.alloc(PAGE_BYTES)
    await file.read(page, 0, PAGE_BYTES, 0)
    if (how === 'zero') page.fill(0)
    if (how === 'flip')
      for (const at of FLIPPED_AT)
        for (let byte = at; byte < at + FLIPPED_BYTES; byte++) page[byte] = page[byte]! ^ 0x5a
    if (how === 'tear') {
      const before =
        older === undefined ? Buffer.alloc(0) : await readFile(older).catch(() => Buffer.alloc(0))
      const half = PAGE_BYTES / 2
      if (before.length < PAGE_BYTES || before.subarray(half, PAGE_BYTES).equals(page.subarray(half)))
        return false
      before.copy(page, half, half, PAGE_BYTES)
    }
    await file.write(page, 0, PAGE_BYTES, 0)
  }
  return true
}

export const databaseFolder = (dataFolder: string): string => join(dataFolder, 'postgres-18')
