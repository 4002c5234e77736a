// The settings, in memory and in the library of the open database.

import { Value } from '@sinclair/typebox/value'
import { saveSettings } from '../../db/library.ts'
import type { Log } from '../lib/log.ts'
import { type Result, succeed } from '../lib/result.ts'
import type { Change, Library } from '../library/library.ts'
import { DEFAULT_SETTINGS, type Settings, SettingsSchema } from './settings.ts'

export type SettingsStore = {
  /** Throws before the first database is open. */
  current(): Settings
  /** Resolves when the first database is open. */
  attached: Promise<void>
  /** Loads the settings of a database, and stores later changes there. */
  attach(library: Library): void
  /** Durable when it resolves; the values must have been checked. */
  change(patch: Partial<Settings>): Promise<Settings>
  /** As `change`, in one transaction with another change of the library; if that one fails, nothing changes. */
  changeWith<F>(
    patch: Partial<Settings>,
    alongside: () => Result<Change | null, F>,
  ): Promise<Result<Settings, F>>
  /** Calls `listen` after every durable change; returns the function that unsubscribes it. */
  onChange(listen: (settings: Settings, before: Settings) => void): () => void
}

export function createSettings({ log }: { log: Log }): SettingsStore {
  const listeners = new Set<(settings: Settings, before: Settings) => void>()
  const attached = Promise.withResolvers<void>()
  let open: { library: Library; settings: Settings } | null = null

  function opened() {
    if (open === null) throw new Error('settings were read while no database is open')
    return open
  }

  async function changeWith<F>(
    patch: Partial<Settings>,
    alongside: () => Result<Change | null, F>,
  ): Promise<Result<Settings, F>> {
    const { library } = opened()
    return library.change<Result<Settings, F>>(() => {
      const other = alongside()
      if (!other.ok) return { answer: other, change: null }
      const before = opened().settings
      const after = { ...before, ...patch }
      const own = Bun.deepEquals(before, after) ? null : changeTo(library, before, after)
      return { answer: succeed(after), change: both(own, other.value) }
    })
  }

  const changeTo = (library: Library, before: Settings, after: Settings): Change => ({
    save: (tx) => saveSettings(tx, after),
    apply: () => show(library, before, after),
  })

  function show(library: Library, before: Settings, after: Settings): void {
    open = { library, settings: after }
    for (const listen of listeners) listen(after, before)
  }

  return {
    current: () => opened().settings,
    attached: attached.promise,
    attach(library) {
      open = { library, settings: readSettings(library.storedSettings, log) }
      library.onLoad(async (_tx, stored) => {
        const after = readSettings(stored, log)
        return () => {
          const before = opened().settings
          if (!Bun.deepEquals(before, after)) show(library, before, after)
        }
      })
      attached.resolve()
    },
    async change(patch) {
      const changed = await changeWith<never>(patch, () => succeed(null))
      return changed.ok ? changed.value : opened().settings
    },
    changeWith,
    onChange(listen) {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
  }
}

function both(one: Change | null, other: Change | null): Change | null {
  if (one === null || other === null) return one ?? other
  return {
    async save(tx) {
      await one.save(tx)
      await other.save(tx)
    },
    async apply() {
      await one.apply()
      await other.apply()
    },
  }
}

/** Replaces a missing or invalid value by its default and uses the others. */
export function readSettings(stored: Record<string, unknown>, log: Log): Settings {
  const valid = Object.entries(SettingsSchema.properties).flatMap(([name, schema]) => {
    if (!(name in stored)) return []
    if (Value.Check(schema, stored[name])) return [[name, stored[name]]]
    log.warn({ name }, 'stored setting is invalid, using its default')
    return []
  })
  return { ...DEFAULT_SETTINGS, ...Object.fromEntries(valid) }
}
