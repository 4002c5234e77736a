// Prepares a recording for the speech model: scales each block to the loudness of a voice (speech-level.ts).

import { readPcm } from './pcm.ts'
import { LEVEL_BLOCK_SAMPLES } from './speech-frame.ts'
import { blockLevel, detectorGain } from './speech-level.ts'
import type { RangeOfFile } from './speech-messages.ts'

/** Reads the range with one block on each side, so that a block's gain does not depend on where ranges begin. */
export async function readLevelled({
  path,
  samples,
  fromSample,
  toSample,
}: RangeOfFile): Promise<Float32Array> {
  const readFrom = Math.max(0, fromSample - LEVEL_BLOCK_SAMPLES)
  const readTo = Math.min(samples, toSample + LEVEL_BLOCK_SAMPLES)
  const audio = await readPcm({ path, samples }, readFrom, readTo)
  return levelled(audio, fromSample - readFrom, toSample - readFrom)
}

/** @returns that part of the audio, scaled in place; it must begin at a block boundary */
export function levelled(audio: Float32Array, from: number, to: number): Float32Array {
  const levels: number[] = []
  for (let start = 0; start < audio.length; start += LEVEL_BLOCK_SAMPLES) {
    levels.push(blockLevel(audio.subarray(start, start + LEVEL_BLOCK_SAMPLES)))
  }
  const range = audio.subarray(from, to)
  const firstBlock = from / LEVEL_BLOCK_SAMPLES
  for (let start = 0; start < range.length; start += LEVEL_BLOCK_SAMPLES) {
    const block = firstBlock + start / LEVEL_BLOCK_SAMPLES
    const gain = detectorGain(levels.slice(Math.max(0, block - 1), block + 2))
    const end = Math.min(range.length, start + LEVEL_BLOCK_SAMPLES)
    for (let i = start; i < end; i++) range[i] = range[i]! * gain
  }
  return range
}
