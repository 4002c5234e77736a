// What one language brings to the rules: plain data, one file per language beside this one.
// Not how the data is used: that is each rule's own file, and phrases.ts for how phrases are found.

/** Words in lower case separated by single spaces; in scripts without spaces, the characters as written. */
export type Phrase = string

export type LanguageData = {
  /** ISO 639-1, as the engine names it */
  code: string
  /** false where words stand without spaces and marks are full-width */
  spaced: boolean
  /** a whole word that is a sound and never a word of this language */
  hesitation: RegExp
  /** the same for scripts without spaces; longest first is taken care of */
  hesitationPhrases?: Phrase[]
  /** words that only look as if they began or ended with a hesitation */
  spared?: Phrase[]
  /** what says nothing when it stands alone between marks */
  discourse: {
    /** at the start of a sentence, followed by a comma */
    initial: Phrase[]
    /** between two commas */
    between: Phrase[]
    /** after a comma, at the end of a statement */
    final: Phrase[]
  }
  /** greetings and answers: a comma after them belongs to them, not to the filler that follows */
  openers: Phrase[]
  /** before these a comma stays when the filler between is left out */
  commaBefore: Phrase[]
  /** whether two statements always have a comma between: "Ich glaube, er kommt" */
  commaBetweenClauses?: boolean
  /** what may start a sentence before a discourse word: "But I mean, …" */
  conjunctions: Phrase[]
  /** pronouns that are the subject of a clause */
  subjects: Phrase[]
  /** finite forms, of common verbs, that are nothing else; none where words stand without spaces */
  verbs: Phrase[]
  /** whether a verb may end the clause that another phrase began: "weil er am Dienstag gekommen ist" */
  verbsLast?: boolean
  /** function words that never follow themselves and cannot end a clause: said twice, one is a stutter */
  stutters: Phrase[]
  /** of these, verbs that end one clause and begin the next: "wenn es so ist, ist es gut" */
  clauseEnds?: Phrase[]
  /** of these, articles that are relative pronouns, too: "die Frau, der der Hund gehört" */
  relatives?: Phrase[]
  /** number words: said twice they are two digits */
  isNumber: (word: string) => boolean
  corrections: Corrections
  spokenMarks: SpokenMark[]
  /** words before which a mark's name is an ordinary noun: "the Oxford comma", "ein Punkt" */
  determiners: Phrase[]
  /** the words before a mark's name that make it a noun, where endings tell an adjective: "den kurzen" */
  described?: RegExp
  symbols: SpokenSymbols
  /** words with a full stop that ends no sentence, without the stop */
  abbreviations: string[]
  /** of these the last word always has a capital: "monday", and where a word is also another, "in may" */
  names?: Phrase[]
  /** the first words of a letter; the comma after them stays before a line break */
  salutations: Phrase[]
  /** whether the line after a salutation's comma begins with a small letter */
  smallAfterSalutation?: boolean
}

export type Corrections = {
  /** takes back the whole statement before it, when it stands between marks: "scratch that" */
  retractions: Phrase[]
  /** nothing but a correction, with or without marks around it: "no wait" */
  strong: Phrase[]
  /** a correction only between marks, and only of like by like: "sorry" */
  weak: Phrase[]
  /** what can only replace its like: days, months, … ; articles count as one kind when they begin both parts */
  kinds: Phrase[][]
  articles: Phrase[]
  /** what stands behind a name, where words stand without spaces: さん */
  titles?: Phrase[]
}

export type SpokenMark = {
  say: Phrase[]
  /** the mark itself; `\n` and `\n\n` are line and paragraph; `(`-like marks open, `)`-like marks close */
  write: string
  /** besides determiners and other marks' names: words before it that make it an ordinary word */
  notAfter?: Phrase[]
  /** words before it that do so only behind a determiner or a number: "a short period", "an hour period" */
  adjectives?: Phrase[]
  /** words after it that make it an ordinary word */
  notBefore?: Phrase[]
  /** opening marks: what closes them; both are written or neither */
  closedBy?: { say: Phrase[]; write: string }
  /** whether it is also said inside a number: "drei Komma fünf" */
  decimal?: boolean
  /**
   * said in one word it is also an everyday noun: inside a sentence whose end was not spoken, it is the mark only with a pause beside it
   */
  noun?: boolean
  /** whether it can be a sentence of its own; the name of the full stop is also said for emphasis */
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

/** A list as it is written in the data files: separated by `|`, with any spaces and line breaks around. */
export const list = (text: string): Phrase[] => text.split('|').map((phrase) => phrase.trim())
