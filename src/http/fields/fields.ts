import { Type } from '@sinclair/typebox'
import { knowsLanguage, needsOf } from '../../dictation/choose-model.ts'
import type { Task } from '../../engine/engine.ts'
import { WHISPER_LANGUAGES } from '../../engine/languages.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { oneOf } from '../../lib/schema.ts'
import { DAY_MS, startOfDay, type TimeZone, timeZone } from '../../lib/time-zone.ts'
import type { ModelStore, UsableModel } from '../../models/store.ts'
import {
  baseLanguage,
  LANGUAGE_VARIANTS,
  nearestLanguage,
  readLanguage,
  readLanguageVariant,
} from '../../text/language-names.ts'
import type { WritingStyles } from '../../writing/styles.ts'
import type { FormStage } from '../kernel/form.ts'
import { faultOf } from '../kernel/input.ts'
import { type Fault, type Problem, problemOf } from '../kernel/problem.ts'
import { type Aliases, dateTime, strictObject, text, withAliases } from '../kernel/schema.ts'

const CLIPBOARD_DESCRIPTION =
  'the text that replaces `{{clipboard}}` in a snippet; used once and not stored. Without it the placeholder is removed, with a warning in `warnings`'

export const clipboardField = text({ maxLength: 50_000, description: CLIPBOARD_DESCRIPTION })

/** Shorter, because the length of a URL is limited. */
export const clipboardInQuery = text({
  maxLength: 2000,
  description: `${CLIPBOARD_DESCRIPTION}; a longer one needs a form`,
})

const AUTO = 'auto'

const aliases: Aliases = { read: readLanguage, near: nearestLanguage }

const aliasesWithVariants: Aliases = {
  read: (text) => (text.trim().toLowerCase() === AUTO ? AUTO : readLanguageVariant(text)),
  near: nearestLanguage,
}

const WRITTEN =
  'the ISO 639-1 code if it has one; also accepts `EN`, `en-US`, `deu`, and its English or native name'

/** A language that Whisper was trained on, in any accepted spelling; the value is Whisper's code. */
export const language = (description = 'a language') =>
  withAliases(oneOf(WHISPER_LANGUAGES, { description: `${description}: ${WRITTEN}` }), aliases)

const VARIANTS =
  '`zh-CN`, `zh-SG` and `zh-Hans` produce simplified characters, `zh-TW`, `zh-HK` and `zh-Hant` traditional ones; other regions with a different spelling are treated as their language, with a warning'

/** A language, `auto`, or a variant with its own script. */
export const languageOrAuto = (description: string) =>
  withAliases(
    oneOf([AUTO, ...WHISPER_LANGUAGES, ...LANGUAGE_VARIANTS], {
      description: `${description}: ${WRITTEN}; ${VARIANTS}`,
    }),
    aliasesWithVariants,
  )

export const languageField = languageOrAuto('the spoken language; `auto` detects it')

/** Without the field the setting applies. Null means automatic detection. */
export const languageOrDefault = (
  field: string | undefined,
  settings: { language: string | null },
): string | null => (field === undefined ? settings.language : parseLanguage(field))

/** Null means automatic detection, as in the engine. */
export const parseLanguage = (field: string | undefined): string | null =>
  field === undefined || field === AUTO ? null : field

/** For an existing text, whose script is already decided: the language without its variant. */
export function parseBaseLanguage(field: string | undefined): string | null {
  const language = parseLanguage(field)
  return language && baseLanguage(language)
}

export type FindsModels = Pick<ModelStore, 'resolve'>

export type ModelFields = {
  model: string | null
  /** ISO 639-1; null means automatic detection */
  language: string | null
  task: Task
}

export const modelField = text({
  description:
    'such as `base`, `whisper-base`, `base.en` or `base.en-q5_1`; by default the model in the settings, else the best installed one',
  minLength: 1,
  maxLength: 100,
})

/** Where the fields are in the request. `model` is a JSON Pointer, because the field has two names. */
export type ModelFieldsAt = {
  in: Fault['in']
  model: string
  /** the field to report, if the address of the route and not a field determines the task */
  task?: string
}

/** Returns the model if it is installed and supports language and task; a 422 names the wrong field. */
export async function findModel(
  models: FindsModels,
  { model: name, language, task }: ModelFields,
  at: ModelFieldsAt,
): Promise<Result<UsableModel, Problem>> {
  const wrong = (problem: Problem, path: string, message: string): Result<never, Problem> =>
    fail({ ...problem, errors: [{ in: at.in, path, message }] })
  const model = await models.resolve(name, needsOf(language, task))
  if (!model.ok) {
    const problem = problemOf(model.failure)
    return problem.code === 'unknown_model' ? wrong(problem, at.model, NO_MODEL) : fail(problem)
  }
  const { name: found, multilingual } = model.value
  const only = `The model ${found} knows only English`
  const instead = 'use a multilingual model (GET /models/status lists them)'
  if (language !== null && !knowsLanguage(model.value, language)) {
    const detail = multilingual
      ? `The model ${found} does not know Cantonese ("yue"); large-v3 and large-v3-turbo do.`
      : `${only}; for "${language}" ${instead}.`
    return wrong(
      { code: 'unsupported_language', detail },
      '/language',
      `is not supported by the model ${found}`,
    )
  }
  if (!multilingual && task === 'translate') {
    const problem = { code: 'unsupported_task', detail: `${only} and cannot translate; ${instead}.` } as const
    return at.task === undefined
      ? wrong(problem, '/task', `is not supported by the model ${found}`)
      : wrong(problem, at.task, 'must be one that can translate')
  }
  return model
}

/** Null if the fields are valid. */
export async function checkModelFields(...requested: Parameters<typeof findModel>): Promise<Problem | null> {
  const model = await findModel(...requested)
  return model.ok ? null : model.failure
}

export const NO_MODEL = 'names no model; GET /models/status lists them'

type ModelInForm = {
  model: string | undefined
  language: string | null
  task?: Task | undefined
  /** for routes that accept foreign model names: maps a name to ours; null is the preferred model */
  meant?: (name: string | undefined) => Promise<string | null>
}

/**
 * checkModelFields for a form that is still arriving. The model may follow the file, so the default model is not assumed
 * before the form has ended, nor in place of a model that the schema rejects.
 */
export async function checkModelInForm(
  models: FindsModels,
  { model, language, task = 'transcribe', meant = async (name) => name ?? null }: ModelInForm,
  { whole, faulty, at }: FormStage & { at: ModelFieldsAt },
): Promise<Problem | null> {
  if (model === undefined && (!whole || faulty.has(at.model.slice(1)))) return null
  return checkModelFields(models, { model: await meant(model), language, task }, at)
}

/** For a model for later use, such as in a setting: it must exist, but need not be installed. */
export async function modelFault(
  models: FindsModels,
  name: string | null | undefined,
): Promise<Problem | null> {
  const found = name ? await models.resolve(name) : null
  if (found === null || found.ok || found.failure.code !== 'unknown_model') return null
  return faultOf({ in: 'body', path: '/stt_model', message: NO_MODEL })
}

/** Longer than Whisper accepts: clients send all they have, and only the end is used. */
const MAX_CHARACTERS = 100_000

const PROMPT_DESCRIPTION =
  'names and words that are likely to be spoken; if it is too long, only the end is used, with a warning'

export const promptField = text({ description: PROMPT_DESCRIPTION, maxLength: MAX_CHARACTERS })

/** Shorter, because the length of a URL is limited. */
export const promptInQuery = text({
  description: `${PROMPT_DESCRIPTION}; a longer one needs a form`,
  maxLength: 2000,
})

export const keywordsField = (description: string) =>
  Type.Array(text({ minLength: 1, maxLength: 200 }), { description, maxItems: 500 })

const PATH = '/writing_style_id'

/** Null if the field is absent, or is the id of a writing style. */
export const styleFault = (
  styles: Pick<WritingStyles, 'get'>,
  id: unknown,
  place: Fault['in'],
  path = PATH,
): Problem | null =>
  typeof id !== 'string' || styles.get(id) !== null
    ? null
    : faultOf({ in: place, path, message: 'is not the ID of a writing style' })

const MAX_SECONDS = 600

export const waitQuery = strictObject({
  wait: Type.Optional(
    Type.Union([Type.Boolean(), Type.Integer({ minimum: 0, maximum: MAX_SECONDS })], {
      description:
        '`true` waits until the job is done, a number waits at most that many seconds and then returns 202. `false` does not wait and always returns 202',
    }),
  ),
})

/** Long enough for any recording; a disconnect of the client ends the wait. */
const UNTIL_DONE_MS = 24 * 3600 * 1000

/** `Prefer: respond-async` (RFC 7240) means the same as `wait=false`; an explicit `wait` overrides it. */
export function timeoutMsOf(
  request: Request,
  wait: boolean | number | undefined,
  defaultMs = UNTIL_DONE_MS,
): number {
  if (typeof wait === 'number') return wait * 1000
  if (wait !== undefined) return wait ? UNTIL_DONE_MS : 0
  return prefersAsync(request) ? 0 : defaultMs
}

export const prefersAsync = (request: Request): boolean =>
  /(?:^|[,\s])respond-async(?:[,;\s]|$)/i.test(request.headers.get('prefer') ?? '')

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i
export const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/** Error messages; they follow the name of the field. */
export const NO_MOMENT = 'must be a day and time that exist, such as 2026-01-31T12:00:00Z'
const NO_DAY_OR_MOMENT =
  'must be a day that exists, such as 2026-01-31, or a day and time, such as 2026-01-31T12:00:00Z'

/** Null if the text is invalid, or outside the years 1 to 9999 that the database supports. */
export function parseMoment(text: string): Date | null {
  const [year, month, day] = (RFC_3339.exec(text) ?? []).slice(1).map(Number)
  if (!year || !month || !day || !isDay(year, month, day)) return null
  return withinYears(new Date(text))
}

/** A plain day means its start in the time zone. Null as in `parseMoment`. */
export function dayOrMomentOf(text: string, zone: TimeZone): Date | null {
  const [year, month, day] = (DAY.exec(text) ?? []).slice(1).map(Number)
  if (year === undefined) return parseMoment(text)
  if (!year || !month || !day || !isDay(year, month, day)) return null
  const inUtc = Date.parse(`${text}T00:00:00Z`)
  // Time zones did not exist then, and Date reads two-digit years as years of the 20th century.
  if (year < 1000) return new Date(inUtc)
  return withinYears(new Date(startOfDay(zone, inUtc / DAY_MS)))
}

/** The offset may lead out of the four-digit years. The year of an invalid date is NaN, so it is rejected. */
function withinYears(moment: Date): Date | null {
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999 ? moment : null
}

/** Date itself overflows: it reads 30 February as 2 March. */
const isDay = (year: number, month: number, day: number): boolean =>
  month <= 12 && new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day

const dayOrMoment = (description: string, zone: string) =>
  Type.Union([dateTime(), Type.String({ format: 'date', pattern: DAY.source })], {
    description: `${description}; a plain day such as 2026-01-31 means its start in ${zone}`,
  })

/** For query parameters and JSON bodies. */
export const spanFields = {
  since: Type.Optional(dayOrMoment('recorded at this time or later', '`tz`')),
  until: Type.Optional(dayOrMoment('recorded before this time', '`tz`')),
  tz: Type.Optional(
    text({
      description: "IANA time zone, such as `Europe/Berlin`; this computer's by default",
      minLength: 1,
      maxLength: 100,
    }),
  ),
}

export type SpanFields = { [name in 'since' | 'until' | 'tz']?: string | undefined }
export type ParsedSpan = { zone: TimeZone; since: Date | undefined; until: Date | undefined }

const NO_ZONE = 'must be a time zone of the IANA database, such as Europe/Berlin'

/** Failures are errors that the schema cannot find: days, times and time zones that do not exist. */
export function readSpan(
  { since, until, tz }: SpanFields,
  { in: place, path }: Pick<Fault, 'in' | 'path'>,
): Result<ParsedSpan, Fault[]> {
  const zone = timeZone(tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  const faults: Fault[] = []
  const wrong = (name: string, message: string) =>
    void faults.push({ in: place, path: `${path}/${name}`, message })
  if (zone === null) wrong('tz', NO_ZONE)
  const timeOf = (name: string, given: string | undefined): Date | undefined => {
    if (given === undefined) return undefined
    // Whether a day exists does not depend on the time zone.
    const time = dayOrMomentOf(given, zone ?? timeZone('UTC')!)
    if (time === null) wrong(name, NO_DAY_OR_MOMENT)
    return time ?? undefined
  }
  const span = { since: timeOf('since', since), until: timeOf('until', until) }
  return zone === null || faults.length > 0 ? fail(faults) : succeed({ zone, ...span })
}

/** The oldest audio recording that can be played is from this year. */
const EARLIEST = Date.UTC(1860, 0, 1)
/** Clocks differ, and in another time zone a plain day may already have started. */
const AHEAD_MS = DAY_MS

export const recordedAtField = dayOrMoment(
  'when the recording was made, from 1860 until now; lists, filters, statistics and retention use this time; by default when it is received',
  "this computer's time zone",
)

/** For a text that `recordedAtFault` has accepted. */
export const recordedAtOf = (text: string): Date => readMoment(text)!

/** Null if the field is absent or valid. */
export function recordedAtFault(text: unknown, place: Fault['in']): Problem | null {
  if (typeof text !== 'string') return null
  const message = whatIsWrong(readMoment(text))
  return message === null ? null : faultOf({ in: place, path: '/recorded_at', message })
}

function whatIsWrong(time: Date | null): string | null {
  if (time === null) return NO_DAY_OR_MOMENT
  if (time.getTime() > Date.now() + AHEAD_MS) return 'must not be in the future'
  return time.getTime() < EARLIEST ? 'must be 1860 or later, because there are no earlier recordings' : null
}

const readMoment = (text: string): Date | null =>
  dayOrMomentOf(text, timeZone(Intl.DateTimeFormat().resolvedOptions().timeZone) ?? timeZone('UTC')!)

export const ticketInQuery = Type.Optional(
  text({
    description: 'a ticket of POST /session, if a token is required and the client cannot send a header',
    maxLength: 100,
  }),
)
