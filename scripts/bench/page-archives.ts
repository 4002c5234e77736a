// Archives for the page benchmark: a list of many captures, and one capture of three hours with word times.

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../db/open.ts'
import { countCaptures } from '../../db/retention.ts'
import { silentLog } from '../../src/lib/log.ts'
import { succeed } from '../../src/lib/result.ts'
import type { Transcript } from '../../src/transcription/transcript.ts'
import { fields, openArchive, receive, said } from '../../test/support/archive.ts'
import { corpus } from '../../test/support/corpus.ts'
import { createTestFolder, type TestFolder } from '../../test/support/database.ts'
import { keepMany, settleDatabase } from '../../test/support/many-captures.ts'
import { until } from '../../test/support/until.ts'
import { wavHeader } from '../../test/support/wav.ts'

/** A folder that already contains captures is left as it is. */
export async function fillList(dataFolder: string, captures: number): Promise<void> {
  await mkdir(dataFolder, { recursive: true })
  const opened = await openDatabase({ dataFolder, databaseUrl: null, log: silentLog })
  if (!opened.ok) throw new Error(opened.failure.message)
  const database = opened.value
  try {
    if ((await database.run(countCaptures)) > 0) return
    await keepMany(database, captures)
    await settleDatabase(database)
  } finally {
    await database.close()
  }
}

export const LONG_HOURS = 3
export const LONG_WORDS = 30_000
const WORDS_PER_SEGMENT = 10
const SPOKEN_MS = (LONG_HOURS * 3_600_000) / LONG_WORDS
/** Silent audio; at half the usual rate the browser has half as many samples to resample. */
const RATE = 8000
const SILENT_SECOND = new Uint8Array(RATE * 2)

/** Every twentieth word has low confidence. */
function longTranscript(): Transcript {
  const words: string[] = []
  for (const { text, language } of corpus(7)) {
    if (language === 'en') words.push(...text.split(' '))
    if (words.length >= LONG_WORDS) break
  }
  words.length = LONG_WORDS
  const timed = words.map((word, index) => ({
    word: ` ${word}`,
    startMs: Math.round(index * SPOKEN_MS),
    endMs: Math.round((index + 0.9) * SPOKEN_MS),
    probability: index % 20 === 19 ? 0.3 : 0.95,
  }))
  const segments = Array.from({ length: LONG_WORDS / WORDS_PER_SEGMENT }, (_, index) => {
    const own = timed.slice(index * WORDS_PER_SEGMENT, (index + 1) * WORDS_PER_SEGMENT)
    const text = own.map(({ word }) => word.trim()).join(' ')
    const [{ startMs }, { endMs }] = [own[0]!, own.at(-1)!]
    return { startMs, endMs, text, avgLogprob: -0.2, noSpeechProb: 0.01, words: own }
  })
  return said(words.join(' '), { segments, durationMs: LONG_HOURS * 3_600_000 })
}

/** @returns the folder, which the caller removes, and the id of the capture */
export async function makeLong(): Promise<{ folder: TestFolder; id: string }> {
  const folder = await createTestFolder()
  const { dataFolder } = folder
  const archive = await openArchive({ folder, transcribe: async () => succeed(longTranscript()) })
  const path = join(dataFolder, 'long.wav')
  const sound = Bun.file(path).writer()
  const seconds = LONG_HOURS * 3600
  sound.write(wavHeader({ dataBytes: seconds * SILENT_SECOND.length, rate: RATE, channels: 1 }))
  for (let second = 0; second < seconds; second++) sound.write(SILENT_SECOND)
  await sound.end()
  const created = await archive.captures.create({
    incoming: await receive(dataFolder, path),
    fields: fields(),
  })
  await rm(path)
  if (!created.ok) throw new Error(created.failure.message)
  const { id } = created.value.capture
  await until(async () => (await archive.captures.get(id))?.status === 'completed', { timeoutMs: 60_000 })
  await archive.stop()
  return { folder, id }
}
