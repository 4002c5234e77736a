// Keeps the commands that a person made: in memory to be found, in the database, and in a file that survives a power cut.
// What makes one valid is saved-command.ts.

import { join } from 'node:path'
import {
  listSavedCommands,
  noteCommandUse,
  replaceSavedCommands,
  saveSavedCommands,
} from '../../db/commands.ts'
import type { Database } from '../../db/database.ts'
import type { SavedCommandRow } from '../../db/writing-schema.ts'
import type { Clock } from '../lib/clock.ts'
import { createKeyedLock } from '../lib/keyed-lock.ts'
import type { Log } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { newId } from '../lib/uuid.ts'
import { foldedName } from '../text/fold.ts'
import { commitMirrored, createMirror } from '../writing/mirror.ts'
import {
  type CommandContent,
  type ContentFault,
  findFaults,
  MirroredCommandSchema,
  type SavedCommand,
  triggerKeys,
} from './saved-command.ts'

export const COMMANDS_FILE = 'commands.json'

export type SavedCommandFailure =
  | { code: 'command_not_found'; message: string }
  | { code: 'command_exists'; message: string; conflictingId: string }
  | { code: 'invalid_command'; faults: ContentFault[] }

type Changed = Promise<Result<SavedCommand, SavedCommandFailure>>

export type SavedCommands = {
  /** in the order they were made */
  list(): readonly SavedCommand[]
  /** the one that listens to this */
  find(utterance: string): SavedCommand | null
  create(content: CommandContent): Changed
  replace(id: string, content: CommandContent): Changed
  remove(id: string): Changed
  /** Resolves when it is counted; a count that fails is logged and lost. */
  noteUse(id: string): Promise<void>
}

type Deps = { database: Database; dataFolder: string; clock: Clock; log: Log }

/** The file wins over the table: a power cut may have taken back what the database held. */
export async function openSavedCommands({ database, dataFolder, clock, log }: Deps): Promise<SavedCommands> {
  const path = join(dataFolder, COMMANDS_FILE)
  const mirror = createMirror({ path, schema: MirroredCommandSchema, log, clock })
  const inTurn = createKeyedLock()
  const mirrored = await mirror.read()
  const stored = (await database.run(listSavedCommands)).map(commandOf)
  let commands = settle(mirrored ?? stored, stored)
  if (mirrored !== null || commands.length > 0) await mirror.write(commands)
  if (!Bun.deepEquals(commands, stored))
    await database.transaction((tx) => replaceSavedCommands(tx, commands.map(rowOf)))

  async function save(next: SavedCommand[]): Promise<void> {
    const before = commands
    const changed = next.filter((command) => !before.includes(command)).map(rowOf)
    await commitMirrored({ database, mirror }, { before, next }, (tx) =>
      saveSavedCommands(tx, { changed, ids: next.map(({ id }) => id) }),
    )
    commands = next
  }

  const changing = (
    id: string,
    change: (command: SavedCommand) => Result<SavedCommand | null, SavedCommandFailure>,
  ): Changed =>
    inTurn('commands', async () => {
      const command = commands.find((one) => one.id === id)
      if (command === undefined)
        return fail({ code: 'command_not_found', message: `There is no command ${id}.` })
      const changed = change(command)
      if (!changed.ok) return changed
      await save(commands.flatMap((one) => (one === command ? (changed.value ?? []) : one)))
      return succeed(changed.value ?? command)
    })

  return {
    list: () => commands,
    find(utterance) {
      const keys = triggerKeys(utterance)
      return commands.find(({ triggers }) => triggers.some((one) => listensTo(one, keys))) ?? null
    },
    create: (content) =>
      inTurn('commands', async () => {
        const failure = check(content, commands)
        if (failure !== null) return fail(failure)
        const now = clock()
        const dates = { createdAt: now, updatedAt: now }
        const command = { id: newId(now), ...content, usageCount: 0, lastUsedAt: null, ...dates }
        await save([...commands, command])
        return succeed(command)
      }),
    replace: (id, content) =>
      changing(id, (command) => {
        const others = commands.filter((one) => one !== command)
        const failure = check(content, others)
        return failure === null ? succeed({ ...command, ...content, updatedAt: clock() }) : fail(failure)
      }),
    remove: (id) => changing(id, () => succeed(null)),
    noteUse: (id) =>
      inTurn('commands', async () => {
        const now = clock()
        try {
          await database.run((orm) => noteCommandUse(orm, id, now))
          commands = commands.map((one) =>
            one.id === id ? { ...one, usageCount: one.usageCount + 1, lastUsedAt: now } : one,
          )
        } catch (error) {
          log.warn({ commandId: id, reason: String(error) }, 'a use of a command was not counted')
        }
      }),
  }
}

const listensTo = (trigger: string, keys: readonly string[]): boolean => {
  const [key] = triggerKeys(trigger)
  return key !== undefined && keys.includes(key)
}

function check(content: CommandContent, others: readonly SavedCommand[]): SavedCommandFailure | null {
  const faults = findFaults(content)
  if (faults.length > 0) return { code: 'invalid_command', faults }
  for (const other of others) {
    if (foldedName(other.name) === foldedName(content.name))
      return exists(`The command "${other.name}" has this name already.`, other)
    const trigger = content.triggers.find((one) =>
      other.triggers.some((its) => listensTo(its, triggerKeys(one))),
    )
    if (trigger !== undefined)
      return exists(`The command "${other.name}" listens to "${trigger}" already.`, other)
  }
  return null
}

const exists = (message: string, { id }: SavedCommand): SavedCommandFailure => ({
  code: 'command_exists',
  message,
  conflictingId: id,
})

const rowOf = (command: SavedCommand): SavedCommandRow => ({
  ...command,
  foldedName: foldedName(command.name),
})

const commandOf = ({ foldedName: _derived, ...command }: SavedCommandRow): SavedCommand => command

/** No id or name twice, though somebody may have copied one in the file; counts are the larger of the two. */
function settle(known: readonly SavedCommand[], stored: readonly SavedCommand[]): SavedCommand[] {
  const settled = new Map<string, SavedCommand>()
  const names = new Set<string>()
  for (const command of known) {
    if (settled.has(command.id) || names.has(foldedName(command.name))) continue
    names.add(foldedName(command.name))
    const row = stored.find(({ id }) => id === command.id)
    const counted = row !== undefined && row.usageCount > command.usageCount
    const { usageCount, lastUsedAt } = counted ? row : command
    settled.set(command.id, { ...command, usageCount, lastUsedAt })
  }
  return [...settled.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
}
