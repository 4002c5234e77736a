import { expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { COMMAND_LIMITS } from '../../src/commands/saved-command.ts'
import { openSavedCommands, SAVED_COMMANDS } from '../../src/commands/saved-commands.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestFolder } from '../support/database.ts'
import { libraryPlace } from '../support/library.ts'

const made = '2026-01-30T12:00:00.000Z'
const command = (index: number) => ({
  ...{ id: newId(new Date(Date.parse(made) + index)), name: `Command ${index}` },
  ...{ triggers: [`do the thing called ${index}`], instructions: 'Do it.', steps: null },
  ...{ usageCount: 0, lastUsedAt: null, createdAt: made, updatedAt: made },
})
const another = { name: 'Another', triggers: ['do another thing'], instructions: 'Do it.', steps: null }

test('rejects a command over the limit, and still changes existing ones', async () => {
  await using folder = await createTestFolder()
  await using database = await folder.open().then((opened) => ({
    opened,
    [Symbol.asyncDispose]: () => opened.close(),
  }))
  const { dataFolder } = folder
  const rows = Array.from({ length: COMMAND_LIMITS.commands }, (_, index) => command(index))
  await writeFile(join(dataFolder, SAVED_COMMANDS.earlierFile), JSON.stringify({ format: 1, rows }))
  const saved = await openSavedCommands(await libraryPlace({ database: database.opened, dataFolder }))
  const refused = await saved.create(another)
  expect(refused).toMatchObject({ ok: false, failure: { code: 'too_many_commands' } })
  expect(saved.find('do the thing called 499')?.name).toBe('Command 499')
  expect((await saved.replace(rows[0]!.id, another)).ok).toBe(true)
  expect(saved.find('do another thing')?.id).toBe(rows[0]!.id)
  expect(saved.find('do the thing called 0')).toBeNull()
  await saved.remove(rows[1]!.id)
  expect((await saved.create({ ...another, name: 'More', triggers: ['do more'] })).ok).toBe(true)
})
