// What a command of the grammar is: how it may be said, and what it does with a text.
// The commands themselves stand in the tables beside this file (*-rules.ts).

import type { Params } from './pattern.ts'

export type CommandContext = {
  /** ISO 639-1 of the text; null where nobody said */
  language: string | null
}

type Described = {
  /** unique, and itself a way to say it where the command takes nothing more */
  name: string
  description: string
  /** one way to say it */
  example: string
  /** in the language of pattern.ts */
  patterns: readonly string[]
}

/** Keys to press; the client presses them, this server never does. */
export type ActionRule = Described & { kind: 'action'; keys: (params: Params) => string[] }

/** A text to be put in at the cursor. */
export type InsertRule = Described & { kind: 'insert'; inserted: string }

/** A changed text, or what is to be known about it. */
export type TransformRule = Described & {
  kind: 'transform'
  /** where the result belongs; counts must not replace what was counted */
  target: 'replace_selection' | 'clipboard'
  /** Null where the text does not have what the instruction names. Never throws. */
  apply: (text: string, params: Params, context: CommandContext) => string | null
}

export type CommandRule = ActionRule | InsertRule | TransformRule

type Words = Pick<Described, 'name' | 'description' | 'example' | 'patterns'>

export const transform = (words: Words, apply: TransformRule['apply']): TransformRule => ({
  ...words,
  kind: 'transform',
  target: 'replace_selection',
  apply,
})

export type Apply = TransformRule['apply']

/** A transform whose example is its name unless another is given. */
export const rule = (
  name: string,
  description: string,
  patterns: string[],
  apply: Apply,
  example = name,
): TransformRule => transform({ name, description, example, patterns }, apply)

/** The ways to say that a text shall become something: "title case", "put this in title case", "title case this". */
export const becoming = (result: string): string[] => [
  `${result} [<this>]`,
  `<make> <this> <into> ${result}`,
  `(make|turn into|convert to|change to|format as|use|apply|i want|give me|set to|put in) [(a|an|the|all)] ${result}`,
]

/** "wrap this in X", "wrap in X", "put X around it", "X this". */
export const around = (names: string): string[] => [
  `<put> [<this>] (in|into|inside|within|between|with|by) [a|pair of|a pair of|some] ${names}`,
  `(put|add|place|insert) [some|a pair of] ${names} (around|round|to|on) <this>`,
  `add ${names}`,
  `(in|with) ${names}`,
]

/** The text itself, or its lines. */
export const LINES = '(<this>|[the|these|all [the]|my] (lines|line|list|items|rows|names|words|entries))'

export const UPPER_CASE = '(upper~case|all~caps|capitals|capital letters)'
export const LOWER_CASE = '(lower~case|small letters)'
