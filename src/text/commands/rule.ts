// The types of a command rule, and helpers for the tables in *-rules.ts.

import type { Params } from './pattern.ts'

export type CommandContext = {
  /** ISO 639-1 of the text; null if unknown */
  language: string | null
}

type Described = {
  /** unique; also a phrase for the command if it has no slots */
  name: string
  description: string
  /** an example phrase */
  example: string
  /** in the pattern language of pattern.ts */
  patterns: readonly string[]
}

/** Keys for the client to press; the server never does. */
export type ActionRule = Described & { kind: 'action'; keys: (params: Params) => string[] }

/** A text for the client to insert at the cursor. */
export type InsertRule = Described & { kind: 'insert'; inserted: string }

/** A changed text, or information about it. */
export type TransformRule = Described & {
  kind: 'transform'
  /** where the result goes; a count must not replace the counted text */
  target: 'replace_selection' | 'clipboard'
  /** Null if the text does not contain what the instruction names. Never throws. */
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

/** A transform whose example defaults to its name. */
export const rule = (
  name: string,
  description: string,
  patterns: string[],
  apply: Apply,
  example = name,
): TransformRule => transform({ name, description, example, patterns }, apply)

/** Phrases for a result: "title case", "put this in title case", "title case this". */
export const becoming = (result: string): string[] => [
  `${result} [<this>]`,
  `<make> <this> <into> ${result}`,
  `(make|turn into|convert to|change to|format as|use|apply|i want|give me|set to|put in) [(a|an|the|all)] ${result}`,
]

/** Phrases for wrapping: "wrap this in X", "wrap in X", "put X around it", "X this". */
export const around = (names: string): string[] => [
  `<put> [<this>] (in|into|inside|within|between|with|by) [a|pair of|a pair of|some] ${names}`,
  `(put|add|place|insert) [some|a pair of] ${names} (around|round|to|on) <this>`,
  `add ${names}`,
  `(in|with) ${names}`,
]

/** Phrases for the text itself, or its lines. */
export const LINES = '(<this>|[the|these|all [the]|my] (lines|line|list|items|rows|names|words|entries))'

export const UPPER_CASE = '(upper~case|all~caps|capitals|capital letters)'
export const LOWER_CASE = '(lower~case|small letters)'
