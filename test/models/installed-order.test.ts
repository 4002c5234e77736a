import { expect, test } from 'bun:test'
import { CATALOGUE } from '../../src/models/catalogue.ts'
import { type Installed, inOrderOfPreference } from '../../src/models/installed.ts'

const file = (name: string, bundled: boolean): Installed => {
  const catalogued = CATALOGUE.find((model) => model.name === name) ?? null
  return { name, file: `ggml-${name}.bin`, path: `/${name}`, bytes: 1, catalogued, bundled }
}

const IN_THE_BOX = [file('tiny.en-q5_1', true), file('base-q5_1', true)]

const order = (brought: string[], tooSlow: string[] = []) =>
  inOrderOfPreference([...brought.map((name) => file(name, false)), ...IN_THE_BOX], (name) =>
    tooSlow.includes(name),
  ).map(({ name }) => name)

test('prefers base among the bundled models', () => {
  expect(order([])).toEqual(['base-q5_1', 'tiny.en-q5_1'])
})

test('prefers larger models', () => {
  expect(order(['small-q5_1', 'large-v3-turbo-q5_0', 'tiny-q8_0'])).toEqual([
    ...['large-v3-turbo-q5_0', 'small-q5_1', 'base-q5_1', 'tiny-q8_0', 'tiny.en-q5_1'],
  ])
})

test('within a size, prefers models installed by the user, then the better file', () => {
  expect(order(['base.en-q5_1', 'base.en-q8_0'])).toEqual([
    ...['base.en-q8_0', 'base.en-q5_1', 'base-q5_1', 'tiny.en-q5_1'],
  ])
})

test('puts base last if it is too slow', () => {
  expect(order([], ['base-q5_1'])).toEqual(['tiny.en-q5_1', 'base-q5_1'])
  expect(order(['tiny-q5_1'], ['base-q5_1'])).toEqual(['tiny-q5_1', 'tiny.en-q5_1', 'base-q5_1'])
})

test('prefers multilingual models for other languages than English, even if slow', () => {
  const foreign = { multilingual: true }
  const names = (one: Installed[], tooSlow: string[]) =>
    inOrderOfPreference(one, (name) => tooSlow.includes(name), foreign).map(({ name }) => name)
  expect(names(IN_THE_BOX, ['base-q5_1'])).toEqual(['base-q5_1', 'tiny.en-q5_1'])
  expect(names([file('small.en-q5_1', false), ...IN_THE_BOX], [])).toEqual([
    ...['base-q5_1', 'small.en-q5_1', 'tiny.en-q5_1'],
  ])
})

test('ignores the speed of models installed by the user', () => {
  const own = [file('base-q5_1', false), file('tiny.en-q5_1', true)]
  expect(inOrderOfPreference(own, () => true).map(({ name }) => name)).toEqual(['base-q5_1', 'tiny.en-q5_1'])
})

test('excludes files outside the catalogue', () => {
  expect(order(['swiss-german'])).toEqual(['base-q5_1', 'tiny.en-q5_1'])
})
