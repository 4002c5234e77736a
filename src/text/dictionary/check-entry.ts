// What makes an entry valid beyond its shape: parts that belong together, and patterns that can be used.
// Shapes and lengths are the wire schema's; whether there is one like it already is the store's.

import { type EntryContent, isUnfilled } from './entry.ts'
import { compileEntryPattern } from './pattern.ts'
import { parseTemplate } from './template.ts'

/** `field` is a key of EntryContent; the message goes after its name: "is required". */
export type EntryFault = { field: keyof EntryContent; message: string }

/** As it is kept: NFC, without spaces around, no form twice. */
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

/** An empty replacement left its word out before there was a type that says so; files and tables still hold such. */
export const withOmission = <Content extends EntryContent>(content: Content): Content =>
  isRewriting(content.type) && content.replacement !== null && isUnfilled(content.replacement)
    ? { ...content, type: 'omit', replacement: null }
    : content

const tidy = (word: string): string => word.normalize('NFC').trim().replace(/\s+/g, ' ')

/** Every fault at once; the entry is tidy already. */
export function checkEntry(content: EntryContent): EntryFault[] {
  const faults: EntryFault[] = []
  if (content.word === '') faults.push({ field: 'word', message: 'must not be blank' })
  faults.push(...replacementFaults(content))
  if (!content.isRegex) return faults
  if (content.type === 'term')
    faults.push({ field: 'isRegex', message: 'cannot be true for a term: a pattern cannot be recognised' })
  if (content.aliases.length > 0)
    faults.push({ field: 'aliases', message: 'must be empty for a pattern; put the forms into it, with |' })
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
    return fault('must not be empty; the type `omit` leaves the word out')
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
  const message = `names the group ${unknown[0]}, but the pattern has ${count === 0 ? 'none' : count}`
  return [{ field: 'replacement', message }]
}

/**
 * What no two entries of one language have in common: the word without its case. Not folded as texts are, so that
 * Maße and Masse, or two patterns such as \d and \D, can both be there.
 */
export function entryKey({ word, isRegex, language }: EntryContent): string {
  if (isRegex) return `/${word}/`
  const locale = language !== null && /^(tr|az)$/.test(language) ? language : 'en'
  return word.toLocaleLowerCase(locale).replaceAll('i\u0307', 'i').replaceAll('’', "'")
}
