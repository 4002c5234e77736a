// Refines recognised speech so that it reads as written: runs all deterministic rules in order, and reports each change.

import { createPause } from '../../lib/time-slice.ts'
import { applyCasing } from './casing.ts'
import { applyTrailingPeriod, applyTrailingSpace } from './ending.ts'
import { removeDiscourseWords, removeHesitations } from './fillers.ts'
import { refinementLanguage } from './languages/languages.ts'
import { removeLoops } from './loops.ts'
import { writeNumbers } from './numbers.ts'
import { divideParagraphs } from './paragraphs.ts'
import { applySelfCorrections } from './self-corrections.ts'
import { repairSpacing } from './spacing.ts'
import { writeSpokenPunctuation } from './spoken-punctuation.ts'
import { joinSpokenSymbols } from './spoken-symbols.ts'
import type { Flags, RefinementStep, StepContext, StyleRules } from './step.ts'
import { removeStutters } from './stutters.ts'
import { type TextToken, tokenizeText } from './tokens.ts'

export type { Flags } from './step.ts'

export type RefineOptions = {
  /** ISO 639-1, with or without a region; null, and languages without data, get only the language-neutral rules */
  language: string | null
  flags: Flags
  rules: StyleRules
}

export type StepName = (typeof CLEANING)[number]['name'] | 'dictionary' | (typeof FINISHING)[number]['name']

/** A step that changed the text, with the whole text before and after. */
export type ChangedBy = { step: StepName; before: string; after: string }

type NamedStep<Name extends string> = {
  name: Name
  run: RefinementStep
  applies: (context: StepContext) => boolean
}

const step = <Name extends string>(name: Name, run: RefinementStep, applies: NamedStep<Name>['applies']) => ({
  name,
  run,
  applies,
})

/**
 * The order matters: loops would hide everything else; addresses must be joined before "dot" can become punctuation;
 * hesitations split stutters ("I, um, I") and corrections ("Monday, uh, no wait"), so they are removed first; discourse
 * words share cues with corrections ("I mean"), so they come after them; capitals depend on punctuation; spacing is last.
 */
const CLEANING = [
  step('loops', removeLoops, ({ flags }) => Object.values(flags).some(Boolean)),
  step('spoken_symbols', joinSpokenSymbols, ({ flags }) => flags.preserveTechnical),
  step('spoken_punctuation', writeSpokenPunctuation, ({ rules }) => rules.spokenPunctuation),
  step('hesitations', removeHesitations, ({ flags, rules }) => flags.smartCleanup && rules.removeFillers),
  step('stutters', removeStutters, ({ flags }) => flags.smartCleanup),
  step('self_corrections', applySelfCorrections, ({ flags }) => flags.selfCorrection),
  step(
    'discourse_words',
    removeDiscourseWords,
    ({ flags, rules }) => flags.smartCleanup && rules.removeFillers,
  ),
  step('numbers', writeNumbers, ({ rules }) => rules.numbers === 'digits'),
  step('casing', applyCasing, ({ flags, rules }) => flags.smartCleanup || rules.capitalize === 'lower'),
  step('spacing', repairSpacing, ({ flags }) => flags.smartCleanup),
] as const

const FINISHING = [
  step('paragraphs', divideParagraphs, ({ rules }) => rules.paragraphs),
  step('trailing_period', applyTrailingPeriod, ({ rules }) => rules.trailingPeriod !== 'keep'),
  step('trailing_space', applyTrailingSpace, ({ rules }) => rules.trailingSpace),
] as const

/** A removal can bring two words together that another rule then changes; more rounds are never needed. */
const MAX_ROUNDS = 6

/**
 * Refines a text by the rules of its language and style.
 *
 * Deterministic and idempotent, except for a dictionary that rewrites its own output. Addresses, paths, identifiers,
 * versions, options and quotations stay unchanged, unless they are part of a removed loop or correction. With all flags
 * off, only explicit rules of the style apply: spoken punctuation, digits, lowercase, paragraphs and the ending. Never
 * throws; time is linear in the text.
 *
 * `steps` lists the steps that changed the text, in the order in which they ran; a step that ran again and changed the
 * text again is listed again.
 */
export function refineText(text: string, options: RefineOptions): RefinedText {
  const { clean, finish } = begin(text, options)
  for (let round = 0; round < MAX_ROUNDS && clean(); round += 1);
  return finish()
}

/** As refineText; applies a dictionary to the whole text, after all steps except paragraphs and the ending. */
export async function refineWithDictionary(
  text: string,
  { dictionary, ...options }: RefineOptions & { dictionary: (text: string) => Promise<string> },
): Promise<RefinedText> {
  const pause = createPause()
  const { clean, change, current, finish } = begin(text, options)
  for (let round = 0; round < MAX_ROUNDS && clean(); round += 1) await pause()
  change('dictionary', await dictionary(current()))
  await pause()
  return finish()
}

export type RefinedText = { text: string; steps: ChangedBy[] }

function begin(text: string, { language, flags, rules }: RefineOptions) {
  const context = { language: refinementLanguage(language), flags, rules }
  const steps: ChangedBy[] = []
  let current = text
  let tokens: TextToken[] | null = null

  const change = (name: StepName, after: string): boolean => {
    if (after === current) return false
    steps.push({ step: name, before: current, after })
    current = after
    tokens = null
    return true
  }
  const run = (list: typeof CLEANING | typeof FINISHING): boolean => {
    let changed = false
    for (const { name, run, applies } of list) {
      if (!applies(context)) continue
      tokens ??= tokenizeText(current)
      changed = change(name, run(tokens, context)) || changed
    }
    return changed
  }
  return {
    /** whether the round changed the text */
    clean: () => run(CLEANING),
    change,
    current: () => current,
    finish(): RefinedText {
      run(FINISHING)
      return { text: current, steps }
    },
  }
}
