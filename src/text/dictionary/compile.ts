// Compiles a dictionary: words into a trie, patterns into programs, replacements into templates.

import type { RE2JS } from 're2js'
import { type Sliced, sorted } from '../../lib/slices.ts'
import { foldingFor, type Rewriting, rewrite } from './case-folding.ts'
import type { Entry } from './entry.ts'
import { compileEntryPattern } from './pattern.ts'
import { parseTemplate, type TemplatePart } from './template.ts'
import { createTrie, type Trie } from './trie.ts'

/** One form of an entry: its word or an alias. */
export type WrittenForm = {
  entry: Entry
  typed: string
  /** false for the word of a term, which is only counted */
  rewrites: boolean
}

export type EntryPattern = { entry: Entry; regex: RE2JS }

export type Dictionary = {
  /** the enabled entries */
  entries: readonly Entry[]
  /** in order of preference */
  patterns: readonly EntryPattern[]
  /** the parsed replacement of an entry; cached */
  templateOf(entry: Entry): readonly TemplatePart[]
  /** the forms of all entries, folded for the language; cached */
  formsFor(language: string | null): Sliced<Trie<WrittenForm>>
}

/** Expects valid entries (check-entry.ts), but skips a pattern that does not compile. */
export function* compiled(entries: readonly Entry[]): Sliced<Dictionary> {
  const enabled = entries.filter((entry) => entry.enabled)
  const patterns: EntryPattern[] = []
  for (const entry of enabled) {
    patterns.push(...patternOf(entry))
    yield
  }
  const templates = new Map<Entry, readonly TemplatePart[]>()
  const tries = new Map<Rewriting, Trie<WrittenForm>>()
  return {
    entries: enabled,
    patterns: yield* sorted(patterns, (a, b) => preference(a.entry, b.entry)),
    templateOf(entry) {
      const template = templates.get(entry) ?? parseTemplate(withReplacement(entry))
      templates.set(entry, template)
      return template
    },
    *formsFor(language) {
      const folding = foldingFor(language)
      const trie = tries.get(folding) ?? (yield* trieOf(enabled, folding))
      tries.set(folding, trie)
      return trie
    },
  }
}

/** Negative if `a` is preferred over `b`. */
export const preference = (a: Entry, b: Entry): number =>
  Number(b.language !== null) - Number(a.language !== null) ||
  b.priority - a.priority ||
  (a.id < b.id ? -1 : Number(a.id > b.id))

/** Whether an entry applies to texts in this language; if it is unknown (null), every entry does. */
export const isFor = (entry: Entry, language: string | null): boolean =>
  entry.language === null || language === null || entry.language === language

/** The misheard forms of a term are written as the term. */
const withReplacement = (entry: Entry): Entry =>
  entry.type === 'term' ? { ...entry, replacement: entry.word } : entry

function patternOf(entry: Entry): EntryPattern[] {
  if (!entry.isRegex) return []
  const compiled = compileEntryPattern(entry.word, entry)
  return compiled.ok ? [{ entry, regex: compiled.value }] : []
}

function* trieOf(entries: readonly Entry[], folding: Rewriting): Sliced<Trie<WrittenForm>> {
  const trie = createTrie<WrittenForm>()
  for (const entry of entries) {
    yield
    if (entry.isRegex) continue
    for (const typed of [entry.word, ...entry.aliases])
      trie.add(rewrite(typed, folding).text, {
        entry,
        typed,
        rewrites: entry.type !== 'term' || typed !== entry.word,
      })
  }
  return trie
}
