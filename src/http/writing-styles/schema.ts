// A writing style as the wire shows it, and what may be sent of one.
// What the operations on one style share is style.ts.

import { type Static, type TProperties, Type } from '@sinclair/typebox'
import { nullable, oneOf, uuid } from '../../lib/schema.ts'
import { wireMapper, wireReader } from '../../lib/schema-mapping.ts'
import { isUrlPattern } from '../../writing/match-url.ts'
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
import { problemOf } from '../contract/failure.ts'
import { faultOf } from '../contract/join-problems.ts'
import type { Problem } from '../contract/problem.ts'
import { changedReadOnly, readOnly } from '../contract/read-only.ts'
import { dateTime, flag, strictObject, text, wholeNumber } from '../contract/schema.ts'
import { language } from '../fields/language.ts'
import { type FindsModels, modelFault } from '../fields/model.ts'

/** At least one character that is no space. */
const VISIBLE = '\\S'

const ExampleSchema = strictObject(
  {
    input: text({ minLength: 1, maxLength: STYLE_LIMITS.exampleText, description: 'as it is spoken' }),
    output: text({
      minLength: 1,
      maxLength: STYLE_LIMITS.exampleText,
      description: 'as it is to be written',
    }),
  },
  { $id: 'WritingStyleExample' },
)

const rules = {
  remove_fillers: flag({ description: 'hesitations and filler words' }),
  capitalize: oneOf(STYLE_CAPITALS, {
    description: '`sentence` at starts of sentences, `none` as recognised, `lower` none at all',
  }),
  trailing_period: oneOf(STYLE_TRAILING_PERIODS, { description: 'the full stop at the very end' }),
  trailing_space: flag({ description: 'one at the very end, to go on dictating' }),
  spoken_punctuation: flag({ description: 'write "comma" and "new line" as what they name' }),
  numbers: oneOf(STYLE_NUMBERS, { description: '`digits` for spelled numbers; `words` leaves them' }),
  paragraphs: flag({ description: 'divide long texts' }),
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
    description: 'unlike all others, whatever case and accents',
  }),
  description: text({ maxLength: STYLE_LIMITS.description }),
  tone: oneOf(STYLE_TONES, { description: 'told to the language model; `verbatim` changes nothing at all' }),
  instructions: text({ maxLength: STYLE_LIMITS.instructions, description: 'for the language model' }),
  examples: Type.Array(ExampleSchema, {
    maxItems: STYLE_LIMITS.examples,
    description: 'for the language model',
  }),
  smart_cleanup: nullable(Type.Boolean(), { description: 'null: as the settings say' }),
  self_correction: nullable(Type.Boolean(), { description: 'null: as the settings say' }),
  preserve_technical: nullable(Type.Boolean(), { description: 'null: as the settings say' }),
  use_llm: flag({ description: 'ask the language model, if one is configured' }),
  app_categories: matchers('kinds of applications, such as email, chat, code, terminal, notes, document'),
  apps: matchers('names or identifiers of applications, in any case'),
  url_patterns: matchers(
    'pages: `example.com`, `*.example.com` for all below it too, `example.com/wiki` for what begins so; `*` stands for any characters',
  ),
  language: nullable(language(), { description: 'matches texts of this language alone' }),
  stt_model: nullable(text({ minLength: 1, maxLength: 100 }), { description: 'the recogniser for it' }),
  llm_model: nullable(text({ minLength: 1, maxLength: 200 }), { description: 'null: as the settings say' }),
  enabled: flag({ description: 'a disabled style is used only where it is asked for by id' }),
  priority: wholeNumber({ minimum: -1000, maximum: 1000, description: 'of several that match the highest' }),
}

const told = {
  id: uuid(),
  kind: oneOf(['builtin', 'custom']),
  is_default: Type.Boolean({ description: 'of exactly one style' }),
  usage_count: Type.Integer({ minimum: 0 }),
  last_used_at: nullable(dateTime()),
  created_at: dateTime(),
  updated_at: dateTime(),
}

export const WritingStyleSchema = strictObject(
  { ...told, ...content, rules: strictObject(rules, { $id: 'WritingStyleRules' }) },
  { $id: 'WritingStyle' },
)

const optional = <P extends TProperties>(properties: P) => Type.Partial(Type.Object(properties)).properties

const changeable = { ...optional(content), rules: Type.Optional(strictObject(optional(rules))) }

export const NewWritingStyleSchema = strictObject(
  { ...changeable, name: content.name },
  { $id: 'NewWritingStyle', description: 'What is left out is as in a plain style.' },
)

export const WritingStyleReplacementSchema = strictObject(
  { ...changeable, name: content.name, ...readOnly(told) },
  { $id: 'WritingStyleReplacement', description: 'What is left out is as in a plain style.' },
)

export const WritingStylePatchSchema = strictObject(
  { ...changeable, ...readOnly(told) },
  { $id: 'WritingStylePatch', minProperties: 1 },
)

/** What bears on a text; where a style is taken, and by what name, does not. */
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
  description: 'What is left out is as the style says.',
})

export type StyleBody = Partial<Static<typeof NewWritingStyleSchema>>

export const wireStyle = wireMapper(StyleSchema.properties)

const { rules: styleRules, ...besidesRules } = StyleContentSchema.properties
const sentOf = wireReader(besidesRules)
const rulesOf = wireReader(styleRules.properties)

/** Only what was sent; rules are completed from those that hold now. */
export function styleContent(body: StyleBody, rulesNow: StyleContent['rules']): Partial<StyleContent> {
  const { name, rules, ...sent } = body
  return {
    ...sentOf(sent),
    ...(name !== undefined && { name: name.trim() }),
    ...(rules !== undefined && { rules: { ...rulesNow, ...rulesOf(rules) } }),
  }
}

/** What a schema cannot say of the parts that it finds nothing wrong with; `current` is the style that is to change. */
export async function wrongInStyle(
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

/** For the document. */
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
