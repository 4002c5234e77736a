// Texts that describe a model, such as its languages and its speed here.

import { figure, megabytes, timeSpan } from '../parts/figures.ts'
import type { ListedModel } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'

export function languagesOf({ multilingual }: Pick<ListedModel, 'multilingual'>): string {
  const { models } = strings.value
  if (multilingual === null) return models.unknown
  return multilingual ? models.allLanguages : models.englishOnly
}

export function sizeOf({ size_mb, expected_size_mb }: ListedModel): string {
  const mb = size_mb ?? expected_size_mb
  return mb === null ? strings.value.models.unknown : megabytes(mb)
}

/** @param realTimeFactor seconds of work per second of speech; null: not measured */
export function speedWords(realTimeFactor: number | null): string {
  const { models } = strings.value
  if (realTimeFactor === null) return models.notMeasured
  return filled(models.seconds, { work: timeSpan(realTimeFactor * 60) })
}

/** Speed as a multiple of real time. */
export const timesRealTime = (realTimeFactor: number | null): string | null =>
  realTimeFactor ? `${figure(1 / realTimeFactor, 1)} ×` : null

/** The model that the server benchmarks after a start. */
export const SELF_TESTED = 'base-q5_1'
