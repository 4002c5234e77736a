// Which languages numbers are known in, by their code.
// Holds no rules.

import { chinese } from './chinese.ts'
import { dutch } from './dutch.ts'
import { english } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { italian } from './italian.ts'
import { japanese } from './japanese.ts'
import type { NumberLanguage } from './number-language.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'

const LANGUAGES: ReadonlyMap<string, NumberLanguage> = new Map<string, NumberLanguage>([
  ['de', german],
  ['en', english],
  ['es', spanish],
  ['fr', french],
  ['it', italian],
  ['ja', japanese],
  ['nl', dutch],
  ['pt', portuguese],
  ['zh', chinese],
])

/** @param language ISO 639-1, also with a region (`pt-BR`); null for anything that is not known */
export function numberLanguage(language: string | null): NumberLanguage | null {
  return LANGUAGES.get(language?.toLowerCase().split(/[-_]/)[0] ?? '') ?? null
}
