import type { NumberLanguage } from '../number-language.ts'
import { germanNumbers } from './de.ts'
import { englishNumbers } from './en.ts'
import { spanishNumbers } from './es.ts'
import { frenchNumbers } from './fr.ts'
import { italianNumbers } from './it.ts'
import { japaneseNumbers } from './ja.ts'
import { dutchNumbers } from './nl.ts'
import { portugueseNumbers } from './pt.ts'
import { chineseNumbers } from './zh.ts'

const LANGUAGES: ReadonlyMap<string, NumberLanguage> = new Map<string, NumberLanguage>([
  ['de', germanNumbers],
  ['en', englishNumbers],
  ['es', spanishNumbers],
  ['fr', frenchNumbers],
  ['it', italianNumbers],
  ['ja', japaneseNumbers],
  ['nl', dutchNumbers],
  ['pt', portugueseNumbers],
  ['zh', chineseNumbers],
])

/** @param language ISO 639-1, also with a region (`pt-BR`); returns null for an unknown language */
export function numberLanguage(language: string | null): NumberLanguage | null {
  return LANGUAGES.get(language?.toLowerCase().split(/[-_]/)[0] ?? '') ?? null
}
