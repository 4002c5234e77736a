// Which languages numbers are known in, by their code.
// Holds no rules.

import { chineseNumbers } from './chinese.ts'
import { dutchNumbers } from './dutch.ts'
import { englishNumbers } from './english.ts'
import { frenchNumbers } from './french.ts'
import { germanNumbers } from './german.ts'
import { italianNumbers } from './italian.ts'
import { japaneseNumbers } from './japanese.ts'
import type { NumberLanguage } from './number-language.ts'
import { portugueseNumbers } from './portuguese.ts'
import { spanishNumbers } from './spanish.ts'

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

/** @param language ISO 639-1, also with a region (`pt-BR`); null for anything that is not known */
export function numberLanguage(language: string | null): NumberLanguage | null {
  return LANGUAGES.get(language?.toLowerCase().split(/[-_]/)[0] ?? '') ?? null
}
