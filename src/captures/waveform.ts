// The waveform of a recording for drawing: the lowest and the highest sample of many short spans.
// Computed once and stored in a file beside the audio; it may outlive the audio.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { PcmFile } from '../audio/audio-file.ts'
import type { AudioDecoder } from '../audio/decode.ts'
import { PCM_SAMPLE_RATE, readPcm } from '../audio/pcm.ts'
import { removeDurably, writeFileDurably } from '../lib/durable.ts'
import { createKeyedLock } from '../lib/keyed-lock.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { captureNotFound } from './capture.ts'
import { audioKindOf } from './capture-files.ts'
import type { Captures } from './captures.ts'

export type Waveform = {
  /** lowest and highest sample of each span, −1 to 1 */
  peaks: [min: number, max: number][]
  durationMs: number
  /** as in PcmFile */
  playsAlike: boolean
}

/** Codes of the captures and of the decoder. */
export type WaveformFailure = { code: string; message: string }

export type Waveforms = {
  /** `points` spans of equal length; fewer if there are fewer samples */
  of(id: string, request: { points: number; signal: AbortSignal }): Promise<Result<Waveform, WaveformFailure>>
}

type Deps = {
  captures: Pick<Captures, 'get' | 'audioFile'>
  decoder: Pick<AudioDecoder, 'decode'>
  /** the path of a capture's outline */
  pathOf(id: string): string
}

/** The stored form: spans of samples, and the total number of samples. */
type Outline = { samples: number; playsAlike: boolean; lows: Int8Array; highs: Int8Array }

/** Four times the largest request, so that a span's edge is never off by more than a quarter of a span; 32 kB. */
const SPANS = 16_000
const FULL_SCALE = 127
const SAMPLES_AT_ONCE = 262_144
/** `PEAKS2`, a zero byte, a byte that is 1 if the file itself plays otherwise, and the number of samples. */
const MAGIC = Buffer.from('PEAKS2\0', 'latin1')
/** Written before containers' timestamps were read: its length may differ from what is decoded now. */
const OLD_MAGIC = Buffer.from('PEAKS1\0', 'latin1')
const HEADER_BYTES = MAGIC.length + 1 + 8

export function createWaveforms({ captures, decoder, pathOf }: Deps): Waveforms {
  // Concurrent requests share one computation.
  const turn = createKeyedLock()

  async function compute(id: string, signal: AbortSignal): Promise<Result<Outline, WaveformFailure>> {
    const audio = await captures.audioFile(id)
    if (!audio.ok) return audio
    const { path } = audio.value
    const kind = audioKindOf(path)
    if (kind === null)
      return fail({ code: 'undecodable_audio', message: 'This is not audio in a format that can be read.' })
    const decoded = await decoder.decode({ path, kind, signal })
    if (!decoded.ok) return decoded
    try {
      const outline = await outlineOf(decoded.value)
      await writeFileDurably(pathOf(id), encode(outline))
      // The capture may have been deleted meanwhile, and none of its files may stay.
      if ((await captures.get(id)) === null) await removeDurably(pathOf(id))
      return succeed(outline)
    } finally {
      await decoded.value.dispose()
    }
  }

  return {
    of: (id, { points, signal }) =>
      turn(id, async () => {
        if ((await captures.get(id)) === null) return fail(captureNotFound(id))
        const kept = await readOutline(pathOf(id), MAGIC)
        const outline = kept === null ? await compute(id, signal) : succeed(kept)
        if (outline.ok) return succeed(drawn(outline.value, points))
        const old = await readOutline(pathOf(id), OLD_MAGIC)
        return old === null ? outline : succeed(drawn(old, points))
      }),
  }
}

async function outlineOf(pcm: PcmFile): Promise<Outline> {
  const count = Math.min(SPANS, pcm.samples)
  const lows = new Int8Array(count).fill(FULL_SCALE)
  const highs = new Int8Array(count).fill(-FULL_SCALE)
  for (let from = 0; from < pcm.samples; from += SAMPLES_AT_ONCE) {
    const samples = await readPcm(pcm, from, from + SAMPLES_AT_ONCE)
    for (let index = 0; index < samples.length; index++) {
      const span = Math.floor(((from + index) * count) / pcm.samples)
      const level = Math.round(Math.max(-1, Math.min(1, samples[index]!)) * FULL_SCALE)
      if (level < lows[span]!) lows[span] = level
      if (level > highs[span]!) highs[span] = level
    }
  }
  return { samples: pcm.samples, playsAlike: pcm.playsAlike, lows, highs }
}

function drawn({ samples, playsAlike, lows, highs }: Outline, points: number): Waveform {
  const count = Math.min(points, lows.length)
  const peaks = Array.from({ length: count }, (_, point): [number, number] => {
    const from = Math.floor((point * lows.length) / count)
    const to = Math.max(from + 1, Math.floor(((point + 1) * lows.length) / count))
    let [low, high] = [FULL_SCALE, -FULL_SCALE]
    for (let span = from; span < to; span++) {
      low = Math.min(low, lows[span]!)
      high = Math.max(high, highs[span]!)
    }
    return [rounded(low), rounded(high)]
  })
  return { peaks, durationMs: Math.round((samples * 1000) / PCM_SAMPLE_RATE), playsAlike }
}

const rounded = (level: number): number => Math.round((level * 1000) / FULL_SCALE) / 1000

function encode({ samples, playsAlike, lows, highs }: Outline): Uint8Array {
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(samples))
  return Buffer.concat([MAGIC, Buffer.from([playsAlike ? 0 : 1]), size, bytesOf(lows), bytesOf(highs)])
}

const bytesOf = (levels: Int8Array): Uint8Array =>
  new Uint8Array(levels.buffer, levels.byteOffset, levels.length)

/** How many samples the recording of an outline decodes to; null if no outline is stored. */
export const samplesOfOutline = async (path: string): Promise<number | null> =>
  (await readOutline(path, MAGIC))?.samples ?? null

/** Null if there is none or its format is unknown: it is computed again then. */
async function readOutline(path: string, magic: Buffer): Promise<Outline | null> {
  if (!existsSync(path)) return null
  const bytes = await readFile(path)
  if (bytes.length <= HEADER_BYTES || !bytes.subarray(0, magic.length).equals(magic)) return null
  const samples = Number(bytes.readBigUInt64LE(magic.length + 1))
  const count = Math.min(SPANS, samples)
  if (bytes.length !== HEADER_BYTES + 2 * count) return null
  const levels = new Int8Array(bytes.buffer, bytes.byteOffset + HEADER_BYTES, 2 * count)
  const playsAlike = bytes[magic.length] === 0
  return { samples, playsAlike, lows: levels.subarray(0, count), highs: levels.subarray(count) }
}
