// Our own model beside shout on a few of the 200 utterances; agreement.ts compares them all.
// Through the full window, as shout hears: what trimming it costs is not asked here.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { differenceOf } from './agreement-report.ts'
import { type Comparison, compare } from './comparison.ts'
import { asShoutReports, type Hearer, readVocabulary, throughFullWindow } from './hearers.ts'
import { readShoutTokens } from './shout-tokens.ts'
import { utterances } from './utterances.ts'

/** Seconds of a busy machine, not of a quiet one. */
const PATIENCE_MS = 300_000

/** One clip each, as it is or at another speed or level: a second of work. */
const FEW = utterances.filter(({ name }) => /^(human|short)-\d+( at .*)?$/.test(name)).slice(0, 10)

test('there are two hundred utterances, each with a name of its own', () => {
  expect(new Set(utterances.map(({ name }) => name)).size).toBe(200)
})

test('what shout has heard are the first of them, or all', async () => {
  const heard = Object.keys((await readShoutTokens()).utterances)
  expect(heard).toEqual(utterances.slice(0, heard.length).map(({ name }) => name))
})

test('tokens are compared as shout reports them', () => {
  const tokens = [50_363, 843, 50_750, 50_750, 1265, 50_892, 50_892, 50_256]
  expect(asShoutReports(tokens)).toEqual([50_363, 843, 50_750, 1265, 50_892])
})

describe('our own model beside whisper.cpp', () => {
  let hearer: Hearer

  beforeAll(async () => {
    hearer = await throughFullWindow(2)
  })

  afterAll(() => hearer.close())

  test(
    'writes the same text for at least 8 of 10 utterances, and parts only where shout itself was in doubt',
    async () => {
      const shoutTokens = await readShoutTokens()
      const vocabulary = await readVocabulary()
      const comparisons: Comparison[] = []
      for (const utterance of FEW) comparisons.push(await compare(hearer, utterance, shoutTokens))
      expect(comparisons).toHaveLength(10)
      const different = comparisons.filter(({ sameText }) => !sameText)
      // more than may be are shown in full
      expect(different.slice(2)).toEqual([])
      const sure = different.filter((one) => differenceOf(one, shoutTokens, vocabulary).shoutWasSure)
      expect(sure).toEqual([])
    },
    PATIENCE_MS,
  )
})
