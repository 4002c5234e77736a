// Chooses the writing style of a text: the requested one, or the one that matches its page, application or category of
// application, or the default.

import { type AppNames, categoryOf, keysOf } from '../text/app-categories.ts'
import { matchesUrl } from './match-url.ts'
import type { WritingStyle } from './style.ts'

export type MatchedBy = 'id' | 'url' | 'app' | 'category' | 'default'

export type StyleContext = AppNames & {
  /** takes precedence, even if the style is disabled */
  writingStyleId: string | null
  appUrl: string | null
  /** null: looked up by application */
  category: string | null
  /** ISO 639-1 of the text; if unknown, styles for a single language never match */
  language: string | null
}

export type StyleMatch = { style: WritingStyle; matchedBy: MatchedBy }

/** `styles` has exactly one default. */
export function matchStyle(styles: readonly WritingStyle[], context: StyleContext): StyleMatch {
  const requestedId = context.writingStyleId?.toLowerCase()
  const requested = styles.find(({ id }) => id === requestedId)
  if (requested !== undefined) return { style: requested, matchedBy: 'id' }
  const candidates = styles.filter((style) => style.enabled && fitsLanguage(style, context.language))
  for (const [matchedBy, matcherOf] of matchersFor(context)) {
    const [best] = candidates
      .map((style) => ({ style, length: longest(matcherOf(style)) }))
      .filter(({ length }) => length > 0)
      .sort(byRank)
    if (best !== undefined) return { style: best.style, matchedBy }
  }
  return { style: styles.find(({ isDefault }) => isDefault)!, matchedBy: 'default' }
}

const fitsLanguage = ({ language }: WritingStyle, spoken: string | null): boolean =>
  language === null || language === spoken?.toLowerCase().split('-')[0]

/** The ways of matching, in order of precedence: each returns the patterns of a style that match. */
function matchersFor(context: StyleContext): [MatchedBy, (style: WritingStyle) => string[]][] {
  const keys = new Set(keysOf(context))
  const category = (context.category ?? categoryOf(context))?.trim().toLowerCase()
  const { appUrl } = context
  return [
    ['url', ({ urlPatterns }) => urlPatterns.filter((one) => appUrl !== null && matchesUrl(one, appUrl))],
    ['app', ({ apps }) => apps.filter((app) => isOneOf(keys, app))],
    ['category', ({ appCategories }) => appCategories.filter((one) => one.trim().toLowerCase() === category)],
  ]
}

/** A style may name an application by identifier or by name, and a client may send either. */
const isOneOf = (keys: ReadonlySet<string>, app: string): boolean => {
  const [whole] = keysOf({ appId: app, appName: null })
  const [name] = keysOf({ appId: null, appName: app })
  return (whole !== undefined && keys.has(whole)) || (name !== undefined && keys.has(name))
}

const longest = (matchers: readonly string[]): number => Math.max(0, ...matchers.map(({ length }) => length))

type Ranked = { style: WritingStyle; length: number }

/** By priority, then custom before built-in, then the longer pattern, then the older style. */
function byRank(one: Ranked, other: Ranked): number {
  const custom = ({ style }: Ranked) => (style.kind === 'custom' ? 1 : 0)
  return (
    other.style.priority - one.style.priority ||
    custom(other) - custom(one) ||
    other.length - one.length ||
    (one.style.id < other.style.id ? -1 : 1)
  )
}
