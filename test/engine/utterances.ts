// The 200 utterances for comparing engines: the recordings of test/speech, and variations of them.

import { join } from 'node:path'
import { createTestDecoder } from '../audio/decoded.ts'
import { samplesOf } from '../support/flac.ts'
import { recording, recordings, speechFolder } from '../support/speech.ts'

export type Utterance = {
  name: string
  /** the spoken text; "" for silence */
  text: string
  /** native whisper.cpp's text; null for variations */
  reference: string | null
  /** 16 kHz mono, at most 28 s, the same every time */
  samples(): Promise<Float32Array>
}

const RATE = 16_000
const LONGEST_SECONDS = 28

/** The files of test/speech whose samples differ from those of human-6 by more than rounding. */
const FORMATS = [
  'wav-u8.wav',
  'wav-alaw.wav',
  'wav-mulaw.wav',
  'wav-adpcm.wav',
  'wav-44k1.wav',
  'wav-48k-stereo.wav',
  'wav-96k-s24.wav',
  'wav-6ch.wav',
  'flac-48k.flac',
  'mp3-cbr64.mp3',
  'mp3-vbr.mp3',
  'ogg-vorbis.ogg',
  'mkv-vorbis.mkv',
  'ogg-opus.opus',
  'webm-opus.webm',
  'm4a-aac.m4a',
  'mp4-aac-fragmented.mp4',
  'mov-aac.mov',
  'aac-adts.aac',
]

const LONG = 'long-3-minutes.flac'
const LEVELS = [0.25, 0.5, 0.1]
const SPEEDS = [0.9, 1.1]
const PAUSES_SECONDS = [0.3, 0.6, 1, 1.5]
const JOINS = 44

const nameOf = (file: string) => file.replace(/^.*\//, '').replace(/\.flac$/, '')

const decodedSamples = async (file: string) => {
  await using decoder = await createTestDecoder({ spare: false })
  return await decoder.samplesOf(join(speechFolder, file))
}

const atLevel = (samples: Float32Array, level: number) => samples.map((sample) => sample * level)

/** Samples on either side that contribute to a new one. */
const REACH = 16

/** Windowed sinc (Hann): faster speech is higher, as on a tape. */
const atSpeed = (samples: Float32Array, speed: number) => {
  const bandwidth = Math.min(1, 1 / speed)
  return Float32Array.from({ length: Math.floor(samples.length / speed) }, (_, index) => {
    const center = index * speed
    let sum = 0
    for (let at = Math.ceil(center - REACH); at <= center + REACH; at++) {
      const distance = at - center
      const angle = Math.PI * distance * bandwidth
      const sinc = angle === 0 ? 1 : Math.sin(angle) / angle
      sum += (samples[at] ?? 0) * sinc * bandwidth * (0.5 + 0.5 * Math.cos((Math.PI * distance) / REACH))
    }
    return sum
  })
}

const withPauses = (parts: Float32Array[], pauseSeconds: number) => {
  const pause = Math.round(pauseSeconds * RATE)
  const joined = new Float32Array(parts.reduce((sum, part) => sum + part.length + pause, -pause))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length + pause
  }
  return joined
}

const isWholeClip = ({ file, seconds }: { file: string; seconds: number }) =>
  !file.startsWith('formats/') && seconds <= LONGEST_SECONDS

const unaltered = (): Utterance[] =>
  recordings.filter(isWholeClip).map(({ file, text, reference }) => ({
    name: nameOf(file),
    text,
    reference,
    samples: () => samplesOf(file),
  }))

const inOtherFormats = (): Utterance[] =>
  FORMATS.map((file) => {
    const { text, reference } = recording(`formats/${file}`)
    return { name: file, text, reference, samples: () => decodedSamples(`formats/${file}`) }
  })

type Window = { startSeconds: number; endSeconds: number; texts: string[] }

/** As many pieces as fit, cut halfway between two. */
const windowsOfLong = (): Window[] => {
  const { pieces = [] } = recording(LONG)
  const windows: Window[] = []
  for (const [i, { start, end, text }] of pieces.entries()) {
    const cut = i === 0 ? 0 : (pieces[i - 1]!.end + start) / 2
    const next = pieces[i + 1]
    const endSeconds = next ? (end + next.start) / 2 : end
    const last = windows.at(-1)
    if (last && endSeconds - last.startSeconds <= LONGEST_SECONDS) {
      last.endSeconds = endSeconds
      last.texts.push(text)
    } else windows.push({ startSeconds: cut, endSeconds, texts: [text] })
  }
  return windows
}

const ofTheLongOne = (): Utterance[] =>
  windowsOfLong().map(({ startSeconds, endSeconds, texts }) => ({
    name: `${nameOf(LONG)} from ${startSeconds.toFixed(1)} s`,
    text: texts.join(' '),
    reference: null,
    samples: async () =>
      (await samplesOf(LONG)).slice(Math.round(startSeconds * RATE), Math.round(endSeconds * RATE)),
  }))

const clips = recordings.filter(({ file }) => /^(human|short)-\d+\.flac$/.test(file))

const fasterAndSlower = (): Utterance[] =>
  clips.flatMap(({ file, text }) =>
    SPEEDS.map((speed) => ({
      name: `${nameOf(file)} at speed ${speed}`,
      text,
      reference: null,
      samples: async () => atSpeed(await samplesOf(file), speed),
    })),
  )

const quieter = (): Utterance[] =>
  clips.map(({ file, text }, i) => {
    const level = LEVELS[i % LEVELS.length]!
    return {
      name: `${nameOf(file)} at level ${level}`,
      text,
      reference: null,
      samples: async () => atLevel(await samplesOf(file), level),
    }
  })

/** Groups of two and three in turn; the strides combine each recording with different ones. */
const joined = (): Utterance[] =>
  Array.from({ length: JOINS }, (_, i) => {
    const at = [i, i + 7 + Math.floor(i / clips.length), i * 7 + 17].slice(0, 2 + (i % 2))
    const parts = [...new Set(at.map((index) => clips[index % clips.length]!))]
    const pause = PAUSES_SECONDS[i % PAUSES_SECONDS.length]!
    return {
      name: `${parts.map(({ file }) => nameOf(file)).join(' + ')} with ${pause} s between`,
      text: parts.map(({ text }) => text).join(' '),
      reference: null,
      samples: async () => withPauses(await Promise.all(parts.map(({ file }) => samplesOf(file))), pause),
    }
  })

/** Coprime with 200, so that the first n are a sample of all kinds. */
const STRIDE = 71

const inOrder = (all: Utterance[]) => all.map((_, i) => all[(i * STRIDE) % all.length]!)

export const utterances: Utterance[] = inOrder([
  ...unaltered(),
  ...inOtherFormats(),
  ...ofTheLongOne(),
  ...fasterAndSlower(),
  ...quieter(),
  ...joined(),
])
