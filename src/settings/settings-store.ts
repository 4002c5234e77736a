// Keeps the settings in one file of the data folder, and beside it the state before the last change.
// What each setting means and may be is settings.ts.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { writeFileDurably } from '../lib/durable.ts'
import type { Log } from '../lib/log.ts'
import { isMissing } from '../lib/missing-file.ts'
import { DEFAULT_SETTINGS, type Settings, SettingsSchema } from './settings.ts'

export const SETTINGS_FILE = 'settings.json'
/** Copied over the other one, it brings the former settings back at the next start. */
export const EARLIER_SETTINGS_FILE = 'settings.previous.json'

export type SettingsStore = {
  current(): Settings
  /** durable when it resolves; the values must have been checked. Changes take turns. */
  change(patch: Partial<Settings>): Promise<Settings>
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
  let settings = (await read(path, log)) ?? (await read(earlierPath, log)) ?? DEFAULT_SETTINGS
  let turn: Promise<unknown> = Promise.resolve()

  async function write(patch: Partial<Settings>): Promise<Settings> {
    const before = settings
    const after = { ...before, ...patch }
    if (Bun.deepEquals(before, after)) return before
    await writeFileDurably(earlierPath, format(before))
    await writeFileDurably(path, format(after))
    settings = after
    for (const listen of listeners) listen(after, before)
    return after
  }

  return {
    current: () => settings,
    change(patch) {
      const changed = turn.then(() => write(patch))
      turn = changed.catch(() => {})
      return changed
    },
    onChange(listen) {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
  }
}

const format = (settings: Settings) => `${JSON.stringify(settings, null, 2)}\n`

/** Null where there is none or it is no JSON. A value that is wrong, or not there, is the default; the others count. */
async function read(path: string, log: Log): Promise<Settings | null> {
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
  return { ...DEFAULT_SETTINGS, ...Object.fromEntries(taken) }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
