// The files in which versions before library.json stored the library. move-in.ts reads them once, and they are removed
// when library.json has their content.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { removeDurably } from '../lib/durable.ts'
import { isObject, LIBRARY_FILE, readObject } from './copy.ts'
import type { AnyLibraryPart } from './part.ts'

export const SETTINGS_FILE = 'settings.json'
/** the settings before their last change */
export const EARLIER_SETTINGS_FILE = 'settings.previous.json'
export const WEBHOOK_SECRET_FILE = 'webhook-secret'
export const COMMAND_HISTORY_FILE = 'command-history.json'
/** the history of commands was cleared up to this number */
export const ClearedRunsSchema = Type.Object({ forgotten: Type.Integer({ minimum: 0 }) })

const FILES = [SETTINGS_FILE, EARLIER_SETTINGS_FILE, WEBHOOK_SECRET_FILE, COMMAND_HISTORY_FILE]

export async function removeEarlierFiles(
  dataFolder: string,
  parts: readonly AnyLibraryPart[],
): Promise<void> {
  for (const name of [...parts.map(({ earlierFile }) => earlierFile), ...FILES]) {
    const path = join(dataFolder, name)
    if (existsSync(path)) await removeDurably(path)
  }
}

/**
 * For a command that opens no database: the settings from the copy, or from an earlier version's file; empty if neither
 * exists.
 */
export async function settingsInFiles(dataFolder: string): Promise<Record<string, unknown>> {
  const copy = await readObject(join(dataFolder, LIBRARY_FILE)).catch(() => null)
  if (isObject(copy?.settings)) return copy.settings
  return (await readObject(join(dataFolder, SETTINGS_FILE)).catch(() => null)) ?? {}
}
