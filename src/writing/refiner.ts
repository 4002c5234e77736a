// Refines a text in its writing style: the rules and the dictionary first, then a language model if one is configured.

import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { filterText } from '../llm/filter-text.ts'
import type { Llm } from '../llm/llm.ts'
import type { Settings } from '../settings/settings.ts'
import { scriptWriterOf } from '../text/chinese-script.ts'
import { applied } from '../text/dictionary/apply.ts'
import { applyWarnings } from '../text/dictionary/apply-warnings.ts'
import type { Dictionary } from '../text/dictionary/compile.ts'
import type { Edits } from '../text/dictionary/find-edits.ts'
import { guessLanguage } from '../text/guess-language.ts'
import { baseLanguage } from '../text/language-names.ts'
import { refined } from '../text/refinement/refine.ts'
import { cachedAnswers, type Filter } from './answer-cache.ts'
import { createSecondPass } from './dictionary-second-pass.ts'
import { refineByModel } from './refine-by-model.ts'
import { refineInPieces } from './refine-in-pieces.ts'
import type { Refined, RefinedStep, RefinementFlags, StyledRefineOptions } from './refined.ts'
import type { StyleContent, WritingStyle } from './style.ts'
import type { WritingStyles } from './styles.ts'

export type RefinedInDetail = Refined & {
  /** in order, only those that changed the text */
  steps: RefinedStep[]
  /** why the model's text was rejected; null if it was accepted or no model was called */
  llmFailure: { code: string; message: string } | null
  /** ISO 639-1 of the applied rules; null: only the language-neutral rules */
  language: string | null
}

/** Also returns the steps, and the reason if the model's text was rejected. */
export type DetailedRefiner = {
  /** For a transcript, to which the dictionary was already applied. Counts a use of the style; caches model answers. */
  refine(text: string, options: StyledRefineOptions): Promise<RefinedInDetail>
  /** For a text typed to try a style, with the changes in `draft` applied to it. Counts no use. */
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

/** Neither function throws: a text that cannot be refined is returned unchanged. */
export function createRefiner(deps: RefinerDeps): DetailedRefiner {
  const { styles, dictionary } = deps
  const secondPass = createSecondPass()
  const cached = { ...deps, filter: cachedAnswers(filterText) }
  return {
    async refine(text, options) {
      const style = choose(styles, options)
      const words = async () => secondPass(await dictionary.compiled())
      const refined = await refineWith(cached, { text, options, style, words })
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
  message: 'No language model was used: llm_base_url is not set in the settings.',
}

type Work = {
  text: string
  options: StyledRefineOptions
  style: WritingStyle
  words: () => Promise<Dictionary>
}

async function refineWith(deps: RefinerDeps & { filter: Filter }, request: Work): Promise<RefinedInDetail> {
  const started = performance.now()
  const { text, style } = request
  const { language: known, otherwise = null, written = null } = request.options
  const language = (known && baseLanguage(known)) ?? guessLanguage(text) ?? otherwise
  const options = { ...request.options, language }
  const work = { ...request, options }
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

/** The request overrides the style, and the style the settings. */
const mergeFlags = (
  requested: Partial<RefinementFlags> | null,
  style: WritingStyle,
  settings: Settings,
): RefinementFlags => ({
  smartCleanup: requested?.smartCleanup ?? style.smartCleanup ?? settings.smartCleanup,
  selfCorrection: requested?.selfCorrection ?? style.selfCorrection ?? settings.selfCorrection,
  preserveTechnical: requested?.preserveTechnical ?? style.preserveTechnical ?? settings.preserveTechnical,
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
    const warnings = applyWarnings({ missing, givenUp: [...givenUp] })
    for (const { code, message } of warnings) log.warn({ code }, message)
    return { ...byRules, warnings }
  } catch (error) {
    // A bug in a rule must not lose the text.
    log.error({ styleId: style.id, reason: String(error) }, 'a refinement rule failed, text left unchanged')
    return unchanged(text)
  }
}
