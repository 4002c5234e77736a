import { describe, expect, test } from 'bun:test'
import { languageParts, splitByLanguage } from '../../src/transcription/spoken-languages.ts'
import { windowOf } from '../../src/transcription/windows.ts'
import { span } from './spoken.ts'

const spoken = (language: string) => ({ language, languageProbability: 0.95 })
const secondsOf = ({ fromSample, toSample }: { fromSample: number; toSample: number }) =>
  [fromSample, toSample].map((sample) => sample / 16_000)

describe('the parts of a window for language detection', () => {
  test('are its spans if each has three seconds of speech', () => {
    const window = windowOf([span(1, 5), span(6, 9.5)])
    expect(languageParts(window).map(secondsOf)).toEqual([
      [0, 4.7],
      [5, 9.2],
    ])
  })

  test('merge a shorter span with its nearer neighbour', () => {
    const window = windowOf([span(1, 5), span(5.3, 6), span(8, 12)])
    expect(languageParts(window)).toHaveLength(2)
    expect(splitByLanguage(window, [spoken('es'), spoken('en')]).map(({ window: own }) => own.spans)).toEqual(
      [window.spans.slice(0, 2), window.spans.slice(2)],
    )
  })

  test('are one if there is little speech', () => {
    expect(languageParts(windowOf([span(1, 2), span(3, 3.5)]))).toHaveLength(1)
  })

  test('have positions on the clock of the window, which skips long silences', () => {
    const [first, second] = languageParts(windowOf([span(1, 5), span(60, 64)])).map(secondsOf)
    expect(second![0]).toBe(first![1]!)
    expect(second![1]! - second![0]!).toBeCloseTo(4.7, 5)
  })
})

test('adjacent parts in the same language are not split', () => {
  const spans = [span(1, 5), span(6, 10), span(11, 15), span(16, 20)]
  const parts = splitByLanguage(windowOf(spans), [spoken('de'), spoken('de'), spoken('en'), spoken('de')])
  expect(parts.map(({ language, window }) => [language, window.spans.length])).toEqual([
    ['de', 2],
    ['en', 1],
    ['de', 1],
  ])
})
