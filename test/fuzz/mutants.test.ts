import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { SPEECH_FOLDER } from '../audio/decoded.ts'
import { sniffAudio } from '../support/sniff-audio.ts'
import { mutantsOf } from './mutants.ts'

test('creates the same mutants for the same seed; they differ from the original, and half are still recognized', async () => {
  const original = await Bun.file(join(SPEECH_FOLDER, 'formats/webm-opus.webm')).bytes()
  const before = original.slice()
  const mutants = [...mutantsOf(original, { seed: 7, count: 100 })]
  expect(mutants).toEqual([...mutantsOf(original, { seed: 7, count: 100 })])
  expect(mutants).not.toEqual([...mutantsOf(original, { seed: 8, count: 100 })])
  expect(original).toEqual(before)
  expect(mutants.filter((mutant) => Buffer.compare(mutant, original) === 0).length).toBeLessThan(5)
  expect(mutants.filter((mutant) => sniffAudio(mutant) !== null).length).toBeGreaterThanOrEqual(50)
})
