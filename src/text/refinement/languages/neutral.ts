// Data for an unknown language: hesitations that are a word in none of the languages that speech engines know well.

import type { LanguageData } from './language.ts'

export const neutral: LanguageData = {
  code: '',
  spaced: true,
  hesitation: /^(?:u+h+m*|u{2,}m+|ä+h+m*|ö+h+m*|e+u+h+m*|e+h+m+|h+m{2,})$/u,
  hesitationPhrases: ['えーと', 'えーっと', 'えっと', 'あのー', '呃'],
  spared: ['呃逆'],
  discourse: { initial: [], between: [], final: [] },
  openers: [],
  commaBefore: [],
  conjunctions: [],
  subjects: [],
  verbs: [],
  stutters: [],
  isNumber: (word) => /^\d+$/u.test(word),
  corrections: { retractions: [], strong: [], weak: [], kinds: [], articles: [] },
  spokenMarks: [],
  determiners: [],
  symbols: { dot: [], at: [], underscore: [], slash: [], colon: [], dash: [] },
  abbreviations: ['dr', 'mr', 'prof', 'st', 'vs', 'etc', 'no'],
  salutations: [],
}
