// Unpacks the data folder of the version before, and names what expected.json holds.
// How it was made is make-folder.ts.

import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answers, Scope } from './answers.ts'
import type { Json } from './client.ts'

export const PACKED = join(import.meta.dir, 'folder.tar.gz')
export const EXPECTED = join(import.meta.dir, 'expected.json')

/** What make-folder.ts records about the folder. */
export type Known = {
  /** ids, by what is special about the capture or batch */
  named: Record<string, string>
  scope: Scope
  /** in the folder's file `token` */
  token: string
  packedAt: string
}

export type Deliveries = {
  /** with their ids */
  waited: string[]
  /** of work that was done after the start */
  later: string[]
}

export type Expected = Known & {
  answers: Answers
  deliveries: Deliveries
  /** the captures of `restoredOf` */
  restored: Json
}

/** In settings.json of the packed folder: nothing listens there. */
export const NO_WEBHOOK = 'http://127.0.0.1:9/hook'

export type Demuxed = {
  /** a new copy, which may be started on */
  copy(): Promise<string>
  removeCopies(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export async function unpackFolder(packed = PACKED): Promise<Demuxed> {
  const root = await mkdtemp(join(tmpdir(), 'dictation-upgrade-'))
  const original = join(root, 'original')
  await mkdir(original, { mode: 0o700 })
  await Bun.$`tar -xzf ${packed} -C ${original}`.quiet()
  const copies: string[] = []
  return {
    async copy() {
      const path = join(root, `copy-${copies.length}`)
      copies.push(path)
      // The archive holds equal files as hard links; a copy has its own.
      await cp(original, path, { recursive: true, preserveTimestamps: true })
      return path
    },
    async removeCopies() {
      for (const path of copies) await rm(path, { recursive: true, force: true })
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}
