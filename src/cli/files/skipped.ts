// The files that a command skips: reported to programs one by one, and to users all at the end.

import { basename, dirname } from 'node:path'
import type { Report } from '../terminal/report.ts'
import { type FilePath, keyOfPath, shownName, textOfPath } from './file-path.ts'
import type { SkipReason } from './recordings.ts'

const WHY: Record<SkipReason, string> = {
  not_a_recording: 'not a recording',
  empty: 'empty',
  unreadable: 'cannot be read',
  dangling_link: 'a broken link',
  special: 'a pipe, socket or device',
  hidden: 'hidden',
}

export type SkippedFiles = {
  /** each path once per reason */
  add(path: FilePath, reason: SkipReason): void
  /** how many, not counting hidden files, which are skipped on purpose */
  count(): number
  /** reports all that were not reported yet */
  reportAll(): void
}

export function createSkippedFiles(report: Report): SkippedFiles {
  const seen = new Map<string, SkipReason>()
  let pending: { text: string; reason: SkipReason }[] = []
  let skipped = 0
  return {
    add(path, reason) {
      const key = keyOfPath(path)
      if (seen.get(key) === reason) return
      seen.set(key, reason)
      const text = textOfPath(path)
      pending.push({ text, reason })
      if (reason !== 'hidden') skipped++
      report.event('skipped', { path: text, reason })
    },
    count: () => skipped,
    reportAll() {
      for (const [reason, files] of Map.groupBy(pending, (one) => one.reason))
        report.note(`Skipped, ${WHY[reason]} (${files.length}):\n${byFolder(files.map(({ text }) => text))}`)
      pending = []
    },
  }
}

/** One line per folder: hundreds of pictures beside a few recordings are listed in full and still fit a screen. */
const byFolder = (paths: string[]): string =>
  [...Map.groupBy(paths, (path) => dirname(path))]
    .map(([folder, inIt]) => {
      const names = inIt.map((path) => shownName(basename(path)))
      return `  ${shownName(folder)}: ${names.join(', ')}`
    })
    .join('\n')
