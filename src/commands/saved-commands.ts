// The commands that the user saved, in memory and in the library.

import { savedCommandTable } from '../../db/library.ts'
import type { SavedCommandRow } from '../../db/writing-schema.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { newId } from '../lib/uuid.ts'
import type { LibraryPart } from '../library/copy.ts'
import { openShelf, type ShelfChange, type ShelfDeps } from '../library/shelf.ts'
import { foldedName } from '../text/fold.ts'
import {
  COMMAND_LIMITS,
  type CommandContent,
  type ContentFault,
  findFaults,
  type SavedCommand,
  SavedCommandSchema,
  triggerKeys,
} from './saved-command.ts'

export const SAVED_COMMANDS: LibraryPart<SavedCommand, SavedCommandRow> = {
  key: 'commands',
  earlierFile: 'commands.json',
  schema: SavedCommandSchema,
  table: savedCommandTable,
  toStored: (command) => ({ ...command, foldedName: foldedName(command.name) }),
  fromStored: ({ foldedName: _folded, ...command }) => command,
  settle: reconcileCommands,
}

export type SavedCommandFailure =
  | { code: 'command_not_found'; message: string }
  /** `path` is a JSON Pointer to the name or trigger that is taken */
  | { code: 'command_exists'; message: string; conflictingId: string; path: string }
  | { code: 'too_many_commands'; message: string }
  | { code: 'invalid_command'; faults: ContentFault[] }

type Changed = Promise<Result<SavedCommand, SavedCommandFailure>>

export type SavedCommands = {
  /** in order of creation */
  list(): readonly SavedCommand[]
  /** the command with a trigger that matches the utterance */
  find(utterance: string): SavedCommand | null
  /** all reasons to reject such a command; `ownId` is the command that it replaces */
  refusals(content: CommandContent, ownId: string | null): SavedCommandFailure[]
  create(content: CommandContent): Changed
  replace(id: string, content: CommandContent): Changed
  remove(id: string): Changed
  /** Counts in memory and stores the count within seconds; no command waits for it. */
  noteUse(id: string): void
  /** stores the remaining counts */
  close(): Promise<void>
}

type CommandChange = ShelfChange<SavedCommand, Awaited<Changed>>

export async function openSavedCommands(deps: ShelfDeps): Promise<SavedCommands> {
  const { clock } = deps
  const shelf = await openShelf(SAVED_COMMANDS, deps)
  const all = () => [...shelf.rows().values()]

  /** A cache, since each instruction is compared with all commands, of which there may be hundreds. */
  const knownKeys = new WeakMap<SavedCommand, string[]>()
  const keysOf: KeysOf = (command) => {
    const known = knownKeys.get(command)
    if (known !== undefined) return known
    const keys = command.triggers.flatMap((trigger) => triggerKeys(trigger)[0] ?? [])
    knownKeys.set(command, keys)
    return keys
  }

  const othersThan = (id: string | null) => all().filter((one) => one.id !== id)

  const put = (command: SavedCommand): CommandChange => ({
    next: new Map(shelf.rows()).set(command.id, command),
    answer: succeed(command),
  })

  const changing = (id: string, change: (command: SavedCommand) => CommandChange): Changed =>
    shelf.change(() => {
      const command = shelf.rows().get(id)
      return command === undefined
        ? refused({ code: 'command_not_found', message: `There is no command ${id}.` })
        : change(command)
    })

  return {
    list: all,
    find(utterance) {
      const keys = triggerKeys(utterance)
      return all().find((command) => keysOf(command).some((key) => keys.includes(key))) ?? null
    },
    refusals: (content, ownId) => refusalsOf(content, othersThan(ownId), keysOf),
    create: (content) =>
      shelf.change<Awaited<Changed>>(() => {
        const [failure] = refusalsOf(content, all(), keysOf)
        if (failure !== undefined) return refused(failure)
        const now = clock()
        const dates = { createdAt: now, updatedAt: now }
        return put({ id: newId(now), ...content, usageCount: 0, lastUsedAt: null, ...dates })
      }),
    replace: (id, content) =>
      changing(id, (command) => {
        const [failure] = refusalsOf(content, othersThan(id), keysOf)
        return failure === undefined ? put({ ...command, ...content, updatedAt: clock() }) : refused(failure)
      }),
    remove: (id) =>
      changing(id, (command) => ({
        next: new Map(othersThan(id).map((one) => [one.id, one])),
        answer: succeed(command),
      })),
    noteUse: (id) => shelf.noteUses([{ id, count: 1 }]),
    close: shelf.close,
  }
}

const refused = (failure: SavedCommandFailure) => ({ next: null, answer: fail(failure) })

/** Returns the trigger keys of a command. */
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
  message: `You already have ${COMMAND_LIMITS.commands} saved commands, which is the limit. Delete one first.`,
}

/** Two commands never share a name or a trigger. */
function findTaken({ name, triggers }: CommandContent, others: readonly SavedCommand[], keysOf: KeysOf) {
  const wanted = triggers.map(triggerKeys)
  for (const other of others) {
    const exists = { code: 'command_exists' as const, conflictingId: other.id }
    if (foldedName(other.name) === foldedName(name))
      return { ...exists, path: '/name', message: `The command "${other.name}" already has this name.` }
    const otherKeys = keysOf(other)
    const index = wanted.findIndex((keys) => keys.some((key) => otherKeys.includes(key)))
    const message = `The command "${other.name}" already has the trigger "${triggers[index]}".`
    if (index >= 0) return { ...exists, path: `/triggers/${index}`, message }
  }
  return null
}

/** Drops duplicate ids and names, since a user may have copied a command in the file by hand. */
function reconcileCommands(written: readonly SavedCommand[]): SavedCommand[] {
  const [ids, names] = [new Set<string>(), new Set<string>()]
  return written
    .filter(({ id, name }) => {
      if (ids.has(id) || names.has(foldedName(name))) return false
      ids.add(id)
      names.add(foldedName(name))
      return true
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1))
}
