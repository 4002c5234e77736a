// Checks that need no server: versions, settings, folder, disk, threads, programs.

import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rmdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import packageJson from '../../../package.json' with { type: 'json' }
import { type Config, type Environment, unknownSettings } from '../../config.ts'
import { diskSpace } from '../../lib/disk-space.ts'
import { systemReason } from '../../lib/os-errors.ts'
import { findMicrophone, type System, thisSystem } from '../dictate/microphone.ts'
import { unsentFolderOf } from '../dictate/rescue.ts'
import type { Check } from './check.ts'

export function bunCheck(): Check {
  const least = packageJson.engines.bun.replace('>=', '')
  const isEnough = Bun.semver.order(Bun.version, least) >= 0
  const what = `Bun ${Bun.version}`
  if (isEnough) return { name: 'runtime', state: 'ok', what }
  return {
    name: 'runtime',
    state: 'wrong',
    what: `${what}; ${least} is needed`,
    fix: 'npm install in the folder of this program',
  }
}

export function settingsCheck(env: Environment): Check {
  const names = unknownSettings(env)
  if (names.length === 0) return { name: 'settings', state: 'ok', what: 'every setting is known' }
  const what = `unknown: ${names.join(', ')}`
  return { name: 'settings', state: 'wrong', what, fix: 'Correct or remove it: dictation help environment' }
}

export async function folderCheck({ dataFolder }: Config): Promise<Check> {
  const name = 'data folder'
  const folder = existing(dataFolder)
  try {
    await rmdir(await mkdtemp(join(folder, '.doctor-')))
    return {
      name,
      state: 'ok',
      what: folder === dataFolder ? dataFolder : `${dataFolder} (created at the first start)`,
    }
  } catch (error) {
    const what = `${folder} is not writable: ${systemReason(error)}`
    return {
      name,
      state: 'wrong',
      what,
      fix: `chown -R "$USER" "${folder}", or set DICTATION_DATA_DIR to another folder`,
    }
  }
}

/** The path itself, or the nearest above it that exists. */
const existing = (path: string): string =>
  dirname(path) === path || existsSync(path) ? path : existing(dirname(path))

/** The server accepts no recordings below the lower limit; a day of speech takes the upper one. */
const [MIN_FREE_MB, GOOD_FREE_MB] = [300, 3000]

export async function diskCheck({ dataFolder }: Config): Promise<Check> {
  const { freeBytes } = await diskSpace(existing(dataFolder))
  const free = Math.floor(freeBytes / 1_000_000)
  const what = `${free} MB free`
  if (free >= GOOD_FREE_MB) return { name: 'disk', state: 'ok', what }
  const fix = 'Free some space, or set DICTATION_DATA_DIR to a folder on another disk'
  return { name: 'disk', state: free < MIN_FREE_MB ? 'wrong' : 'note', what, fix }
}

export function threadsCheck({ threads }: Config): Check {
  const cores = availableParallelism()
  const what = `${threads} for ${cores} cores`
  if (threads <= cores) return { name: 'threads', state: 'ok', what }
  return {
    name: 'threads',
    state: 'wrong',
    what,
    fix: `DICTATION_THREADS=${cores}; more threads than cores are slower`,
  }
}

const INSTALL: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'brew install ffmpeg',
  win32: 'winget install ffmpeg',
}

/** A note: recording on the page needs none of these programs. */
export function microphoneCheck(system: System = thisSystem): Check {
  const found = findMicrophone(null, system)
  if (found.ok) return { name: 'microphone', state: 'ok', what: `recorded by ${found.value.name}` }
  return {
    name: 'microphone',
    state: 'note',
    what: 'no program for "dictation record" and "dictation dictate" is installed; the page needs none',
    fix: INSTALL[system.platform] ?? 'sudo apt install alsa-utils',
  }
}

/** Recordings that "dictation record" or "dictation dictate" could not send, or that another one is recording now. */
export async function unsentCheck({ dataFolder }: Config): Promise<Check> {
  const folder = unsentFolderOf(dataFolder)
  const files = await readdir(folder).catch(() => [])
  if (files.length === 0) return { name: 'unsent', state: 'ok', what: 'every recording has been stored' }
  const what = `${files.length} in ${folder}, which the server may not have`
  return { name: 'unsent', state: 'note', what, fix: `dictation import "${folder}", and then delete them` }
}
