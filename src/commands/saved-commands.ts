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
  COMMAND_LIMITS,
  type CommandContent,
  type ContentFault,
  findFaults,
  type SavedCommand,
  SavedCommandSchema,
  triggerKeys,
} from './saved-command.ts'

export const COMMANDS_FILE = 'commands.json'

export type SavedCommandFailure =
  | { code: 'command_not_found'; message: string }
  /** `path` is a JSON Pointer to what is taken */
  | { code: 'command_exists'; message: string; conflictingId: string; path: string }
  | { code: 'too_many_commands'; message: string }
  | { code: 'invalid_command'; faults: ContentFault[] }

type Changed = Promise<Result<SavedCommand, SavedCommandFailure>>

export type SavedCommands = {
  /** in the order they were made */
  list(): readonly SavedCommand[]
  /** the one that listens to this */
  find(utterance: string): SavedCommand | null
  /** all reasons why there cannot be such a command, beside the one that it is to replace */
  refusals(content: CommandContent, ownId: string | null): SavedCommandFailure[]
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
  const mirror = createMirror({ path, schema: SavedCommandSchema, log, clock })
  const inTurn = createKeyedLock()
  const mirrored = await mirror.read()
  const stored = (await database.run(listSavedCommands)).map(commandOf)
  let commands = settle(mirrored ?? stored, stored)
  if (mirrored !== null || commands.length > 0) await mirror.write(commands)
  if (!Bun.deepEquals(commands, stored))
    await database.transaction((tx) => replaceSavedCommands(tx, commands.map(rowOf)))

  /** a command is looked at once: there may be hundreds, and each instruction asks them all */
  const listening = new WeakMap<SavedCommand, string[]>()
  const keysOf: KeysOf = (command) => {
    const known = listening.get(command)
    if (known !== undefined) return known
    const keys = command.triggers.flatMap((trigger) => triggerKeys(trigger)[0] ?? [])
    listening.set(command, keys)
    return keys
  }

  async function save(next: SavedCommand[]): Promise<void> {
    const before = commands
    const changed = next.filter((command) => !before.includes(command)).map(rowOf)
    await commitMirrored({ database, mirror }, { before, next }, (tx) =>
      saveSavedCommands(tx, { changed, ids: next.map(({ id }) => id) }),
    )
    commands = next
  }

  const othersThan = (id: string | null) => commands.filter((one) => one.id !== id)

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
      return commands.find((command) => keysOf(command).some((key) => keys.includes(key))) ?? null
    },
    refusals: (content, ownId) => refusalsOf(content, othersThan(ownId), keysOf),
    create: (content) =>
      inTurn('commands', async () => {
        const [failure] = refusalsOf(content, commands, keysOf)
        if (failure !== undefined) return fail(failure)
        const now = clock()
        const dates = { createdAt: now, updatedAt: now }
        const command = { id: newId(now), ...content, usageCount: 0, lastUsedAt: null, ...dates }
        await save([...commands, command])
        return succeed(command)
      }),
    replace: (id, content) =>
      changing(id, (command) => {
        const [failure] = refusalsOf(content, othersThan(command.id), keysOf)
        return failure === undefined ? succeed({ ...command, ...content, updatedAt: clock() }) : fail(failure)
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

/** What a command listens to, as triggers are compared. */
type KeysOf = (command: SavedCommand) => readonly string[]

function refusalsOf(
  content: CommandContent,
  others: readonly SavedCommand[],
  keysOf: KeysOf,
): SavedCommandFailure[] {
  const faults = findFaults(content)
  const taken = findTaken(content, others, keysOf)
  const isFull = others.length >= COMMAND_LIMITS.commands
  return [
    ...(faults.length > 0 ? [{ code: 'invalid_command' as const, faults }] : []),
    ...(taken === null ? [] : [taken]),
    ...(isFull ? [TOO_MANY] : []),
  ]
}

const TOO_MANY: SavedCommandFailure = {
  code: 'too_many_commands',
  message: `There are ${COMMAND_LIMITS.commands} saved commands, and no more are kept; delete one first.`,
}

/** No name and no trigger belongs to two commands. */
function findTaken({ name, triggers }: CommandContent, others: readonly SavedCommand[], keysOf: KeysOf) {
  const wanted = triggers.map(triggerKeys)
  for (const other of others) {
    if (foldedName(other.name) === foldedName(name))
      return exists(`The command "${other.name}" has this name already.`, other, '/name')
    const its = keysOf(other)
    const index = wanted.findIndex((keys) => keys.some((key) => its.includes(key)))
    const message = `The command "${other.name}" listens to "${triggers[index]}" already.`
    if (index >= 0) return exists(message, other, `/triggers/${index}`)
  }
  return null
}

const exists = (message: string, { id }: SavedCommand, path: string): SavedCommandFailure => ({
  code: 'command_exists',
  message,
  path,
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
