// The temperatures and windows that a piece is decoded with, and its maximum length. The decoder is scripted.

import { expect, test } from 'bun:test'
import {
  createAudioContext,
  decodeSegment,
  type SegmentRequest,
} from '../../../../src/engine/whisper/decoding/decode-segment.ts'
import { DEFAULT_STRATEGY } from '../../../../src/engine/whisper/decoding/fallback.ts'
import { createYield } from '../../../../src/engine/whisper/yield.ts'
import {
  createScripted,
  type Heard,
  type Likely,
  type Script,
  writes,
  writtenAfter,
} from './scripted-decoder.ts'

const { at } = createScripted({ next: () => ({}) })

const hear = async (script: Script, more: Partial<SegmentRequest> = {}) => {
  const scripted = createScripted(script)
  const { windowModel, advanced } = scripted
  const yieldNow = createYield(new AbortController().signal)
  const heard = await decodeSegment(
    { windowModel, audio: createAudioContext(windowModel), yieldNow },
    {
      ...{ fromFrame: 0, restFrames: 420, previous: [], language: null, task: 'transcribe' },
      ...{ strategy: DEFAULT_STRATEGY, trimmedFrames: null, ...more },
    },
  )
  const prompts = advanced.flat().filter((step) => step.tokens.includes(scripted.tokens.start))
  return { ...heard, windows: scripted.heard.map(({ frames }) => frames), prompts }
}

test('decodes an implausible trimmed window at one temperature, the full window at all', async () => {
  const unsure = (sequence: readonly number[]): Likely => {
    const [id] = Object.keys(writes([at(0), 1, 2, at(4)])(sequence))
    return { [id!]: 0.22, 151: 0.2, 152: 0.2, 153: 0.19, 154: 0.19 }
  }
  const { prompts, windows, trimFault } = await hear({ next: unsure }, { trimmedFrames: 512 })
  expect(windows).toEqual([512, 1500])
  expect(prompts).toHaveLength(1 + DEFAULT_STRATEGY.temperatures.length)
  expect(trimFault).toBe('improbable')
})

test('truncates a text without an end at half of the model’s context', async () => {
  const endless = (sequence: readonly number[]): Likely => ({ [1 + (writtenAfter(sequence).length % 97)]: 1 })
  const { sequence } = await hear({ next: endless }, { strategy: { ...DEFAULT_STRATEGY, temperatures: [0] } })
  expect(sequence.tokens).toHaveLength(220)
})

test('does not encode the same window again', async () => {
  const { windowModel, heard } = createScripted({ next: () => ({}) })
  const audio = createAudioContext(windowModel)
  const windows: Heard[] = [
    { fromSample: 0, frames: 512 },
    { fromSample: 0, frames: 512 },
    { fromSample: 0, frames: 1500 },
    { fromSample: 16_000, frames: 1500 },
  ]
  for (const { fromSample, frames } of windows) await audio.encode(fromSample / 160, frames, () => {})
  expect(heard).toEqual(windows.slice(1))
})

test.each([
  ['two layers and 99 languages', 51_865, 2, true],
  ['two layers that know Cantonese', 51_866, 2, false],
  ['four layers', 51_865, 4, false],
])(
  'requests no timestamps only from distilled models without them: %s',
  async (_, vocabulary, textLayers, untimed) => {
    const script = createScripted({ vocabulary, next: () => ({}) })
    const next = (sequence: readonly number[]): Likely => ({
      [sequence.length > 3 ? script.tokens.end : 1]: 1,
    })
    const { firstLanguage: language } = script.tokens
    const asked: number[][] = []
    const noting = (sequence: readonly number[]) => {
      asked.push([...sequence])
      return next(sequence)
    }
    await hear({ vocabulary, textLayers, next: noting }, { language })
    expect(asked.flat().includes(script.tokens.noTimestamps)).toBe(untimed)
  },
)
