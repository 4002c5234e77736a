// Passes a text refined by rules to the language model, and applies the form of the style to the answer again.

import { createHash } from 'node:crypto'
import type { Log } from '../lib/log.ts'
import { createPause } from '../lib/time-slice.ts'
import type { FilterRequest, filterText } from '../llm/filter-text.ts'
import { type Decoration, decorationsIn } from '../llm/guard/output-guard.ts'
import { keyOf } from '../llm/guard/tokens.ts'
import type { LetterCase } from '../llm/guard/word-rules.ts'
import type { Llm } from '../llm/llm.ts'
import type { Settings } from '../settings/settings.ts'
import type { Dictionary } from '../text/dictionary/compile.ts'
import { wordsToDigits } from '../text/numbers/words-to-digits.ts'
import { refineText } from '../text/refinement/refine.ts'
import { isShippedExample } from './builtin-styles.ts'
import type { RefinedStep, RefinementFlags, StyledRefineOptions } from './refined.ts'
import type { WritingStyle } from './style.ts'

export type Filter = typeof filterText

const MAX_ANSWERS = 100

type Answer = Extract<Awaited<ReturnType<Filter>>, { ok: true }>

export function cachedAnswers(ask: Filter): Filter {
  const answers = new Map<string, Answer>()
  return async (text, request) => {
    const key = cacheKey(text, request)
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = await ask(text, request)
    if (answer.ok) {
      answers.set(key, answer)
      for (const oldest of [...answers.keys()].slice(0, -MAX_ANSWERS)) answers.delete(oldest)
    }
    return answer
  }
}

/** Everything that the answer depends on. `digitsOf` follows from the language; other fields only concern the call. */
function cacheKey(text: string, { address, model, prompt, guard }: Parameters<Filter>[1]): string {
  const { digitsOf: _, ...guardOptions } = guard
  const inputs = JSON.stringify([text, address, model, prompt, guardOptions])
  return createHash('sha256').update(inputs).digest('base64')
}

type ModelDeps = {
  llm: Llm
  filter: Filter
  log: Log
  settings: { current(): Settings }
  dictionary: { compiled(): Promise<Dictionary> }
}

type ModelRequest = { options: StyledRefineOptions; style: WritingStyle; flags: RefinementFlags }

/** After a failure, `text` is the input. */
export type ModelOutcome = {
  text: string
  model: string | null
  steps: RefinedStep[]
  failure: { code: string; message: string } | null
}

export async function refineByModel(
  deps: ModelDeps,
  text: string,
  request: ModelRequest,
): Promise<ModelOutcome> {
  const { options, style } = request
  const settings = deps.settings.current()
  const model = options.llmModel ?? style.llmModel ?? settings.llmModel
  try {
    const filtered = await deps.filter(text, await filterRequest(deps, request, { text, settings, model }))
    if (filtered.ok) return accepted(text, filtered.value, request)
    const { code, message } = filtered.failure
    const reason = 'reason' in filtered.failure ? filtered.failure.reason : undefined
    deps.log.warn({ code, reason, model }, 'no usable LLM output, keeping rule-based text')
    return { text, model: null, steps: [], failure: { code, message } }
  } catch (error) {
    deps.log.error({ reason: String(error), model }, 'refining with the LLM failed, keeping rule-based text')
    const message = 'The answer of the language model could not be processed.'
    return { text, model: null, steps: [], failure: { code: 'llm_malformed', message } }
  }
}

type Chosen = { text: string; settings: Settings; model: string | null }

async function filterRequest(
  { llm, dictionary }: ModelDeps,
  request: ModelRequest,
  { text, settings, model }: Chosen,
): Promise<FilterRequest> {
  const { options, style, flags } = request
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
      keepWords: settings.applyDictionary ? await termsIn(text, await dictionary.compiled()) : [],
      digitsOf: (part) => wordsToDigits(part, language),
    },
  }
}

function accepted(
  text: string,
  written: { text: string; model: string },
  request: ModelRequest,
): ModelOutcome {
  const formed = withForm(written.text, request)
  const step = { step: 'language_model', before: text, after: written.text }
  const steps = [...(written.text === text ? [] : [step]), ...formed.steps]
  return { text: formed.text, model: written.model, steps, failure: null }
}

const isEnglish = (language: string | null): boolean => language === null || language.split('-')[0] === 'en'

/** Whether the style only cleans the text, without a tone, instructions or examples. */
const isPlain = ({ tone, instructions, examples }: WritingStyle): boolean =>
  tone === 'neutral' && instructions.trim() === '' && examples.length === 0

const OF_LISTS =
  /\blists?\b|bullet|aufzähl|stichpunkt|\bliste|\blista|puce|elenc[oh]i?|viñeta|marcador|opsom|lijst|箇条書き|列表|项目符号/iu
const OF_EMOJI = /emoji|smiley|絵文字|表情/iu

/** Lists and emoji, if the instructions mention them or an example has them. */
const decorationsOf = ({ instructions, examples }: WritingStyle): Decoration[] => [
  ...(OF_LISTS.test(instructions) ? (['list'] as const) : []),
  ...(OF_EMOJI.test(instructions) ? (['emoji'] as const) : []),
  ...examples.flatMap(decorationsIn),
]

/** Words for capitals and lowercase, in the languages with their own styles. */
const OF_CAPITALS =
  /capital|\bcaps\b|(?:upper|lower|small)[ -]?(?:case|letter)|großbuchstab|kleinbuchstab|(?:groß|klein) ?schreib|majuscul|minuscul|mayúscul|minúscul|maiuscol|maiúscul|hoofdletter|kleine letter/iu

/** `kept`, unless the tone, the instructions or the examples of the style require otherwise. */
function letterCaseOf({ tone, instructions, examples }: WritingStyle): LetterCase {
  const shown = examples.map(({ output }) => output)
  if (
    OF_CAPITALS.test(instructions) ||
    shown.some((output) => /\p{Lu}/u.test(output) && !/\p{Ll}/u.test(output))
  )
    return 'free'
  const areLowercase = shown.length > 0 && shown.every((output) => !/\p{Lu}/u.test(output))
  return tone === 'very_casual' || areLowercase ? 'small' : 'kept'
}

/** Terms of the dictionary with a word in the text: the guard checks each, and there may be fifty thousand. */
async function termsIn(text: string, { entries }: Dictionary): Promise<string[]> {
  const pause = createPause()
  const key = keyOf(text)
  const terms: string[] = []
  for (const { type, word } of entries) {
    if (type === 'term' && word.split(/\s+/).some((part) => key.includes(keyOf(part)))) terms.push(word)
    await pause()
  }
  return terms
}

/** The rules, not the model, decide on lowercase, the final full stop and the trailing space. */
function withForm(text: string, { options, style, flags }: ModelRequest) {
  const rules = { ...style.rules, spokenPunctuation: false, numbers: 'words' as const, paragraphs: false }
  return refineText(text, {
    language: options.language,
    flags: { smartCleanup: flags.smartCleanup, selfCorrection: false, preserveTechnical: false },
    rules: { ...rules, removeFillers: false },
  })
}
