// Mixes channels to mono, block by block: the average, unless that would cancel or drown speech (channel-weights.ts).

import {
  averageOf,
  type ChannelStatistics,
  type ChannelWeights,
  channelWeights,
  FEWEST_BLOCKS,
} from './channel-weights.ts'

export type MonoMixer = {
  /** one array per channel, all of equal length; copies them */
  push(channels: readonly Float32Array[]): void
  /** emits the rest */
  finish(): void
}

export type MonoMixerOptions = {
  channels: number
  rate: number
  /**
   * `ahead` delays by a second and also considers what comes next; `at once` delays only the start, by half a second
   */
  decides: 'ahead' | 'at once'
  /** receives finite samples; the array is only valid during the call */
  emit: (samples: Float32Array) => void
}

const BLOCK_SECONDS = 0.032
/** Two seconds, which contain loud and quiet moments of speech. */
const WINDOW_BLOCKS = 62
/**
 * Computing weights takes longer than mixing, so it runs once per this many blocks. A live stream cannot wait as long.
 */
const BLOCKS_PER_DECISION = { ahead: 4, 'at once': 1 }
const BLOCKS_AHEAD = { ahead: 31, 'at once': 0 }
/** With more channels, comparing all pairs would take longer than decoding. */
const MAX_COMPARED = 8
/** Rumble and DC drift would hide how channels correlate. */
const HIGH_PASS_HZ = 300

type Block = { channels: Float32Array[]; length: number; statistics: ChannelStatistics }

export function createMonoMixer(options: MonoMixerOptions): MonoMixer {
  if (options.channels === 1 || options.channels > MAX_COMPARED) return createAverage(options.emit)
  const { channels: count, rate, emit } = options
  const blockSamples = Math.round(rate * BLOCK_SECONDS)
  const ahead = BLOCKS_AHEAD[options.decides]
  const measure = createMeasure(count, rate)
  const newBlock = (): Block => ({
    channels: Array.from({ length: count }, () => new Float32Array(blockSamples)),
    length: 0,
    statistics: new Float64Array(count * count),
  })
  let window: ChannelStatistics[] = []
  const waiting: Block[] = []
  let filling = newBlock()
  /** an emitted block, for reuse */
  let spare: Block | null = null
  let weights: ChannelWeights | null = null
  let emitted = 0
  const mono = new Float32Array(blockSamples)

  const emitFirst = (): void => {
    const block = waiting.shift()!
    const isDue = weights === null || emitted++ % BLOCKS_PER_DECISION[options.decides] === 0
    const next = isDue ? channelWeights(window, weights ?? averageOf(count)) : weights!
    mix(block, { from: weights ?? next, to: next }, mono)
    weights = next
    emit(mono.subarray(0, block.length))
    spare = { ...block, length: 0, statistics: new Float64Array(count * count) }
  }
  const close = (): void => {
    measure(filling)
    waiting.push(filling)
    window = [...window.slice(1 - WINDOW_BLOCKS), filling.statistics]
  }

  return {
    push(channels) {
      const length = channels[0]!.length
      for (let done = 0; done < length; ) {
        const some = Math.min(length - done, blockSamples - filling.length)
        copyFinite(channels, filling, { from: done, length: some })
        done += some
        filling.length += some
        if (filling.length < blockSamples) continue
        close()
        // Before the first block is mixed, there must be enough blocks to distinguish noise from speech.
        const held = weights === null ? Math.max(ahead, FEWEST_BLOCKS) : ahead
        if (waiting.length > held)
          do emitFirst()
          while (waiting.length > ahead)
        filling = spare ?? newBlock()
        spare = null
      }
    },
    finish() {
      if (filling.length > 0) close()
      filling = newBlock()
      while (waiting.length > 0) emitFirst()
    },
  }
}

/** Averages without a delay and without comparing channels. */
function createAverage(emit: MonoMixerOptions['emit']): MonoMixer {
  let mono = new Float32Array(0)
  return {
    push(channels) {
      const length = channels[0]!.length
      if (length === 0) return
      if (mono.length < length) mono = new Float32Array(length)
      average(channels, mono, length)
      emit(mono.subarray(0, length))
    },
    finish() {},
  }
}

/** Replaces invalid numbers first: a single one would spread through the resampler's filter. */
function average(channels: readonly Float32Array[], mono: Float32Array, length: number): void {
  const [first, ...others] = channels
  for (let i = 0; i < length; i++) mono[i] = finite(first![i]!)
  if (others.length === 0) return
  for (const channel of others) for (let i = 0; i < length; i++) mono[i]! += finite(channel[i]!)
  for (let i = 0; i < length; i++) mono[i]! /= channels.length
}

/** Weights change linearly over the block. */
function mix(block: Block, { from, to }: { from: ChannelWeights; to: ChannelWeights }, mono: Float32Array) {
  const { channels, length } = block
  const even = 1 / channels.length
  if (from.every((weight) => weight === even) && to.every((weight) => weight === even))
    return average(channels, mono, length)
  mono.fill(0, 0, length)
  channels.forEach((samples, channel) => {
    const [first, last] = [from[channel]!, to[channel]!]
    const step = (last - first) / length
    for (let i = 0; i < length; i++) mono[i]! += samples[i]! * (first + step * (i + 1))
  })
}

function copyFinite(
  channels: readonly Float32Array[],
  block: Block,
  part: { from: number; length: number },
): void {
  block.channels.forEach((copy, channel) => {
    const samples = channels[channel]!
    for (let i = 0; i < part.length; i++) copy[block.length + i] = finite(samples[part.from + i]!)
  })
}

/** Keeps the filter's state between blocks. */
function createMeasure(count: number, rate: number): (block: Block) => void {
  const decay = 1 / (1 + (2 * Math.PI * HIGH_PASS_HZ) / rate)
  const last = new Float64Array(count)
  const passed = new Float64Array(count)
  const audible = Array.from({ length: count }, () => new Float64Array(Math.round(rate * BLOCK_SECONDS)))
  let isFirst = true

  const passHigh = (samples: Float32Array, channel: number, length: number): void => {
    const into = audible[channel]!
    let [before, value] = [isFirst ? samples[0]! : last[channel]!, passed[channel]!]
    for (let i = 0; i < length; i++) {
      const sample = samples[i]!
      value = decay * (value + sample - before)
      into[i] = value
      before = sample
    }
    last[channel] = before
    passed[channel] = value
  }

  return ({ channels, length, statistics }) => {
    channels.forEach((samples, channel) => {
      passHigh(samples, channel, length)
    })
    isFirst = false
    for (let a = 0; a < count; a++)
      for (let b = a; b < count; b++) {
        const product = meanProduct(audible[a]!, audible[b]!, length)
        statistics[a * count + b] = product
        statistics[b * count + a] = product
      }
  }
}

function meanProduct(one: Float64Array, other: Float64Array, length: number): number {
  let sum = 0
  for (let i = 0; i < length; i++) sum += one[i]! * other[i]!
  return sum / length
}

/** Clamps a sample to −1…1. Damaged AAC and MP3 decode to NaN, infinities and numbers above 100. */
export function finite(sample: number): number {
  if (sample >= -1 && sample <= 1) return sample
  return Number.isFinite(sample) ? Math.sign(sample) : 0
}
