// Creates a data folder with many transcribed captures: the audio and record of each, without the index, which the next
// start builds from the records.

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CAPTURES_FOLDER, recordPathOf } from '../../src/captures/capture-files.ts'
import { newCapture } from '../../src/captures/new-capture.ts'
import { newId } from '../../src/lib/uuid.ts'
import { fields } from '../support/archive.ts'
import { wavHeader } from '../support/wav.ts'

const SAMPLE_RATE = 16_000
const DURATION_MS = 500
const MINUTE_MS = 60_000

export const MODEL = 'tiny.en-q5_1'

/** Half a second of silence: it is decoded and searched for speech, but does not reach the engine. */
function silence(): Uint8Array {
  const dataBytes = (SAMPLE_RATE * 2 * DURATION_MS) / 1000
  const header = wavHeader({ dataBytes, rate: SAMPLE_RATE, channels: 1 })
  return Buffer.concat([header, new Uint8Array(dataBytes)])
}

/** One capture a minute, up to now. Not synced, because nothing was acknowledged. */
export async function makeCaptures(dataFolder: string, count: number): Promise<void> {
  const audio = silence()
  const incoming = {
    bytes: audio.length,
    sha256: createHash('sha256').update(audio).digest('hex'),
    kind: { format: 'wav', extension: 'wav', mediaType: 'audio/wav' },
  }
  const begin = Date.now() - count * MINUTE_MS
  for (let made = 0; made < count; made++) {
    const now = new Date(begin + made * MINUTE_MS)
    const capture = {
      ...newCapture({ incoming, fields: fields({ sttModel: MODEL }), now, id: newId(now) }),
      status: 'completed',
      durationMs: DURATION_MS,
      transcriptEngine: `The words of recording ${made}.`,
      transcriptRaw: `The words of recording ${made}.`,
      wordCount: 5,
    }
    const path = join(dataFolder, recordPathOf(capture.id))
    await mkdir(dirname(path), { recursive: true })
    await Bun.write(join(dataFolder, capture.audioPath), audio)
    const record = { format: 1, state: 'kept', capture, versions: [], lastJobId: null, promised: null }
    await Bun.write(path, `${JSON.stringify(record)}\n`)
  }
}

/** @returns by number of retranscriptions, how many captures have it, according to their records */
export async function countTranscriptions(dataFolder: string): Promise<Map<number, number>> {
  const found = new Map<number, number>()
  const names = await readdir(join(dataFolder, CAPTURES_FOLDER), { recursive: true })
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const { versions } = JSON.parse(await readFile(join(dataFolder, CAPTURES_FOLDER, name), 'utf8'))
    found.set(versions.length, (found.get(versions.length) ?? 0) + 1)
  }
  return found
}
