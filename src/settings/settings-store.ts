// Keeps the settings in one file of the data folder, and beside it the state before the last change.
// What each setting means and may be is settings.ts.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { writeFileDurably } from '../lib/durable.ts'
import type { Log } from '../lib/log.ts'
import { isMissing } from '../lib/missing-file.ts'
import { type Result, succeed } from '../lib/result.ts'
import { DEFAULT_SETTINGS, type Settings, SettingsSchema } from './settings.ts'

export const SETTINGS_FILE = 'settings.json'
/** Copied over the other one, it brings the former settings back at the next start. */
export const EARLIER_SETTINGS_FILE = 'settings.previous.json'

/** What belongs to a change and is kept elsewhere: the default writing style, by its id. */
export type DefaultStyleChange<F> = { styleId: string; carryOut(): Promise<Result<unknown, F>> }

export type SettingsStore = {
  current(): Settings
  /** durable when it resolves; the values must have been checked. Changes take turns. */
  change(patch: Partial<Settings>): Promise<Settings>
  /**
   * The same together with what is kept elsewhere: both hold, or neither. What a crash cuts off between the two is
   * `unfinished` at the next start.
   */
  changeWith<F>(patch: Partial<Settings>, alongside: DefaultStyleChange<F>): Promise<Result<Settings, F>>
  /** the writing style that was to become the default when the last run ended; null: none */
  unfinished(): string | null
  /** what was unfinished is done, or cannot be */
  finish(): Promise<void>
  /** `listen` is told of every change, after it is durable; gives the function that ends it */
  onChange(listen: (settings: Settings, before: Settings) => void): () => void
}

export async function openSettings({
  dataFolder,
  log,
}: {
  dataFolder: string
  log: Log
}): Promise<SettingsStore> {
  const path = join(dataFolder, SETTINGS_FILE)
  const earlierPath = join(dataFolder, EARLIER_SETTINGS_FILE)
  const listeners = new Set<(settings: Settings, before: Settings) => void>()
  const stored = (await read(path, log)) ?? (await read(earlierPath, log))
  let settings = stored?.settings ?? DEFAULT_SETTINGS
  let unfinished = stored?.unfinished ?? null
  let turn: Promise<unknown> = Promise.resolve()

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  function hold(after: Settings, before: Settings): Settings {
    settings = after
    unfinished = null
    for (const listen of listeners) listen(after, before)
    return after
  }

  async function write(patch: Partial<Settings>): Promise<Settings> {
    const before = settings
    const after = { ...before, ...patch }
    if (Bun.deepEquals(before, after)) return before
    await writeFileDurably(earlierPath, format(before))
    await writeFileDurably(path, format(after))
    return hold(after, before)
  }

  async function writeWith<F>(
    patch: Partial<Settings>,
    { styleId, carryOut }: DefaultStyleChange<F>,
  ): Promise<Result<Settings, F>> {
    const before = settings
    const after = { ...before, ...patch }
    if (Bun.deepEquals(before, after)) {
      const alone = await carryOut()
      return alone.ok ? succeed(before) : alone
    }
    await writeFileDurably(earlierPath, format(before))
    await writeFileDurably(path, format(after, styleId))
    const carried = await carryOut().catch(async (error: unknown) => {
      await putBack(before)
      throw error
    })
    if (!carried.ok) {
      await putBack(before)
      return carried
    }
    // The change holds from here on; a note that stays is put right by the next one.
    await writeFileDurably(path, format(after)).catch((error: unknown) =>
      log.warn({ file: path, reason: String(error) }, 'the settings still say that something is unfinished'),
    )
    return succeed(hold(after, before))
  }

  const putBack = (before: Settings): Promise<void> =>
    writeFileDurably(path, format(before)).catch((error: unknown) =>
      log.error(
        { file: path, reason: String(error) },
        'a change that failed could not be taken back in the file',
      ),
    )

  return {
    current: () => settings,
    change: (patch) => inTurn(() => write(patch)),
    changeWith: (patch, alongside) => inTurn(() => writeWith(patch, alongside)),
    unfinished: () => unfinished,
    finish: () =>
      inTurn(async () => {
        if (unfinished !== null) await writeFileDurably(path, format(settings))
        unfinished = null
      }),
    onChange(listen) {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
  }
}

/** The key under which the file says what is still to be done; no setting has its name. */
const UNFINISHED = 'unfinishedDefaultStyle'

const format = (settings: Settings, styleId: string | null = null) =>
  `${JSON.stringify(styleId === null ? settings : { ...settings, [UNFINISHED]: styleId }, null, 2)}\n`

type Stored = { settings: Settings; unfinished: string | null }

/** Null where there is none or it is no JSON. A value that is wrong, or not there, is the default; the others count. */
async function read(path: string, log: Log): Promise<Stored | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
  const stored = parse(text)
  if (stored === null) {
    log.error({ file: path }, 'the settings cannot be read; the earlier ones are taken')
    return null
  }
  const taken = Object.entries(SettingsSchema.properties).flatMap(([name, schema]) => {
    if (!(name in stored)) return []
    if (Value.Check(schema, stored[name])) return [[name, stored[name]]]
    log.warn({ file: path, name }, 'this setting is not valid; its default is taken')
    return []
  })
  const unfinished = stored[UNFINISHED]
  return {
    settings: { ...DEFAULT_SETTINGS, ...Object.fromEntries(taken) },
    unfinished: typeof unfinished === 'string' ? unfinished : null,
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
