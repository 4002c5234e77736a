import { expect, test } from 'bun:test'
import { CATALOGUE } from '../../../src/models/catalogue.ts'
import { modelName, precisionName } from '../../../src/ui/parts/model-names.ts'

test('names a published file for people, and says how it differs from others of its size', () => {
  expect(['base-q5_1', 'tiny.en-q5_1', 'large-v3-turbo-q5_0'].map(modelName)).toEqual([
    ...['Base', 'Tiny, English', 'Large v3 Turbo'],
  ])
  expect(['base.en-q8_0', 'base', 'base-f16'].map(modelName)).toEqual([
    ...['Base, English, high precision', 'Base, full precision', 'Base, full precision'],
  ])
})

test('names no two published files alike', () => {
  const names = CATALOGUE.map(({ name }) => modelName(name))
  expect(new Set(names).size).toBe(CATALOGUE.length)
})

test('leaves the name of a file of the user as it is', () => {
  expect(['swiss', 'tiny-mine', ''].map(modelName)).toEqual(['swiss', 'tiny-mine', ''])
  expect(precisionName(null)).toBeNull()
})
