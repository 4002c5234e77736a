// Validates what the schema of an entry cannot express: fields that depend on each other, and patterns.

import { compileEntryPattern } from './compile.ts'
import { type EntryContent, isUnfilled, parseTemplate } from './entry.ts'

/** The message follows the name of the field: "is required". */
export type EntryFault = { field: keyof EntryContent; message: string }

/** The stored form: NFC, trimmed, without duplicate forms. */
export function tidyEntry(content: EntryContent): EntryContent {
  const word = content.isRegex ? content.word.normalize('NFC') : tidy(content.word)
  const forms = new Set([word, ''])
  const aliases = content.aliases.map(tidy).filter((alias) => !forms.has(alias) && forms.add(alias))
  return { ...content, word, aliases, replacement: tidyReplacement(content) }
}

function tidyReplacement({ type, replacement }: EntryContent): string | null {
  if (replacement === null || (!isRewriting(type) && isUnfilled(replacement))) return null
  return replacement.normalize('NFC')
}

const isRewriting = (type: EntryContent['type']): boolean => type === 'replacement' || type === 'snippet'

/** Earlier versions omitted a word with an empty replacement instead of the type `omit`; old files and rows still do. */
export const withOmission = <Content extends EntryContent>(content: Content): Content =>
  isRewriting(content.type) && content.replacement !== null && isUnfilled(content.replacement)
    ? { ...content, type: 'omit', replacement: null }
    : content

const tidy = (word: string): string => word.normalize('NFC').trim().replace(/\s+/g, ' ')

/** Returns all errors of an entry that tidyEntry has tidied. */
export function checkEntry(content: EntryContent): EntryFault[] {
  const faults: EntryFault[] = []
  if (content.word === '') faults.push({ field: 'word', message: 'must not be blank' })
  faults.push(...replacementFaults(content))
  if (!content.isRegex) return faults
  if (content.type === 'term')
    faults.push({ field: 'isRegex', message: 'cannot be true for a term: only words can be recognised' })
  if (content.aliases.length > 0)
    faults.push({
      field: 'aliases',
      message: 'must be empty for a pattern; add the forms to the pattern, with |',
    })
  return [...faults, ...patternFaults(content)]
}

function replacementFaults({ type, replacement }: EntryContent): EntryFault[] {
  const fault = (message: string): EntryFault[] => [{ field: 'replacement', message }]
  if (type === 'term' && replacement !== null)
    return fault('must be null for a term; make it a replacement instead')
  if (type === 'omit' && replacement !== null)
    return fault('must be null for a word to omit; make it a replacement instead')
  if (isRewriting(type) && replacement === null) return fault(`is required for a ${type}`)
  if (replacement !== null && isUnfilled(replacement))
    return fault('must not be empty; to remove the word, use the type `omit`')
  return []
}

function patternFaults(content: EntryContent): EntryFault[] {
  const pattern = compileEntryPattern(content.word, content)
  if (!pattern.ok) return [{ field: 'word', message: pattern.failure }]
  const [count, names] = [pattern.value.groupCount(), pattern.value.namedGroups()]
  const unknown = parseTemplate(content).flatMap((part) => {
    if (part.kind !== 'group') return []
    const isKnown = typeof part.group === 'number' ? part.group <= count : Object.hasOwn(names, part.group)
    return isKnown ? [] : [part.group]
  })
  if (unknown.length === 0) return []
  const message = `refers to the group ${unknown[0]}, but the pattern has ${count === 0 ? 'none' : count}`
  return [{ field: 'replacement', message }]
}

/**
 * Unique among the entries of a language: the word in lowercase. Folds less than texts are folded, so that Maße and
 * Masse, or the patterns \d and \D, can coexist.
 */
export function entryKey({ word, isRegex, language }: EntryContent): string {
  if (isRegex) return `/${word}/`
  const locale = language !== null && /^(tr|az)$/.test(language) ? language : 'en'
  return word.toLocaleLowerCase(locale).replaceAll('i\u0307', 'i').replaceAll('’', "'")
}
