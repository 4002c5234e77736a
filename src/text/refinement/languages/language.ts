// The type of a language's refinement data; one file per language.

/** Lowercase words separated by single spaces; in scripts without spaces, the characters as written. */
export type Phrase = string

export type LanguageData = {
  /** ISO 639-1 */
  code: string
  /** false for scripts without spaces between words and with full-width punctuation */
  spaced: boolean
  /** matches a whole word that is a hesitation and never a word of this language */
  hesitation: RegExp
  /** the same for scripts without spaces, in any order */
  hesitationPhrases?: Phrase[]
  /** words that only seem to begin or end with a hesitation */
  spared?: Phrase[]
  /** phrases without meaning when punctuation sets them off */
  discourse: {
    /** at the start of a sentence, followed by a comma */
    initial: Phrase[]
    /** between two commas */
    between: Phrase[]
    /** after a comma, at the end of a statement */
    final: Phrase[]
  }
  /** greetings and answers: a comma after them belongs to them, not to a following filler */
  openers: Phrase[]
  /** words that keep the comma before them when a filler between is removed */
  commaBefore: Phrase[]
  /** whether a comma always separates two clauses: "Ich glaube, er kommt" */
  commaBetweenClauses?: boolean
  /** words that may start a sentence before a discourse word: "But I mean, …" */
  conjunctions: Phrase[]
  /** pronouns that are the subject of a clause */
  subjects: Phrase[]
  /** unambiguous finite forms of common verbs; none for scripts without spaces */
  verbs: Phrase[]
  /** whether a verb may end a clause: "weil er am Dienstag gekommen ist" */
  verbsLast?: boolean
  /** function words that never follow themselves and cannot end a clause: a repetition is a stutter */
  stutters: Phrase[]
  /** the `stutters` that are verbs at the end of one clause and the start of the next: "wenn es so ist, ist es gut" */
  clauseEnds?: Phrase[]
  /** the `stutters` that are articles and also relative pronouns: "die Frau, der der Hund gehört" */
  relatives?: Phrase[]
  /** number words: a repetition is two digits */
  isNumber: (word: string) => boolean
  corrections: Corrections
  spokenMarks: SpokenMark[]
  /** words after which the name of a mark is an ordinary noun: "the Oxford comma", "ein Punkt" */
  determiners: Phrase[]
  /** words before the name of a mark that make it a noun, in languages with adjective endings: "den kurzen" */
  described?: RegExp
  symbols: SpokenSymbols
  /** words whose full stop ends no sentence, listed without it */
  abbreviations: string[]
  /** phrases whose last word always has a capital: "monday"; with context if the word is ambiguous: "in may" */
  names?: Phrase[]
  /** the first words of a letter; a comma after them stays before a line break */
  salutations: Phrase[]
  /** whether the line after a salutation and its comma begins in lowercase */
  lowercaseAfterSalutation?: boolean
}

export type Corrections = {
  /** retracts the whole statement before it if punctuation sets it off: "scratch that" */
  retractions: Phrase[]
  /** always a correction, with or without punctuation around it: "no wait" */
  strong: Phrase[]
  /** a correction only between punctuation, and only of words of the same kind: "sorry" */
  weak: Phrase[]
  /** words that only replace their own kind: days, months, …; articles are one kind if both parts begin with one */
  kinds: Phrase[][]
  articles: Phrase[]
  /** titles after a name, for scripts without spaces: さん */
  titles?: Phrase[]
}

export type SpokenMark = {
  say: Phrase[]
  /** the mark itself; `\n` and `\n\n` are a line and a paragraph break; marks like `(` open, marks like `)` close */
  write: string
  /** besides determiners and names of other marks: words before it that make it an ordinary word */
  notAfter?: Phrase[]
  /** words before it that do so only after a determiner or a number: "a short period", "an hour period" */
  adjectives?: Phrase[]
  /** words after it that make it an ordinary word */
  notBefore?: Phrase[]
  /** for an opening mark, the mark that closes it; both are written or neither */
  closedBy?: { say: Phrase[]; write: string }
  /** whether it also occurs in spoken numbers: "drei Komma fünf" */
  decimal?: boolean
  /**
   * whether its one-word name is also a common noun: in a sentence without a spoken end, it needs a pause to be the mark
   */
  noun?: boolean
  /** whether it can be a whole sentence; people also say the name of the full stop for emphasis */
  alone?: boolean
}

export type SpokenSymbols = {
  /** "dot" in "example dot com" */
  dot: Phrase[]
  /** "at" in "anna dot lee at example dot com" */
  at: Phrase[]
  underscore: Phrase[]
  slash: Phrase[]
  colon: Phrase[]
  /** "dash" in "dash dash verbose" */
  dash: Phrase[]
}

/** Parses a list in the data files: separated by `|`, with any white space around it. */
export const list = (text: string): Phrase[] => text.split('|').map((phrase) => phrase.trim())
