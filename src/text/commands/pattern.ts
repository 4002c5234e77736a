// The pattern language of commands, compiled to regular expressions.
//
// `word`        that word, ignoring case
// `upper~case`  one word, two words, or with a hyphen
// `(a|b c)`     one of them; `[a]` and `[a|b]` are optional
// `{name}`      any words; a slot in SLOTS matches only the words listed there
// `<name>`      one of the phrases in PHRASES

import { NUMBER_PATTERN, ORDINAL_PATTERN, TIMES_PATTERN } from './spoken-values.ts'

/** Groups of synonyms for use in patterns. */
const PHRASES: Record<string, string> = {
  this: '([all [of]] (this|that|it|these|them|everything)|[(all|all of|the whole|the entire)] [(the|this|that|my|these|those)] [(selected|highlighted|current)] (text|selection|lines|words|sentence|sentences|paragraph|paragraphs|passage|part|bit|list|line|snippet|content|thing|items|message|note))',
  lines: '(<this>|[the|these|all [the]|my] (lines|line|list|items|rows|names|words|entries))',
  all: '[(the|any|each|every|all [[of] the])]',
  from: '[(from|of|in|around) <this>]',
  make: '(make|turn|convert|change|put|format|transform|set|rewrite|reformat|write|switch|render|display|get)',
  into: '[(into|to|in|as|be|like|using|with)] [(a|an|all|the)]',
  remove: '(remove|delete|strip|drop|erase|clear|take out|get rid of|cut out|strip out|clean out|kill)',
  put: '(put|wrap|enclose|surround|place|set|add)',
}

/** Slots that match only certain words: a number, a position, a unit of text. */
const SLOTS: Record<string, string> = {
  n: NUMBER_PATTERN,
  times: TIMES_PATTERN,
  place: ORDINAL_PATTERN,
  unit: 'characters?|letters?|words?|sentences?|lines?|paragraphs?',
  block: 'sentences?|lines?|paragraphs?',
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
    open: Array.from(source.matchAll(/\{(\w+)\}/gu)).some(([, slot = '']) => !(slot in SLOTS)),
  }
}

const TOKENS = /<(\w+)>|\{(\w+)\}|[()[\]|]|[^\s()[\]|<>{}]+/gu

const SYNTAX: Record<string, string> = { '(': '(?:', '[': '(?:', ')': ')', ']': ')?', '|': '|' }

function translate(source: string): string {
  let out = ''
  for (const [token, phrase, slot] of source.matchAll(TOKENS)) {
    if (phrase !== undefined) out += translate(phraseOf(phrase))
    else if (slot !== undefined) out += `${JOINT}(?<${slot}>${SLOTS[slot] ?? '.+?'})`
    else out += SYNTAX[token] ?? JOINT + token.replace(/[.*+?^$\\/]/gu, '\\$&').replaceAll('~', '[ -]?')
  }
  return out
}

function phraseOf(name: string): string {
  const phrase = PHRASES[name]
  if (phrase === undefined) throw new Error(`no phrase <${name}>`)
  return phrase
}
