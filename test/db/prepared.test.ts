// Prepared statements behave like others; an external Postgres has none.

import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { createTestFolder } from '../support/database.ts'

async function openTable() {
  const folder = await createTestFolder()
  const database = await folder.open()
  await database.run((orm) => orm.execute(sql`create table marbles (id int primary key, colour text)`))
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

const insert = (id: number, colour: string | null) => sql`insert into marbles values (${id}, ${colour})`

async function colours(database: Database): Promise<(string | null)[]> {
  const found = await database.run((orm) => orm.execute(sql`select colour from marbles order by id`))
  const rows = Array.isArray(found) ? found : (found as unknown as { rows: unknown[] }).rows
  return (rows as { colour: string | null }[]).map(({ colour }) => colour)
}

test('runs a statement repeatedly with other values', async () => {
  await using table = await openTable()
  for (const [id, colour] of ['red', null, 'grün', "o'clock"].entries())
    await table.database.run((orm) => orm.execute(insert(id, colour)))
  expect(await colours(table.database)).toEqual(['red', null, 'grün', "o'clock"])
})

test('runs a statement again after it failed', async () => {
  await using table = await openTable()
  const put = (id: number) => table.database.run((orm) => orm.execute(insert(id, 'red')))
  await put(1)
  await expect(put(1)).rejects.toMatchObject({ code: '23505' })
  await put(2)
  const broken = () => table.database.run((orm) => orm.execute(sql`insert into nowhere values (${1})`))
  await expect(broken()).rejects.toMatchObject({ code: '42P01' })
  await expect(broken()).rejects.toMatchObject({ code: '42P01' })
  await put(3)
  expect(await colours(table.database)).toHaveLength(3)
})

test('runs a statement that was first prepared in a rolled-back transaction', async () => {
  await using table = await openTable()
  const undone = table.database.transaction(async (tx) => {
    await tx.execute(insert(1, 'red'))
    await tx.execute(insert(1, 'blue'))
  })
  await expect(undone).rejects.toMatchObject({ code: '23505' })
  await table.database.transaction((tx) => tx.execute(insert(1, 'green')))
  expect(await colours(table.database)).toEqual(['green'])
})

test('keeps a query outside of a concurrent transaction', async () => {
  await using table = await openTable()
  const [begun, queued] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const undone = table.database.transaction(async (tx) => {
    await tx.execute(insert(1, 'inside'))
    begun.resolve()
    await queued.promise
    throw new Error('changed my mind')
  })
  await begun.promise
  const beside = table.database.run((orm) => orm.execute(insert(2, 'beside')))
  queued.resolve()
  await expect(undone).rejects.toThrow('changed my mind')
  await beside
  expect(await colours(table.database)).toEqual(['beside'])
})

test('runs more statements than it keeps prepared, twice', async () => {
  await using table = await openTable()
  for (const round of [0, 1000])
    for (let id = 0; id < 150; id++) {
      const text = sql.raw(`'marble ${id}'`)
      await table.database.run((orm) => orm.execute(sql`insert into marbles values (${round + id}, ${text})`))
    }
  expect(await colours(table.database)).toHaveLength(300)
})
