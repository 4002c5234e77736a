// Sends a recording through an Opus stream in pieces, as a socket would.

import { createByteQueue } from '../../../src/audio/byte-queue.ts'
import { opusContainerOf } from '../../../src/audio/opus-stream/demuxer.ts'
import { createOpusStream } from '../../../src/audio/opus-stream/opus-stream.ts'
import { createWebmDemuxer } from '../../../src/audio/opus-stream/webm-demuxer.ts'

export type Streamed = {
  samples: Float32Array
  /** the code of the failure */
  code: string | null
}

export function* piecesOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export async function streamed(
  pieces: Iterable<Uint8Array>,
  container: 'webm' | 'ogg' | null = null,
): Promise<Streamed> {
  const emitted: Float32Array[] = []
  const all = [...pieces]
  const detected = container ?? opusContainerOf(Buffer.concat(all.slice(0, 4)))
  if (detected === null || detected === 'unclear') throw new Error('neither WebM nor Ogg')
  const stream = createOpusStream({
    container: detected,
    signal: new AbortController().signal,
    emit: (samples) => emitted.push(samples.slice()),
  })
  for (const piece of all) stream.push(piece)
  stream.finish()
  const ended = await stream.ended
  const samples = new Float32Array(emitted.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of emitted) {
    samples.set(part, at)
    at += part.length
  }
  return { samples, code: ended.ok ? null : ended.failure.code }
}

/** The packets of a WebM file with one Opus track. */
export async function packetsOf(webm: Uint8Array): Promise<{ head: Uint8Array; packets: Uint8Array[] }> {
  const bytes = createByteQueue()
  bytes.push(webm)
  const demuxer = createWebmDemuxer(bytes)
  let head = new Uint8Array()
  const packets: Uint8Array[] = []
  for (let step = demuxer.step(); step !== 'starved'; step = demuxer.step()) {
    if (step === 'passed') continue
    head = new Uint8Array(step.head ?? head)
    packets.push(...step.packets)
  }
  return { head, packets }
}
