// Decides how much of each channel goes into the mono mix, from the channels' levels and correlation.
// mono-mixer.ts measures them and applies the weights.

/** For one block: the mean product of each pair of channels, row by row, measured above 300 Hz. */
export type ChannelStatistics = Float64Array

/** One factor per channel. */
export type ChannelWeights = readonly number[]

/** With fewer blocks, steady noise cannot be distinguished from speech. */
export const FEWEST_BLOCKS = 16
/** −75 dBFS: below this level is only the converter's own noise. */
const SILENCE_POWER = 10 ** (-75 / 10)
/**
 * The level difference between loud and quiet blocks. Measured on blocks of 32 ms in windows of 2 s: noise of any
 * color, hum and chords have at most 6 dB, speech with noise at 0 dB has 11.
 */
const SPEECH_RANGE_DB = 8
/**
 * The level change from one loud block to the next, upper quartile: noise, also in bursts, has at most 1.1 dB, speech 3
 * and more.
 */
const SPEECH_CHANGE_DB = 1.3
/** A block counts as loud down to this far below the loudest one. */
const LOUD_DB = 20
/** Noise this far below the speech in another channel does no harm. */
const HARMLESS_RATIO = 10 ** (-15 / 10)
/** The correlation of unrelated channels stays above this. */
const OPPOSED = -0.3
/** Channels correlated below this cancel each other in an average, whatever they contain. */
const CANCELLED = -0.9

export const averageOf = (channels: number): ChannelWeights =>
  Array.from({ length: channels }, () => 1 / channels)

/**
 * Every channel has the same weight, unless that would lose speech: a channel with opposite polarity is inverted, and
 * one with loud, steady noise is left out while another has speech. Without speech, only channels that would cancel
 * each other are inverted.
 * @param window the blocks around the one that the weights apply to
 * @param before the weights of the previous block
 */
export function channelWeights(window: readonly ChannelStatistics[], before: ChannelWeights): ChannelWeights {
  const channels = before.map((_, channel) => describe(window, channel, before.length))
  if (!channels.some(({ isSpeech }) => isSpeech)) return withoutCancelling(window, before)
  const speech = Math.max(...channels.map(({ isSpeech, loud }) => (isSpeech ? loud : 0)))
  const isKept = channels.map(({ isSpeech, mean }) => isSpeech || mean < speech * HARMLESS_RATIO)
  const kept = isKept.filter(Boolean).length
  const signs = alignedSigns(speechOf(window), { isKept, before, opposed: OPPOSED })
  return signs.map((sign, channel) => (isKept[channel] ? sign / kept : 0))
}

function withoutCancelling(window: readonly ChannelStatistics[], before: ChannelWeights): ChannelWeights {
  const isKept = before.map((weight) => weight !== 0)
  const signs = alignedSigns(meanOf(window), { isKept, before, opposed: CANCELLED })
  return before.map((weight, channel) => Math.abs(weight) * signs[channel]!)
}

type ChannelLevel = { isSpeech: boolean; loud: number; mean: number }

function describe(window: readonly ChannelStatistics[], channel: number, channels: number): ChannelLevel {
  const powers = Float64Array.from(window, (block) => block[channel * channels + channel]!)
  const sorted = powers.toSorted()
  const mean = powers.reduce((sum, power) => sum + power, 0) / powers.length
  const loud = quantile(sorted, 0.95)
  const isAudible = sorted.at(-1)! > SILENCE_POWER
  if (window.length < FEWEST_BLOCKS) return { isSpeech: isAudible, loud: sorted.at(-1)!, mean }
  const range = decibels(loud) - decibels(quantile(sorted, 0.1))
  const isSpeech = isAudible && range >= SPEECH_RANGE_DB && changeOf(powers.map(decibels)) >= SPEECH_CHANGE_DB
  return { isSpeech, loud, mean }
}

function changeOf(levels: Float64Array): number {
  const minLoud = Math.max(...levels) - LOUD_DB
  const changes: number[] = []
  for (let i = 1; i < levels.length; i++)
    if (Math.max(levels[i]!, levels[i - 1]!) > minLoud) changes.push(Math.abs(levels[i]! - levels[i - 1]!))
  return quantile(Float64Array.from(changes).sort(), 0.75)
}

const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? 0

const decibels = (power: number): number => 10 * Math.log10(Math.max(power, SILENCE_POWER))

/** The loud blocks minus the quiet ones: removes constant noise. */
function speechOf(window: readonly ChannelStatistics[]): ChannelStatistics {
  const size = window[0]!.length
  const channels = Math.sqrt(size)
  const powerOf = (block: ChannelStatistics) => {
    let power = 0
    for (let at = 0; at < size; at += channels + 1) power += block[at]!
    return power
  }
  const sorted = window.map((block) => ({ block, power: powerOf(block) })).sort((a, b) => a.power - b.power)
  const quarter = window.length < FEWEST_BLOCKS ? 0 : Math.floor(window.length / 4)
  const meanOfSome = (some: typeof sorted) => meanOf(some.map(({ block }) => block))
  const loud = meanOfSome(sorted.slice(-quarter))
  if (quarter === 0) return loud
  const quiet = meanOfSome(sorted.slice(0, quarter))
  return loud.map((product, i) => product - quiet[i]!)
}

function meanOf(blocks: readonly ChannelStatistics[]): ChannelStatistics {
  const mean = new Float64Array(blocks[0]!.length)
  for (const block of blocks) for (let i = 0; i < mean.length; i++) mean[i]! += block[i]! / blocks.length
  return mean
}

type Alignment = { isKept: boolean[]; before: ChannelWeights; opposed: number }

/** Keeps each channel's sign, unless its correlation with the sum of the channels before it is below `opposed`. */
function alignedSigns(sound: ChannelStatistics, { isKept, before, opposed }: Alignment): number[] {
  const channels = before.length
  const signs: number[] = before.map((weight) => (weight < 0 ? -1 : 1))
  const mixed: number[] = []
  let mixedPower = 0
  for (let channel = 0; channel < channels; channel++) {
    if (!isKept[channel]) continue
    const power = sound[channel * channels + channel]!
    const common = mixed.reduce((sum, other) => sum + signs[other]! * sound[other * channels + channel]!, 0)
    const relation = (signs[channel]! * common) / Math.sqrt(mixedPower * power)
    if (mixedPower > 0 && power > 0 && relation < opposed) signs[channel] = -signs[channel]!
    mixedPower += power + 2 * signs[channel]! * common
    mixed.push(channel)
  }
  return signs
}
