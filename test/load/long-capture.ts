// Creates a transcribed capture of many hours in a data folder. Its audio is half a second of silence; only its text is long.

import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newCapture } from '../../src/captures/new-capture.ts'
import { newRecord, writeRecord } from '../../src/captures/record.ts'
import type { Segment } from '../../src/engine/engine.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createDataFolderStore } from '../../src/store/data-folder.ts'
import { fields } from '../support/archive.ts'
import { wavHeader } from '../support/wav.ts'

/** Speech without pauses. */
const WORDS_A_MINUTE = 150
const WORDS_A_SEGMENT = 15
const WORD_MS = 60_000 / WORDS_A_MINUTE

const SPOKEN =
  'so um I think the the meeting moves to Tuesday no I mean Wednesday at twenty five past three comma and Anna said that www dot example dot com is down again you know period'.split(
    ' ',
  )

function segmentAt(index: number): Segment {
  const words = Array.from({ length: WORDS_A_SEGMENT }, (_, offset) => {
    const at = index * WORDS_A_SEGMENT + offset
    const word = SPOKEN[at % SPOKEN.length]!
    return { word: ` ${word}`, startMs: at * WORD_MS, endMs: (at + 1) * WORD_MS, probability: 0.9 }
  })
  const [startMs, endMs] = [words[0]!.startMs, words.at(-1)!.endMs]
  const text = words.map(({ word }) => word).join('')
  return { startMs, endMs, text: text.trim(), avgLogprob: -0.2, noSpeechProb: 0.01, words }
}

/** @returns its id */
export async function makeLongCapture(dataFolder: string, hours: number): Promise<string> {
  const audio = Buffer.concat([
    wavHeader({ dataBytes: 16_000, rate: 16_000, channels: 1 }),
    Buffer.alloc(16_000),
  ])
  const incoming = {
    bytes: audio.length,
    sha256: createHash('sha256').update(audio).digest('hex'),
    kind: { format: 'wav', extension: 'wav', mediaType: 'audio/wav' },
  }
  const now = new Date()
  const count = (hours * 60 * WORDS_A_MINUTE) / WORDS_A_SEGMENT
  const segments = Array.from({ length: count }, (_, index) => segmentAt(index))
  const text = segments.map((segment) => segment.text).join(' ')
  const capture = {
    ...newCapture({ incoming, fields: fields({ sttModel: 'tiny.en-q5_1' }), now, id: newId(now) }),
    ...{ status: 'completed' as const, durationMs: hours * 3_600_000, segments, detectedLanguage: 'en' },
    ...{ transcriptEngine: text, transcriptRaw: text, transcriptRefined: text },
    wordCount: count * WORDS_A_SEGMENT,
  }
  const path = join(dataFolder, capture.audioPath)
  await mkdir(dirname(path), { recursive: true })
  await Bun.write(path, audio)
  await writeRecord(createDataFolderStore(dataFolder), newRecord(capture))
  return capture.id
}
