// Refines a text in its writing style: the rules and the dictionary first, then a language model if one is configured.
// Long texts are refined in pieces.

import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { createPause, nextTurn } from '../lib/time-slice.ts'
import { filterText } from '../llm/filter-text.ts'
import type { Llm } from '../llm/llm.ts'
import type { Settings } from '../settings/settings.ts'
import { scriptWriterOf } from '../text/chinese-script.ts'
import { applied, applyWarnings } from '../text/dictionary/apply.ts'
import { compiled, type Dictionary } from '../text/dictionary/compile.ts'
import { type Edits, editsIn } from '../text/dictionary/find-edits.ts'
import { guessLanguage } from '../text/guess-language.ts'
import { baseLanguage } from '../text/language-names.ts'
import { refineText, refineWithDictionary } from '../text/refinement/refine.ts'
import type { StyleRules } from '../text/refinement/step.ts'
import { cachedAnswers, type Filter, refineByModel } from './refine-by-model.ts'
import type { Refined, RefinedStep, RefinementFlags, StyledRefineOptions } from './refined.ts'
import type { StyleContent, WritingStyle } from './style.ts'
import type { WritingStyles } from './styles.ts'

type RefinedPiece = { text: string; steps: RefinedStep[] }

/** A piece takes 0.1 s at worst, if every sentence needs a change. Few texts are longer than one piece. */
const PIECE_CHARACTERS = 4000

/** The rules about the end of a text apply to its last piece only. */
const INNER_END: Pick<StyleRules, 'trailingPeriod' | 'trailingSpace'> = {
  trailingPeriod: 'keep',
  trailingSpace: false,
}

export async function refineInPieces(
  text: string,
  { rules, signal }: { rules: StyleRules; signal: AbortSignal },
  refine: (piece: string, rules: StyleRules) => RefinedPiece | Promise<RefinedPiece>,
): Promise<RefinedPiece> {
  const pieces = piecesOf(text)
  if (pieces.length < 2) return refine(text, rules)
  let refined = ''
  for (const [index, { piece, gap }] of pieces.entries()) {
    await nextTurn()
    if (signal.aborted) return { text, steps: [] }
    const isLast = index === pieces.length - 1
    const { text: done } = await refine(piece, isLast ? rules : { ...rules, ...INNER_END })
    refined += done + gap
  }
  return { text: refined, steps: refined === text ? [] : [{ step: 'rules', before: text, after: refined }] }
}

type Piece = { piece: string /** the white space after it */; gap: string }

/** Splits between sentences, never within one. */
function piecesOf(text: string): Piece[] {
  if (text.length <= 2 * PIECE_CHARACTERS) return [{ piece: text, gap: '' }]
  const sentences = [...new Intl.Segmenter('und', { granularity: 'sentence' }).segment(text)]
  const pieces: string[] = []
  for (const { segment } of sentences) {
    const last = pieces.at(-1)
    if (last === undefined || last.length + segment.length > PIECE_CHARACTERS) pieces.push(segment)
    else pieces[pieces.length - 1] = last + segment
  }
  return pieces.map((whole) => {
    const piece = whole.trimEnd()
    return { piece, gap: whole.slice(piece.length) }
  })
}

/**
 * Refining can bring words of an entry together and can change what the dictionary wrote, so the dictionary is applied
 * a second time. An entry that turns "Anna" into "Anna Keller" would then produce "Anna Keller Keller".
 * Caches the result for the last dictionary: computing it takes a pass over all entries.
 */
function createSecondPass(): (dictionary: Dictionary) => Promise<Dictionary> {
  let last: { of: Dictionary; again: Promise<Dictionary> } | null = null
  return (dictionary) => {
    if (last?.of !== dictionary) last = { of: dictionary, again: withoutRepeats(dictionary) }
    return last.again
  }
}

async function withoutRepeats(dictionary: Dictionary): Promise<Dictionary> {
  const pause = createPause()
  // The output of a pattern is unknown until it matches, so patterns are not applied again.
  const words = dictionary.entries.filter(({ isRegex }) => !isRegex)
  const known = words.length === dictionary.entries.length ? dictionary : await compiled(words)
  const unstable = new Set<string>()
  for (const { type, word, replacement, language } of words) {
    const written = type === 'term' ? word : (replacement ?? '')
    const { edits } = await editsIn(known, written, { language })
    for (const { id } of edits) unstable.add(id)
    await pause()
  }
  return unstable.size === 0 ? known : await compiled(words.filter(({ id }) => !unstable.has(id)))
}

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
      (async (whole: string) => {
        const made = await applied(dictionary, whole, { language, now: clock() })
        missing.push(...made.missing)
        for (const id of made.givenUp) givenUp.add(id)
        return made.text
      })
    const byRules = await refineInPieces(text, { rules: style.rules, signal }, (piece, rules) =>
      apply
        ? refineWithDictionary(piece, { language, flags, rules, dictionary: apply })
        : refineText(piece, { language, flags, rules }),
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
