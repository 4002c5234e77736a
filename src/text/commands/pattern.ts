// The pattern language of commands, compiled to regular expressions.
//
// `word`        that word, ignoring case
// `upper~case`  one word, two words, or with a hyphen
// `(a|b c)`     one of them; `[a]` and `[a|b]` are optional
// `{name}`      any words; `{n}` a number; `{times}` such as "twice"; `{place}` an ordinal such as "second"
// `<name>`      one of the phrases in PHRASES

import { NUMBER_PATTERN, ORDINAL_PATTERN, TIMES_PATTERN } from './numerals.ts'

/** Groups of synonyms for use in patterns. */
const PHRASES: Record<string, string> = {
  this: '([all [of]] (this|that|it|these|them|everything)|[(all|all of|the whole|the entire)] [(the|this|that|my|these|those)] [(selected|highlighted|current)] (text|selection|lines|words|sentence|sentences|paragraph|paragraphs|passage|part|bit|list|line|snippet|content|thing|items|message|note))',
  make: '(make|turn|convert|change|put|format|transform|set|rewrite|reformat|write|switch|render|display|get)',
  into: '[(into|to|in|as|be|like|using|with)] [(a|an|all|the)]',
  remove: '(remove|delete|strip|drop|erase|clear|take out|get rid of|cut out|strip out|clean out|kill)',
  put: '(put|wrap|enclose|surround|place|set|enclose|add)',
  unit: '(?<unit>characters?|letters?|words?|sentences?|lines?|paragraphs?)',
}

/** A space, possibly after a comma that the recogniser wrote, or a hyphen between two words. */
const JOINT = '(?:[,;:]? |-)'

export type Params = Record<string, string | undefined>

export type CommandPattern = {
  /** the values of its slots, or null if the whole utterance does not match */
  match(utterance: string): Params | null
  /** whether it has a slot for free words */
  open: boolean
}

/** Throws for an invalid pattern: a bug in a table, which every test finds. */
export function compileCommandPattern(source: string): CommandPattern {
  const expression = new RegExp(`^${translate(source)}$`, 'isu')
  return {
    match(utterance) {
      // Every word is matched together with the joint before it, so that any part can be optional.
      const found = expression.exec(` ${utterance}`)
      return found === null ? null : { ...found.groups }
    },
    open: /\{(?!n\}|place\}|times\})\w+\}/.test(source),
  }
}

const TOKENS = /<(\w+)>|\{(\w+)\}|\(\?<unit>([^)]*)\)|[()[\]|]|[^\s()[\]|<>{}]+|\s+/gu

function translate(source: string): string {
  let out = ''
  for (const [token, phrase, slot, unit] of source.matchAll(TOKENS)) {
    if (phrase !== undefined) out += translate(phraseOf(phrase))
    else if (slot !== undefined) out += JOINT + slotOf(slot)
    else if (unit !== undefined) out += `${JOINT}(?<unit>${unit})`
    else if (token === '(' || token === '[') out += '(?:'
    else if (token === ']') out += ')?'
    else if (token === ')' || token === '|') out += token
    else if (token.trim() !== '') out += JOINT + literalOf(token)
  }
  return out
}

function phraseOf(name: string): string {
  const phrase = PHRASES[name]
  if (phrase === undefined) throw new Error(`no phrase <${name}>`)
  return phrase
}

function slotOf(name: string): string {
  if (name === 'n') return `(?<n>${NUMBER_PATTERN})`
  if (name === 'times') return `(?<times>${TIMES_PATTERN})`
  if (name === 'place') return `(?<place>${ORDINAL_PATTERN})`
  return `(?<${name}>.+?)`
}

const literalOf = (word: string): string => word.replace(/[.*+?^$\\/]/g, '\\$&').replaceAll('~', '[ -]?')
