// A writing style: how texts read, and for which applications and pages.

import { type Static, Type } from '@sinclair/typebox'
import { writingStyles } from '../../db/writing-schema.ts'
import { nullable, oneOf } from '../lib/schema.ts'

export const STYLE_TONES = writingStyles.tone.enumValues
export const STYLE_CAPITALS = ['sentence', 'none', 'lower'] as const
export const STYLE_TRAILING_PERIODS = ['keep', 'add', 'strip'] as const
export const STYLE_NUMBERS = ['words', 'digits'] as const

/** In characters, or in entries of a list. */
export const STYLE_LIMITS = {
  name: 100,
  description: 1000,
  instructions: 4000,
  examples: 8,
  exampleText: 2000,
  matchers: 100,
  matcher: 500,
} as const

const text = (maxLength: number, minLength = 0) => Type.String({ minLength, maxLength })
const matchers = Type.Array(text(STYLE_LIMITS.matcher, 1), { maxItems: STYLE_LIMITS.matchers })

const content = {
  name: text(STYLE_LIMITS.name, 1),
  description: text(STYLE_LIMITS.description),
  tone: oneOf(STYLE_TONES),
  instructions: text(STYLE_LIMITS.instructions),
  examples: Type.Array(
    Type.Object({ input: text(STYLE_LIMITS.exampleText, 1), output: text(STYLE_LIMITS.exampleText, 1) }),
    { maxItems: STYLE_LIMITS.examples },
  ),
  smartCleanup: nullable(Type.Boolean()),
  selfCorrection: nullable(Type.Boolean()),
  preserveTechnical: nullable(Type.Boolean()),
  useLlm: Type.Boolean(),
  rules: Type.Object({
    removeFillers: Type.Boolean(),
    capitalize: oneOf(STYLE_CAPITALS),
    trailingPeriod: oneOf(STYLE_TRAILING_PERIODS),
    trailingSpace: Type.Boolean(),
    spokenPunctuation: Type.Boolean(),
    numbers: oneOf(STYLE_NUMBERS),
    paragraphs: Type.Boolean(),
  }),
  appCategories: matchers,
  apps: matchers,
  urlPatterns: matchers,
  language: nullable(Type.String({ pattern: '^[a-z]{2,3}$' })),
  sttModel: nullable(text(100, 1)),
  llmModel: nullable(text(200, 1)),
  enabled: Type.Boolean(),
  priority: Type.Integer({ minimum: -1000, maximum: 1000 }),
}

/** The fields that a user may change. */
export const StyleContentSchema = Type.Object(content)
export type StyleContent = Static<typeof StyleContentSchema>

export const StyleSchema = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  kind: oneOf(writingStyles.kind.enumValues),
  ...content,
  /** true for exactly one style */
  isDefault: Type.Boolean(),
  usageCount: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
  lastUsedAt: nullable(Type.Date()),
  createdAt: Type.Date(),
  updatedAt: Type.Date(),
})
export type WritingStyle = Static<typeof StyleSchema>

/** The defaults of a new style. */
export const PLAIN_CONTENT: Omit<StyleContent, 'name'> = {
  description: '',
  tone: 'neutral',
  instructions: '',
  examples: [],
  smartCleanup: null,
  selfCorrection: null,
  preserveTechnical: null,
  useLlm: true,
  rules: {
    removeFillers: true,
    capitalize: 'sentence',
    trailingPeriod: 'keep',
    trailingSpace: false,
    spokenPunctuation: true,
    numbers: 'digits',
    paragraphs: false,
  },
  appCategories: [],
  apps: [],
  urlPatterns: [],
  language: null,
  sttModel: null,
  llmModel: null,
  enabled: true,
  priority: 0,
}
