// Reads FFmpeg's output, a Matroska stream of 32-bit floats, while FFmpeg writes it.

import { createByteQueue } from '../byte-queue.ts'
import { MATROSKA_ID as ID, integerOf, MAX_ELEMENT_HEAD_BYTES, OPENED, readElementHead } from './ebml.ts'
import type { PcmSink } from './pcm-sink.ts'
import { OUTPUT_RATE } from './resampler.ts'
import { type PcmLayout, toChannels } from './sample-formats.ts'

/** FFmpeg's options for this output. */
export const OUTPUT_FORMAT = [
  '-c:a',
  'pcm_f32le',
  '-avoid_negative_ts',
  'disabled',
  '-f',
  'matroska',
] as const

/** A block's header: a track number of one byte, a time of two, and flags. */
const BLOCK_HEAD_BYTES = 4
/** FFmpeg's timestamps in Matroska are milliseconds. */
const TICKS_PER_SECOND = 1000

/**
 * @param beginsAt FFmpeg's time 0, in seconds of the recording
 * @returns a function that takes the next bytes, split anywhere
 */
export function createOutputReader(sink: PcmSink, beginsAt: number): (bytes: Uint8Array) => void {
  const queue = createByteQueue()
  const layout: PcmLayout = { sample: 'f32', littleEndian: true, rate: OUTPUT_RATE, channels: 1 }
  let cluster = 0

  const take = (id: number, body: Uint8Array) => {
    if (id === ID.channels) layout.channels = integerOf(body)
    else if (id === ID.clusterTimestamp) cluster = integerOf(body)
    else if (id === ID.simpleBlock || id === ID.block) {
      const timestamp = new DataView(body.buffer, body.byteOffset).getInt16(1)
      sink.at(beginsAt + (cluster + timestamp) / TICKS_PER_SECOND)
      sink.push(toChannels(body.subarray(BLOCK_HEAD_BYTES), layout), OUTPUT_RATE)
    }
  }

  return (bytes) => {
    queue.push(bytes)
    for (;;) {
      const head = readElementHead(queue.peek(MAX_ELEMENT_HEAD_BYTES))
      if (head === null) return
      if (OPENED.has(head.id)) queue.skip(head.bytes)
      else if (queue.length() < head.bytes + head.size) return
      else take(head.id, queue.take(head.bytes + head.size).subarray(head.bytes))
    }
  }
}
