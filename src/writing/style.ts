// A writing style: how texts are to read, and for which applications and pages.
// Rows and checks only; keeping them is styles.ts, choosing one is match-style.ts.

import { type Static, Type } from '@sinclair/typebox'
import type { WritingStyleRow } from '../../db/writing-schema.ts'
import { mirroredMoment } from './mirror.ts'

export const STYLE_TONES = ['neutral', 'formal', 'casual', 'very_casual', 'verbatim'] as const
export const STYLE_CAPITALS = ['sentence', 'none', 'lower'] as const
export const STYLE_TRAILING_PERIODS = ['keep', 'add', 'strip'] as const
export const STYLE_NUMBERS = ['words', 'digits'] as const

/** Characters, and entries of lists. */
export const STYLE_LIMITS = {
  name: 100,
  description: 1000,
  instructions: 4000,
  examples: 8,
  exampleText: 2000,
  matchers: 100,
  matcher: 500,
} as const

const words = <const Words extends readonly string[]>(list: Words) =>
  Type.Unsafe<Words[number]>(Type.Union(list.map((word) => Type.Literal(word))))
const text = (maxLength: number, minLength = 0) => Type.String({ minLength, maxLength })
const maybe = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()])
const matchers = Type.Array(text(STYLE_LIMITS.matcher, 1), { maxItems: STYLE_LIMITS.matchers })

const content = {
  name: text(STYLE_LIMITS.name, 1),
  description: text(STYLE_LIMITS.description),
  tone: words(STYLE_TONES),
  instructions: text(STYLE_LIMITS.instructions),
  examples: Type.Array(
    Type.Object({ input: text(STYLE_LIMITS.exampleText, 1), output: text(STYLE_LIMITS.exampleText, 1) }),
    { maxItems: STYLE_LIMITS.examples },
  ),
  smartCleanup: maybe(Type.Boolean()),
  selfCorrection: maybe(Type.Boolean()),
  preserveTechnical: maybe(Type.Boolean()),
  useLlm: Type.Boolean(),
  rules: Type.Object({
    removeFillers: Type.Boolean(),
    capitalize: words(STYLE_CAPITALS),
    trailingPeriod: words(STYLE_TRAILING_PERIODS),
    trailingSpace: Type.Boolean(),
    spokenPunctuation: Type.Boolean(),
    numbers: words(STYLE_NUMBERS),
    paragraphs: Type.Boolean(),
  }),
  appCategories: matchers,
  apps: matchers,
  urlPatterns: matchers,
  language: maybe(Type.String({ pattern: '^[a-z]{2,3}$' })),
  sttModel: maybe(text(100, 1)),
  llmModel: maybe(text(200, 1)),
  enabled: Type.Boolean(),
  priority: Type.Integer({ minimum: -1000, maximum: 1000 }),
}

const ContentSchema = Type.Object(content)

/** As it stands in the file of the data folder. */
export const MirroredStyleSchema = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  kind: words(['builtin', 'custom']),
  ...content,
  isDefault: Type.Boolean(),
  usageCount: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
  lastUsedAt: maybe(mirroredMoment()),
  createdAt: mirroredMoment(),
  updatedAt: mirroredMoment(),
})

/** What a person may change of a style. */
export type StyleContent = Static<typeof ContentSchema>

export type WritingStyle = StyleContent & {
  id: string
  kind: 'builtin' | 'custom'
  /** of exactly one style */
  isDefault: boolean
  usageCount: number
  lastUsedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** What a new style is where nothing else is said. */
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

/** Only what this program writes is ever in the table. */
export function styleOf({ foldedName: _folded, ...row }: WritingStyleRow): WritingStyle {
  return row as WritingStyle
}
