// Makes a text read as its writing style wants it: the rules and the dictionary first, then a language model if there
// is one. Keeps nothing but the count of uses; what becomes of the text is its caller's.

import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { filterText } from '../llm/filter-text.ts'
import type { Llm } from '../llm/llm.ts'
import type { Settings } from '../settings/settings.ts'
import { scriptWriterOf } from '../text/chinese-script.ts'
import { applied } from '../text/dictionary/apply.ts'
import type { Dictionary } from '../text/dictionary/compile.ts'
import type { Edits } from '../text/dictionary/find-edits.ts'
import { unheededIn } from '../text/dictionary/unheeded.ts'
import { guessLanguage } from '../text/guess-language.ts'
import { baseLanguage } from '../text/language-names.ts'
import { refined } from '../text/refinement/refine.ts'
import { createSecondPass } from './dictionary-again.ts'
import { refineByModel } from './refine-by-model.ts'
import { refineInPieces } from './refine-in-pieces.ts'
import type { Refined, RefinedStep, RefinementFlags, StyledRefineOptions } from './refined.ts'
import { type Filter, rememberingAnswers } from './remembered-answers.ts'
import type { StyleContent, WritingStyle } from './style.ts'
import type { WritingStyles } from './styles.ts'

export type RefinedInDetail = Refined & {
  /** in their order, only those that changed something */
  steps: RefinedStep[]
  /** why the model's text was not taken; null where none was asked or it was */
  llmFailure: { code: string; message: string } | null
  /** ISO 639-1 of the rules that were applied; null: only those of every language */
  language: string | null
}

/** One whose word is taken for more than captures need: it says what was done, and why the model was not believed. */
export type DetailedRefiner = {
  /** For a transcript, which has been through the dictionary once. Counts as a use of the style, and asks no model twice. */
  refine(text: string, options: StyledRefineOptions): Promise<RefinedInDetail>
  /** For a text that was typed to try a style, with `draft` as if it were kept already. Counts as nothing. */
  preview(text: string, options: StyledRefineOptions, draft?: Partial<StyleContent>): Promise<RefinedInDetail>
}

export type RefinerDeps = {
  dictionary: { compiled(): Promise<Dictionary> }
  styles: Pick<WritingStyles, 'match' | 'noteUse'>
  settings: { current(): Settings }
  llm: Llm
  clock: Clock
  log: Log
}

/** Neither function throws: a text that cannot be refined comes back as it was. */
export function createRefiner(deps: RefinerDeps): DetailedRefiner {
  const { styles, dictionary } = deps
  const secondPass = createSecondPass()
  const remembering = { ...deps, filter: rememberingAnswers(filterText) }
  return {
    async refine(text, options) {
      const style = choose(styles, options)
      const words = async () => secondPass(await dictionary.compiled())
      const refined = await refineWith(remembering, { text, options, style, words })
      styles.noteUse(style.id)
      return refined
    },
    preview: (text, options, draft = {}) =>
      refineWith(
        { ...deps, filter: filterText },
        { text, options, style: { ...choose(styles, options), ...draft }, words: dictionary.compiled },
      ),
  }
}

const choose = (
  styles: RefinerDeps['styles'],
  { app, writingStyleId, language }: StyledRefineOptions,
): WritingStyle => styles.match({ ...app, writingStyleId, language, category: null }).style

const NOT_CONFIGURED = {
  code: 'llm_not_configured',
  message: 'No language model was asked: llm_base_url is not set in the settings.',
}

type Work = {
  text: string
  options: StyledRefineOptions
  style: WritingStyle
  words: () => Promise<Dictionary>
}

async function refineWith(deps: RefinerDeps & { filter: Filter }, asked: Work): Promise<RefinedInDetail> {
  const started = performance.now()
  const { text, style } = asked
  const { language: known, otherwise = null, written = null } = asked.options
  const language = (known && baseLanguage(known)) ?? guessLanguage(text) ?? otherwise
  const options = { ...asked.options, language }
  const work = { ...asked, options }
  const settings = deps.settings.current()
  const flags = mergeFlags(options.flags, style, settings)
  const untouched = style.tone === 'verbatim' || !Object.values(flags).some(Boolean)
  const byRules = untouched ? unchanged(text) : await applyRules(deps, work, flags)
  const isConfigured = settings.llmBaseUrl !== null
  const wantsModel = (options.useLlm ?? style.useLlm) && !untouched && byRules.text.trim() !== ''
  const byModel =
    wantsModel && isConfigured ? await refineByModel(deps, byRules.text, { options, style, flags }) : null
  const inScript = byModel === null ? null : await scriptWriterOf(written)
  const refined = byModel?.text ?? byRules.text
  return {
    text: inScript?.(refined) ?? refined,
    status: byModel === null ? 'rules' : byModel.failure === null ? 'llm' : 'llm_failed',
    writingStyleId: style.id,
    flags,
    llmModel: byModel?.model ?? null,
    ms: Math.round(performance.now() - started),
    steps: [...byRules.steps, ...(byModel?.steps ?? [])],
    llmFailure: byModel?.failure ?? null,
    language: options.language,
    warnings: [...(options.useLlm === true && !isConfigured ? [NOT_CONFIGURED] : []), ...byRules.warnings],
  }
}

type ByRules = { text: string; steps: RefinedStep[]; warnings: Refined['warnings'] }

const unchanged = (text: string): ByRules => ({ text, steps: [], warnings: [] })

/** What the request says, then the style, then the settings. */
const mergeFlags = (
  asked: Partial<RefinementFlags> | null,
  style: WritingStyle,
  settings: Settings,
): RefinementFlags => ({
  smartCleanup: asked?.smartCleanup ?? style.smartCleanup ?? settings.smartCleanup,
  selfCorrection: asked?.selfCorrection ?? style.selfCorrection ?? settings.selfCorrection,
  preserveTechnical: asked?.preserveTechnical ?? style.preserveTechnical ?? settings.preserveTechnical,
})

async function applyRules(
  { settings, clock, log }: RefinerDeps,
  { text, options: { language, signal }, style, words }: Work,
  flags: RefinementFlags,
): Promise<ByRules> {
  try {
    const dictionary = settings.current().applyDictionary ? await words() : null
    const [missing, givenUp]: [Edits['missing'], Set<string>] = [[], new Set()]
    const apply =
      dictionary &&
      function* (whole: string) {
        const made = yield* applied(dictionary, whole, { language, now: clock() })
        missing.push(...made.missing)
        for (const id of made.givenUp) givenUp.add(id)
        return made.text
      }
    const byRules = await refineInPieces(text, { rules: style.rules, signal }, (piece, rules) =>
      refined(piece, { language, flags, rules, dictionary: apply }),
    )
    const warnings = unheededIn({ missing, givenUp: [...givenUp] })
    for (const { code, message } of warnings) log.warn({ code }, message)
    return { ...byRules, warnings }
  } catch (error) {
    // A mistake in a rule must not cost anybody a text.
    log.error({ styleId: style.id, reason: String(error) }, 'a rule of refinement broke')
    return unchanged(text)
  }
}
