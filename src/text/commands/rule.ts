// What a command rule is, the functions that create one, and phrases that several rules share.

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

export type Apply = TransformRule['apply']

/** Changes a text by its language alone. */
export type TextEdit = (text: string, language: string | null) => string

type Phrases = [example: string, ...patterns: string[]]

/** A command whose phrases have slots. */
export const slotRule = (
  name: string,
  description: string,
  apply: Apply,
  [example, ...patterns]: Phrases,
): TransformRule => ({
  ...{ kind: 'transform', target: 'replace_selection' },
  ...{ name, description, example, patterns, apply },
})

/** A command that needs nothing but the text. */
export const textRule = (name: string, description: string, change: TextEdit, phrases: Phrases) =>
  slotRule(name, description, (text, _params, { language }) => change(text, language), phrases)

/** Phrases for a result: "title case", "put this in title case", "title case this". */
export const becoming = (result: string): string[] => [
  `${result} [<this>]`,
  `<make> <this> <into> ${result}`,
  `(make|turn into|convert to|change to|format as|use|apply|i want|give me|set to|put in) [(a|an|the|all)] ${result}`,
]

/** Phrases for wrapping: "wrap this in X", "put X around it", "add X", "in X". */
export const around = (names: string): string[] => [
  `<put> [<this>] (in|into|inside|within|between|with|by) [a|pair of|a pair of|some] ${names}`,
  `(put|add|place|insert) [some|a pair of] ${names} (around|round|to|on) <this>`,
  `(add|in|with) ${names}`,
]

export const UPPER_CASE = '(upper~case|all~caps|capitals|capital letters)'
export const LOWER_CASE = '(lower~case|small letters)'
