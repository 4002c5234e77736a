// A text that the rules have refined, through the language model of the settings, and the style's form put on it again.
// What the model is told and whether it is believed is src/llm.

import type { Log } from '../lib/log.ts'
import { inSlices, type Sliced } from '../lib/time-slice.ts'
import type { FilterRequest } from '../llm/filter-text.ts'
import { type Decoration, decorationsIn } from '../llm/guard/decoration.ts'
import type { LetterCase } from '../llm/guard/letter-case.ts'
import { keyOf } from '../llm/guard/tokens.ts'
import type { Llm } from '../llm/llm.ts'
import type { Settings } from '../settings/settings.ts'
import type { Dictionary } from '../text/dictionary/compile.ts'
import { wordsToDigits } from '../text/numbers/words-to-digits.ts'
import { refineText } from '../text/refinement/refine.ts'
import { isShippedExample } from './builtin-styles.ts'
import type { RefinedStep, RefinementFlags, StyledRefineOptions } from './refined.ts'
import type { Filter } from './remembered-answers.ts'
import type { WritingStyle } from './style.ts'

type ModelDeps = {
  llm: Llm
  /** that asks it */
  filter: Filter
  log: Log
  settings: { current(): Settings }
  dictionary: { compiled(): Promise<Dictionary> }
}

type Asked = { options: StyledRefineOptions; style: WritingStyle; flags: RefinementFlags }

/** With a failure the text is the one that was given. */
export type ModelOutcome = {
  text: string
  model: string | null
  steps: RefinedStep[]
  failure: { code: string; message: string } | null
}

export async function refineByModel(deps: ModelDeps, text: string, asked: Asked): Promise<ModelOutcome> {
  const { options, style } = asked
  const settings = deps.settings.current()
  const model = options.llmModel ?? style.llmModel ?? settings.llmModel
  try {
    const filtered = await deps.filter(text, await requestFor(deps, asked, { text, settings, model }))
    if (filtered.ok) return accepted(text, filtered.value, asked)
    const { code, message } = filtered.failure
    const reason = 'reason' in filtered.failure ? filtered.failure.reason : undefined
    deps.log.warn({ code, reason, model }, 'the text of the rules stands')
    return { text, model: null, steps: [], failure: { code, message } }
  } catch (error) {
    deps.log.error({ reason: String(error), model }, 'refining by a language model broke')
    const message = 'The answer of the language model could not be worked on.'
    return { text, model: null, steps: [], failure: { code: 'llm_malformed', message } }
  }
}

type Chosen = { text: string; settings: Settings; model: string | null }

async function requestFor(
  { llm, dictionary }: ModelDeps,
  asked: Asked,
  { text, settings, model }: Chosen,
): Promise<FilterRequest> {
  const { options, style, flags } = asked
  const { language, signal } = options
  const { tone, instructions } = style
  const examples = style.examples.filter((example) => isEnglish(language) || !isShippedExample(example))
  return {
    llm,
    model,
    signal,
    timeoutMs: settings.refineTimeoutMs,
    address: { baseUrl: settings.llmBaseUrl ?? '', apiKeyEnv: settings.llmApiKeyEnv },
    prompt: { language, flags, tone, instructions, examples },
    guard: {
      freedom: isPlain(style) ? 'filter' : 'rewrite',
      letterCase: letterCaseOf(style),
      decorations: decorationsOf(style),
      keepWords: settings.applyDictionary ? await inSlices(termsIn(text, await dictionary.compiled())) : [],
      digitsOf: (part) => wordsToDigits(part, language),
    },
  }
}

function accepted(text: string, written: { text: string; model: string }, asked: Asked): ModelOutcome {
  const formed = withForm(written.text, asked)
  const step = { step: 'language_model', before: text, after: written.text }
  const steps = [...(written.text === text ? [] : [step]), ...formed.steps]
  return { text: formed.text, model: written.model, steps, failure: null }
}

const isEnglish = (language: string | null): boolean => language === null || language.split('-')[0] === 'en'

/** Whether the style only wants it clean, and nothing said otherwise. */
const isPlain = ({ tone, instructions, examples }: WritingStyle): boolean =>
  tone === 'neutral' && instructions.trim() === '' && examples.length === 0

const OF_LISTS =
  /\blists?\b|bullet|aufzähl|stichpunkt|\bliste|\blista|puce|elenc[oh]i?|viñeta|marcador|opsom|lijst|箇条書き|列表|项目符号/iu
const OF_EMOJI = /emoji|smiley|絵文字|表情/iu

/** Lists and emoji, where the style speaks or gives an example of them. */
const decorationsOf = ({ instructions, examples }: WritingStyle): Decoration[] => [
  ...(OF_LISTS.test(instructions) ? (['list'] as const) : []),
  ...(OF_EMOJI.test(instructions) ? (['emoji'] as const) : []),
  ...examples.flatMap(decorationsIn),
]

/** Words by which a person speaks of capitals, in the languages that have styles of their own. */
const OF_CAPITALS =
  /capital|\bcaps\b|(?:upper|lower|small)[ -]?(?:case|letter)|großbuchstab|kleinbuchstab|(?:groß|klein) ?schreib|majuscul|minuscul|mayúscul|minúscul|maiuscol|maiúscul|hoofdletter|kleine letter/iu

/** Kept, unless the style speaks or gives an example of something else. */
function letterCaseOf({ tone, instructions, examples }: WritingStyle): LetterCase {
  const shown = examples.map(({ output }) => output)
  if (
    OF_CAPITALS.test(instructions) ||
    shown.some((output) => /\p{Lu}/u.test(output) && !/\p{Ll}/u.test(output))
  )
    return 'free'
  const areSmall = shown.length > 0 && shown.every((output) => !/\p{Lu}/u.test(output))
  return tone === 'very_casual' || areSmall ? 'small' : 'kept'
}

/** A person has taught how these are written. */
/** Of which a word is in the text: the guard looks at each of them, and a dictionary may have fifty thousand. */
function* termsIn(text: string, { entries }: Dictionary): Sliced<string[]> {
  const said = keyOf(text)
  const terms: string[] = []
  for (const { type, word } of entries) {
    if (type === 'term' && word.split(/\s+/).some((part) => said.includes(keyOf(part)))) terms.push(word)
    yield
  }
  return terms
}

/** Small letters, the last full stop and the space at the end are not left to the model. */
function withForm(text: string, { options, style, flags }: Asked) {
  const rules = { ...style.rules, spokenPunctuation: false, numbers: 'words' as const, paragraphs: false }
  return refineText(text, {
    language: options.language,
    flags: { smartCleanup: flags.smartCleanup, selfCorrection: false, preserveTechnical: false },
    rules: { ...rules, removeFillers: false },
    dictionary: null,
  })
}
