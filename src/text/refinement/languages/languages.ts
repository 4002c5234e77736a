// Compiles the language data for lookup. To add a language, add its file and a line here.

import { once } from '../../../lib/once.ts'
import { compilePhrases, type Phrases, phraseSet } from '../phrases.ts'
import { german } from './de.ts'
import { english } from './en.ts'
import { spanish } from './es.ts'
import { french } from './fr.ts'
import { italian } from './it.ts'
import { japanese } from './ja.ts'
import type { LanguageData, SpokenMark, SpokenSymbols } from './language.ts'
import { neutral } from './neutral.ts'
import { dutch } from './nl.ts'
import { portuguese } from './pt.ts'
import { chinese } from './zh.ts'

/** A spoken mark with compiled phrases. */
export type CompiledMark = Omit<SpokenMark, 'say' | 'notAfter' | 'adjectives' | 'notBefore' | 'closedBy'> & {
  notAfter: Phrases
  adjectives: Phrases
  notBefore: Phrases
  closedBy: { say: Phrases; write: string } | null
}

export type Language = ReturnType<typeof compile>

function compile(data: LanguageData) {
  const { corrections, discourse } = data
  return {
    code: data.code,
    spaced: data.spaced,
    hesitation: data.hesitation,
    hesitationPhrases: phraseSet(data.hesitationPhrases ?? []),
    spared: phraseSet(data.spared ?? []),
    discourseInitial: phraseSet(discourse.initial),
    discourseBetween: phraseSet(discourse.between),
    discourseFinal: phraseSet(discourse.final),
    openers: phraseSet(data.openers),
    commaBefore: phraseSet(data.commaBefore),
    commaBetweenClauses: data.commaBetweenClauses ?? false,
    conjunctions: phraseSet(data.conjunctions),
    subjects: phraseSet(data.subjects),
    verbs: phraseSet(data.verbs),
    verbsLast: data.verbsLast ?? false,
    stutters: phraseSet(data.stutters),
    clauseEnds: phraseSet(data.clauseEnds ?? []),
    relatives: phraseSet(data.relatives ?? []),
    isNumber: data.isNumber,
    retractions: phraseSet(corrections.retractions),
    cues: compilePhrases([
      ...corrections.weak.map((phrase) => [phrase, 'weak' as const] as const),
      ...corrections.strong.map((phrase) => [phrase, 'strong' as const] as const),
    ]),
    kinds: compilePhrases(
      corrections.kinds.flatMap((words, kind) => words.map((word) => [word, kind] as const)),
    ),
    articles: phraseSet(corrections.articles),
    titles: phraseSet(corrections.titles ?? []),
    marks: compilePhrases(
      data.spokenMarks.flatMap((mark) => mark.say.map((say) => [say, compileMark(mark)] as const)),
    ),
    determiners: phraseSet(data.determiners),
    described: data.described ?? null,
    symbols: compilePhrases(
      (Object.entries(data.symbols) as [keyof SpokenSymbols, string[]][]).flatMap(([symbol, phrases]) =>
        phrases.map((phrase) => [phrase, symbol] as const),
      ),
    ),
    abbreviations: new Set(data.abbreviations),
    names: phraseSet(data.names ?? []),
    salutations: phraseSet(data.salutations),
    lowercaseAfterSalutation: data.lowercaseAfterSalutation ?? false,
  }
}

const compileMark = (mark: SpokenMark): CompiledMark => ({
  ...mark,
  notAfter: phraseSet(mark.notAfter ?? []),
  adjectives: phraseSet(mark.adjectives ?? []),
  notBefore: phraseSet(mark.notBefore ?? []),
  closedBy: mark.closedBy ? { say: phraseSet(mark.closedBy.say), write: mark.closedBy.write } : null,
})

const DATA = [english, german, french, spanish, italian, portuguese, dutch, japanese, chinese]

const LANGUAGES: ReadonlyMap<string, () => Language> = new Map(
  DATA.map((data) => [data.code, once(() => compile(data))]),
)

const NEUTRAL = once(() => compile(neutral))

/**
 * The data for a language tag in any case ("pt-BR", "EN"). Null, and languages without data, get the neutral data: sounds
 * that are a word in no language. Guessing the language from the text would make results differ from run to run.
 */
export const refinementLanguage = (tag: string | null): Language =>
  ((tag && LANGUAGES.get(tag.toLowerCase().split(/[-_]/)[0]!)) || NEUTRAL)()
