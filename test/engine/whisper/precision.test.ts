// The number formats in which matrices are stored, by the types of their tensors.

import { expect, test } from 'bun:test'
import { precisionOf } from '../../../src/engine/whisper/precision.ts'
import { BLOCK, EXACT_BLOCK, IN_FLOATS } from '../../../wasm/whisper/encoder-kernels.ts'
import { FLOAT_GRID, LONG_GRID } from '../../../wasm/whisper/interface.ts'
import { ANY_SHORT_GRID } from '../../../wasm/whisper/token-kernels.ts'
import { SHAPES } from '../../support/model-files.ts'
import { KINDS, type Kind } from '../../support/quantize.ts'

/** A model whose tensors have these types, by name suffix; all others are q5_1. */
const precisionWith = (kinds: Record<string, Kind>, shape = SHAPES.base) =>
  precisionOf({
    shape,
    typeOf(name) {
      const [, kind] = Object.entries(kinds).find(([ending]) => name.endsWith(ending)) ?? []
      return KINDS[kind ?? 'q5_1'].type
    },
  })

test('stores a matrix in the values of its own type', () => {
  const grids: [Kind, number][] = [
    ['f32', FLOAT_GRID],
    ['f16', LONG_GRID],
    ['q4_0', 8],
    ['q4_1', -15],
    ['q5_0', 16],
    ['q5_1', -31],
    ['q8_0', 127],
    ['q4_K', ANY_SHORT_GRID],
    ['q6_K', ANY_SHORT_GRID],
  ]
  for (const [kind, grid] of grids) expect(precisionWith({ key: kind }).grid(['key'])).toBe(grid)
})

test('stores a matrix of several tensors as finely as the finest, and finer than each if they differ', () => {
  const precision = precisionWith({ query: 'f32', value: 'f16', out: 'q4_0' })
  expect(precision.grid(['out', 'key'])).toBe(LONG_GRID)
  expect(precision.grid(['out', 'value'])).toBe(LONG_GRID)
  expect(precision.grid(['out', 'value', 'query'])).toBe(FLOAT_GRID)
  expect(precision.grid(['key', 'key'])).toBe(-31)
  expect(precision.block(['out', 'key'])).toBe(BLOCK)
  expect(precision.block(['out', 'value'])).toBe(EXACT_BLOCK)
  expect(precision.block(['out', 'value', 'query'])).toBe(IN_FLOATS)
})

test('stores the intermediate values of each half of a model as finely as its finest matrix', () => {
  const precision = precisionWith({
    'decoder.blocks.3.attn.out.weight': 'f32',
    'encoder.conv1.weight': 'f16',
  })
  expect(precision.finest('encoder.')).toBe(BLOCK)
  expect(precision.finest('decoder.blocks.')).toBe(IN_FLOATS)
})

test('computes f32 in 16 bits if the weights would exceed WebAssembly’s memory', () => {
  const all = { weight: 'f32' } as const
  const medium = { audioWidth: 1024, textWidth: 1024, audioLayers: 24, textLayers: 24 }
  const large = { audioWidth: 1280, textWidth: 1280, audioLayers: 32, textLayers: 32 }
  expect(precisionWith(all, { ...SHAPES.base, ...medium }).block(['weight'])).toBe(IN_FLOATS)
  const precision = precisionWith(all, { ...SHAPES.base, ...large })
  expect(precision.block(['weight'])).toBe(EXACT_BLOCK)
  expect(precision.grid(['weight'])).toBe(LONG_GRID)
})
