// Finds the least harmful point to cut speech.

import { SAMPLE_RATE } from '../engine/engine.ts'

const FRAME = SAMPLE_RATE / 50
/** 180 ms around each frame: longer than the closure of a stop consonant, shorter than a pause for breath. */
const AROUND_FRAMES = 4

/** Index of the middle of the quietest 20 ms within the quietest surroundings. */
export function bestCutPoint(samples: Float32Array): number {
  const energies: number[] = []
  for (let start = 0; start + FRAME <= samples.length; start += FRAME) {
    let sum = 0
    for (let i = start; i < start + FRAME; i++) sum += samples[i]! ** 2
    energies.push(sum)
  }
  if (energies.length === 0) return Math.floor(samples.length / 2)
  const surroundings = energies.map((_, at) => mean(around(energies, at)))
  const calm = indexOfMin(surroundings)
  const first = Math.max(0, calm - AROUND_FRAMES)
  const quietest = first + indexOfMin(around(energies, calm))
  return quietest * FRAME + FRAME / 2
}

const around = (values: number[], at: number) =>
  values.slice(Math.max(0, at - AROUND_FRAMES), at + AROUND_FRAMES + 1)

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

const indexOfMin = (values: number[]) => values.indexOf(Math.min(...values))
