// Creates a data folder with many captures from one with few: new ids and times, and hard links to the same recordings.
// It has no database: a server of the folder's version builds one from the records.

import { linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { newId } from '../../src/lib/uuid.ts'
import type { Json } from './client.ts'
import type { Work } from './exceptions.ts'

/** Copies of each capture with unfinished work; more would keep the servers busy for hours. */
const COPIES_WITH_WORK = 40
const MINUTE_MS = 60_000
const WITHOUT = ['captures', 'incoming', 'batches']

type Wanted = { count: number; work: Work }

/** Gives finished captures the source `dictation` and the others `file`, so that a filter separates them. */
export async function multiply(from: string, to: string, { count, work }: Wanted): Promise<number> {
  const isLeftOut = (path: string) =>
    WITHOUT.includes(basename(path)) || basename(path).startsWith('postgres-')
  await cp(from, to, { recursive: true, filter: (path) => path === from || !isLeftOut(path) })
  const records = recordsIn(join(from, 'captures'))
  const isToDo = ({ id }: Template) => work.captureIds.includes(id)
  const [toDo, done] = [records.filter(isToDo), records.filter((one) => !isToDo(one))]
  const working = toDo.flatMap((one) => Array.from({ length: COPIES_WITH_WORK }, () => one)).slice(0, count)
  const begin = Date.now() - count * MINUTE_MS
  for (let made = 0; made < count; made++) {
    const template = working[made] ?? done[made % done.length]!
    writeCopy(template, to, {
      at: new Date(begin + made * MINUTE_MS),
      source: made < working.length ? 'file' : 'dictation',
    })
  }
  return count
}

type Template = { id: string; folder: string; record: Json; others: string[] }

function recordsIn(captures: string): Template[] {
  const names = readdirSync(captures, { recursive: true }).map(String)
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const id = basename(name, '.json')
      const record = JSON.parse(readFileSync(join(captures, name), 'utf8'))
      const others = names.filter((other) => basename(other).startsWith(id) && other !== name)
      return {
        id,
        folder: join(captures, dirname(name)),
        record,
        others: others.map((other) => basename(other)),
      }
    })
}

function writeCopy(
  { id, folder, record, others }: Template,
  to: string,
  copy: { at: Date; source: string },
): void {
  const newOne = newId(copy.at)
  const month = copy.at.toISOString().slice(0, 7)
  const target = join(to, 'captures', month)
  mkdirSync(target, { recursive: true, mode: 0o700 })
  const renamed = (text: string) =>
    text
      .replaceAll(`captures/${basename(folder)}/${id}`, `captures/${month}/${newOne}`)
      .replaceAll(id, newOne)
  const value = JSON.parse(renamed(JSON.stringify(record)))
  const summary = value.state === 'kept' ? value.capture : value.remains
  const time = copy.at.toISOString()
  Object.assign(summary, { source: copy.source, createdAt: time, recordedAt: time })
  // Once the job has ended, its words would change the counts of an application.
  if (copy.source === 'file') Object.assign(summary, { appName: null, appId: null })
  if (value.promised) value.promised.jobId = newId(copy.at)
  writeFileSync(join(target, `${newOne}.json`), `${JSON.stringify(value)}\n`, { mode: 0o600 })
  for (const name of others) {
    const path = join(target, name.replace(id, newOne))
    if (name.includes('.segments.')) writeFileSync(path, renamed(readFileSync(join(folder, name), 'utf8')))
    else linkSync(join(folder, name), path)
  }
}
