// Languages in which a size of Whisper gets more than half of the words wrong, as measured by its authors.
//
// Sources: Radford et al., "Robust Speech Recognition via Large-Scale Weak Supervision" (arXiv:2212.04356), Table 13
// ("WER (%) on Fleurs") for tiny to medium and Figure 11 for hours; for large-v3 the chart in OpenAI's repository
// (language-breakdown.svg), which omits languages with 60 % or more.

import type { ModelSize } from './catalogue.ts'

/** Sizes with figures. Turbo is large-v3 with fewer layers and has none of its own. */
const SIZES = ['tiny', 'base', 'small', 'medium', 'large'] as const satisfies ModelSize[]

type MeasuredSize = (typeof SIZES)[number]

/** In the order of SIZES; null: 60 or more. */
type Errors = readonly (number | null)[]

/** Word error rates in percent; omits languages in which no size is above 50. */
const ERRORS: Record<string, Errors> = {
  af: [91.2, 81.5, 61.1, 44.9, 32.4],
  am: [122.9, 196.8, 120.2, 229.3, null],
  ar: [63.4, 48.8, 30.6, 20.4, 9.6],
  as: [102, 102, 108, 102.3, null],
  az: [93.1, 76.4, 49.1, 33.1, 19.7],
  be: [94, 91.3, 75.1, 60.4, 42.5],
  bg: [81, 65.1, 37.3, 21.4, 12.5],
  bn: [101.6, 100.6, 104.4, 100.6, 50],
  bs: [82.1, 66.7, 39.4, 23.9, 13],
  cs: [82.8, 66, 37.6, 21.3, 10.1],
  cy: [101.3, 85.3, 59.3, 40.8, 28.6],
  da: [82, 57.6, 32.8, 19.5, 12],
  el: [67.4, 53.5, 30.8, 19, 10.9],
  et: [94.8, 77.9, 51.3, 29.8, 18.1],
  fa: [101.8, 86.1, 55.8, 41, 29.4],
  fi: [59.5, 43.1, 24, 13.9, 7.7],
  gl: [54.8, 47.4, 30.2, 21.2, 13.1],
  gu: [101.2, 101.4, 106.4, 104.8, 47.4],
  ha: [100.2, 98.6, 90.1, 106.6, null],
  he: [71.6, 61.7, 44.4, 33.1, 26.1],
  hi: [102.3, 101.1, 38.4, 26.8, 17],
  hr: [79, 59.1, 33.4, 19.3, 10.8],
  hu: [83.8, 65, 38.9, 24.3, 12.9],
  hy: [118.6, 126.3, 86.6, 60.1, 42.2],
  id: [51.7, 33.1, 16.3, 10.2, 6.1],
  is: [113.3, 95.5, 72.6, 49.9, 30.4],
  jw: [107.3, 89.5, 88.6, 67.9, null],
  ka: [123, 114.7, 118.3, 117.3, null],
  kk: [165.2, 109.2, 70.3, 48.8, 32.4],
  km: [100.6, 101.6, 104.4, 98.9, null],
  kn: [100.7, 107.2, 100.4, 77.7, 33],
  lb: [99.1, 100.7, 100.1, 90, null],
  ln: [105.4, 96.7, 91.3, 83.2, null],
  lo: [115.1, 105.1, 102.2, 101.4, null],
  lt: [98.5, 87.3, 65.6, 41.1, 23.7],
  lv: [91.6, 79.8, 53.2, 32, 19.4],
  mi: [94.5, 77.5, 59.5, 77.8, 39.8],
  mk: [73.3, 59.9, 36.9, 22, 14.7],
  ml: [101.5, 107.4, 100.9, 101.1, null],
  mn: [113.7, 125.7, 144.2, 103.7, null],
  mr: [100.3, 100.3, 60.2, 63.2, 34.1],
  ms: [51.2, 35.1, 18.9, 12.2, 7.3],
  mt: [100.8, 97.6, 92.2, 83.2, null],
  my: [124.8, 122.6, 110.1, 123, null],
  ne: [101.8, 102.4, 69.5, 54.4, 40.2],
  no: [62, 44, 24.2, 12.9, 7.8],
  oc: [95.9, 82.9, 87.3, 79.5, null],
  pa: [102.6, 101.5, 103.6, 102, 48.5],
  ps: [105.6, 99, 92.9, 119.4, null],
  ro: [74.7, 56, 29.8, 20, 8.2],
  sd: [105.8, 103.9, 131.7, 147, null],
  sk: [77.2, 60.6, 33.3, 17.3, 9.2],
  sl: [87.2, 74.6, 49.3, 31.9, 18.3],
  sn: [128.1, 126, 140, 143.9, null],
  so: [105.6, 109.6, 105.3, 104, null],
  sr: [83.7, 64.3, 42.2, 44.9, 11.6],
  sv: [52.7, 37.4, 20.8, 11.2, 7.6],
  sw: [100.9, 92.5, 73.7, 52.8, 34.1],
  ta: [99.9, 58.7, 35.2, 23.1, 18.3],
  te: [105.1, 105.2, 98.2, 82.8, 39.3],
  tg: [101.7, 109.3, 84.3, 74, null],
  th: [58.8, 38.2, 21.9, 15.4, 8.4],
  tl: [65.6, 45.8, 27.7, 19.1, 13],
  uk: [51.2, 37.7, 19.3, 11.6, 6.4],
  ur: [65.2, 52, 37.3, 28.2, 20.6],
  uz: [105.2, 114, 107.7, 109.6, null],
  vi: [60, 40.5, 21.2, 12.7, 8.6],
  yo: [106.4, 101.8, 116.4, 105.1, null],
}

/** The authors put a space between all characters of these, so the figures are character error rates. */
const COUNTED_BY_CHARACTER = ['lo', 'my', 'th']

/** Languages that are not in Table 13: hours of transcribed training data. */
const HOURS: Record<string, number> = {
  ba: 0,
  bo: 0,
  br: 0,
  eu: 21,
  fo: 0,
  haw: 0,
  ht: 1,
  la: 0,
  mg: 0.2,
  sa: 0,
  si: 5.4,
  sq: 5.7,
  su: 0.1,
  tk: 0,
  tt: 0,
  yi: 0.4,
}

/** Those of them with an error rate below 60 in large-v3 (Common Voice 15, same chart). */
const LARGE_ERRORS: Record<string, number> = { eu: 38.9, sq: 55.7 }

/** In percent: above half, retyping the text is faster than correcting it. */
const MAX_WRONG = 50

export type Inaccuracy = {
  /** percent; null: 60 or more, or no published figure */
  wrong: number | null
  counted: 'words' | 'characters'
  /** hours of training data, if there is no figure for this size */
  hours: number | null
  /** the smallest larger size with at most half of them wrong */
  better: { size: ModelSize; wrong: number } | null
}

/** @param language ISO 639-1. @returns null if a model of that size is accurate enough */
export function inaccuracyOf(size: ModelSize, language: string): Inaccuracy | null {
  const measured: MeasuredSize = size === 'turbo' ? 'large' : size
  const errors = errorsOf(language)
  if (errors === undefined) return null
  const wrong = errors[SIZES.indexOf(measured)] ?? null
  if (isEnough(wrong)) return null
  const better = SIZES.slice(SIZES.indexOf(measured) + 1).find((larger) =>
    isEnough(errors[SIZES.indexOf(larger)] ?? null),
  )
  return {
    wrong,
    counted: COUNTED_BY_CHARACTER.includes(language) ? 'characters' : 'words',
    hours: wrong === null ? (HOURS[language] ?? null) : null,
    better: better === undefined ? null : { size: better, wrong: errors[SIZES.indexOf(better)]! },
  }
}

const isEnough = (wrong: number | null): boolean => wrong !== null && wrong <= MAX_WRONG

function errorsOf(language: string): Errors | undefined {
  if (language in HOURS) return [null, null, null, null, LARGE_ERRORS[language] ?? null]
  return ERRORS[language]
}
