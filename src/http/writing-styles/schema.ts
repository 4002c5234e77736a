import { type Static, type TProperties, Type } from '@sinclair/typebox'
import { nullable, oneOf, uuid } from '../../lib/schema.ts'
import { wireMapper, wireReader } from '../../lib/schema-mapping.ts'
import { isUrlPattern } from '../../writing/match-style.ts'
import {
  PLAIN_CONTENT,
  STYLE_CAPITALS,
  STYLE_LIMITS,
  STYLE_NUMBERS,
  STYLE_TONES,
  STYLE_TRAILING_PERIODS,
  type StyleContent,
  StyleContentSchema,
  StyleSchema,
  type WritingStyle,
} from '../../writing/style.ts'
import type { WritingStyles } from '../../writing/styles.ts'
import { type FindsModels, language, modelFault } from '../fields/fields.ts'
import { faultOf } from '../kernel/input.ts'
import { changedReadOnly, readOnly } from '../kernel/json-body.ts'
import { failureResponse, type Problem, problemOf } from '../kernel/problem.ts'
import { type Contract, jsonContent } from '../kernel/route.ts'
import { dateTime, flag, strictObject, text, wholeNumber } from '../kernel/schema.ts'

/** At least one non-space character. */
const VISIBLE = '\\S'

const ExampleSchema = strictObject(
  {
    input: text({ minLength: 1, maxLength: STYLE_LIMITS.exampleText, description: 'the text as spoken' }),
    output: text({
      minLength: 1,
      maxLength: STYLE_LIMITS.exampleText,
      description: 'the text as it should be written',
    }),
  },
  { $id: 'WritingStyleExample' },
)

const rules = {
  remove_fillers: flag({ description: 'removes hesitations and filler words' }),
  capitalize: oneOf(STYLE_CAPITALS, {
    description: '`sentence`: at the start of sentences; `none`: as recognised; `lower`: all lowercase',
  }),
  trailing_period: oneOf(STYLE_TRAILING_PERIODS, { description: 'full stop at the end of the text' }),
  trailing_space: flag({ description: 'adds a space at the end, for continued dictation' }),
  spoken_punctuation: flag({ description: 'replaces spoken "comma" and "new line" with what they name' }),
  numbers: oneOf(STYLE_NUMBERS, {
    description: '`digits` writes number words as digits; `words` leaves them unchanged',
  }),
  paragraphs: flag({ description: 'divides long texts into paragraphs' }),
}

const matchers = (description: string) =>
  Type.Array(text({ minLength: 1, maxLength: STYLE_LIMITS.matcher, pattern: VISIBLE }), {
    maxItems: STYLE_LIMITS.matchers,
    description,
  })

const content = {
  name: text({
    minLength: 1,
    maxLength: STYLE_LIMITS.name,
    pattern: VISIBLE,
    description: 'unique, ignoring case and accents',
  }),
  description: text({ maxLength: STYLE_LIMITS.description }),
  tone: oneOf(STYLE_TONES, { description: 'tone for the language model; `verbatim` changes nothing at all' }),
  instructions: text({
    maxLength: STYLE_LIMITS.instructions,
    description: 'instructions for the language model',
  }),
  examples: Type.Array(ExampleSchema, {
    maxItems: STYLE_LIMITS.examples,
    description: 'examples for the language model',
  }),
  smart_cleanup: nullable(Type.Boolean(), { description: 'null: as in the settings' }),
  self_correction: nullable(Type.Boolean(), { description: 'null: as in the settings' }),
  preserve_technical: nullable(Type.Boolean(), { description: 'null: as in the settings' }),
  use_llm: flag({ description: 'uses the language model, if one is configured' }),
  app_categories: matchers('kinds of applications, such as email, chat, code, terminal, notes, document'),
  apps: matchers('names or identifiers of applications, in any case'),
  url_patterns: matchers(
    'web pages: `example.com`; `*.example.com` includes subdomains; `example.com/wiki` matches URLs that begin with it; `*` matches any characters',
  ),
  language: nullable(language(), { description: 'matches only texts in this language' }),
  stt_model: nullable(text({ minLength: 1, maxLength: 100 }), {
    description: 'the speech model for this style',
  }),
  llm_model: nullable(text({ minLength: 1, maxLength: 200 }), { description: 'null: as in the settings' }),
  enabled: flag({ description: 'a disabled style is used only if a request names its id' }),
  priority: wholeNumber({
    minimum: -1000,
    maximum: 1000,
    description: 'if several styles match, the highest wins',
  }),
}

const readOnlyFields = {
  id: uuid(),
  kind: oneOf(['builtin', 'custom']),
  is_default: Type.Boolean({ description: 'true for exactly one style' }),
  usage_count: Type.Integer({ minimum: 0 }),
  last_used_at: nullable(dateTime()),
  created_at: dateTime(),
  updated_at: dateTime(),
}

export const WritingStyleSchema = strictObject(
  { ...readOnlyFields, ...content, rules: strictObject(rules, { $id: 'WritingStyleRules' }) },
  { $id: 'WritingStyle' },
)

const optional = <P extends TProperties>(properties: P) => Type.Partial(Type.Object(properties)).properties

const changeable = { ...optional(content), rules: Type.Optional(strictObject(optional(rules))) }

export const NewWritingStyleSchema = strictObject(
  { ...changeable, name: content.name },
  { $id: 'NewWritingStyle', description: 'Omitted fields get the values of a plain style.' },
)

export const WritingStyleReplacementSchema = strictObject(
  { ...changeable, name: content.name, ...readOnly(readOnlyFields) },
  { $id: 'WritingStyleReplacement', description: 'Omitted fields get the values of a plain style.' },
)

export const WritingStylePatchSchema = strictObject(
  { ...changeable, ...readOnly(readOnlyFields) },
  { $id: 'WritingStylePatch', minProperties: 1 },
)

/** The fields that affect the text, as opposed to the style's name and where it applies. */
const written = Type.Pick(Type.Object(changeable), [
  'tone',
  'instructions',
  'examples',
  'smart_cleanup',
  'self_correction',
  'preserve_technical',
  'use_llm',
  'rules',
  'language',
  'llm_model',
])

export const WritingStyleDraftSchema = strictObject(written.properties, {
  $id: 'WritingStyleDraft',
  description: 'Omitted fields are taken from the style.',
})

export type StyleBody = Partial<Static<typeof NewWritingStyleSchema>>

export const wireStyle = wireMapper(StyleSchema.properties)

const { rules: styleRules, ...besidesRules } = StyleContentSchema.properties
const sentOf = wireReader(besidesRules)
const rulesOf = wireReader(styleRules.properties)

/** Contains only the fields that were sent; missing rules are filled in from the current ones. */
export function styleContent(body: StyleBody, rulesNow: StyleContent['rules']): Partial<StyleContent> {
  const { name, rules, ...sent } = body
  return {
    ...sentOf(sent),
    ...(name !== undefined && { name: name.trim() }),
    ...(rules !== undefined && { rules: { ...rulesNow, ...rulesOf(rules) } }),
  }
}

/** Checks the fields that passed the schema for what no schema can express. `current` is the style to change. */
async function checkStyle(
  { models, styles }: StyleLookUp,
  body: StyleBody,
  current: WritingStyle | null,
): Promise<(Problem | null)[]> {
  const { url_patterns: patterns = [], stt_model: model, name, enabled } = body
  const taken = name === undefined ? null : styles.nameConflict(name, current?.id ?? null)
  return [
    ...patterns.map((pattern, at) =>
      isUrlPattern(pattern) ? null : faultOf({ in: 'body', path: `/url_patterns/${at}`, message: NO_HOST }),
    ),
    ...(current === null ? [] : changedReadOnly(body, wireStyle(current), FIXED).map(faultOf)),
    await modelFault(models, model),
    taken && { ...problemOf(taken), errors: [{ in: 'body', path: '/name', message: NAME_TAKEN }] },
    current?.isDefault && enabled === false
      ? {
          code: 'style_is_default',
          detail: '',
          errors: [{ in: 'body', path: '/enabled', message: STAYS_ON }],
        }
      : null,
  ]
}

type StyleLookUp = { models: FindsModels; styles: Pick<WritingStyles, 'nameConflict'> }

const FIXED = ['id', 'kind', 'is_default', 'created_at'] as const
const NAME_TAKEN = 'is the name of another writing style'
const STAYS_ON = 'cannot be false for the default style'
const NO_HOST = 'must begin with a host, such as example.com/wiki or *.example.com'

/** Example in the OpenAPI document. */
export const styleExample = wireStyle({
  ...PLAIN_CONTENT,
  id: '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
  name: 'Minutes',
  kind: 'custom',
  description: 'Minutes of meetings',
  tone: 'formal',
  instructions: 'Write in the past tense.',
  apps: ['Zoom'],
  urlPatterns: ['*.example.com/minutes'],
  isDefault: false,
  usageCount: 3,
  lastUsedAt: new Date('2026-01-31T12:00:00Z'),
  createdAt: new Date('2026-01-30T12:00:00Z'),
  updatedAt: new Date('2026-01-30T12:00:00Z'),
})

export const styleParams = strictObject({ id: uuid({ description: 'ID of the writing style' }) })

export const styleNotFound = (id: string): Problem => ({
  code: 'writing_style_not_found',
  detail: `There is no writing style ${id}.`,
})

export const oneStyle = jsonContent(WritingStyleSchema, styleExample)

/** Problems that every change has in common. */
export const CHANGE_PROBLEMS = ['writing_style_not_found', 'disk_full', 'database_unavailable'] as const

type Changed = Awaited<ReturnType<WritingStyles['change']>>

export const changedResponse = (changed: Changed): Response =>
  changed.ok ? Response.json(wireStyle(changed.value)) : failureResponse(changed.failure)

export type StyleRouteDeps = { styles: WritingStyles; models: FindsModels }

export const resolveStyle =
  (deps: StyleRouteDeps): NonNullable<Contract['resolve']> =>
  ({ path, body }) =>
    checkStyle(deps, body as StyleBody, typeof path.id === 'string' ? deps.styles.get(path.id) : null)
