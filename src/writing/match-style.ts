// Which writing style a text gets: the one asked for, or the one that its page, application or kind of application
// calls for, or the default. Changes nothing; the styles are styles.ts.

import { type AppNames, categoryOf, keysOf } from '../text/app-categories.ts'
import { matchesUrl } from './match-url.ts'
import type { WritingStyle } from './style.ts'

export type MatchedBy = 'id' | 'url' | 'app' | 'category' | 'default'

export type StylePlace = AppNames & {
  /** comes before everything else, whether the style is enabled or not */
  writingStyleId: string | null
  appUrl: string | null
  /** null is what the application is known to be */
  category: string | null
  /** ISO 639-1 of the text; where it is not known, no style for one language matches by itself */
  language: string | null
}

export type StyleMatch = { style: WritingStyle; matchedBy: MatchedBy }

/** `styles` has exactly one default. */
export function matchStyle(styles: readonly WritingStyle[], place: StylePlace): StyleMatch {
  const askedId = place.writingStyleId?.toLowerCase()
  const asked = styles.find(({ id }) => id === askedId)
  if (asked !== undefined) return { style: asked, matchedBy: 'id' }
  const candidates = styles.filter((style) => style.enabled && fitsLanguage(style, place.language))
  for (const [matchedBy, matcherOf] of matchersFor(place)) {
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

/** For each way of matching, in the order in which they count: what of a style matches the place. */
function matchersFor(place: StylePlace): [MatchedBy, (style: WritingStyle) => string[]][] {
  const keys = new Set(keysOf(place))
  const category = (place.category ?? categoryOf(place))?.trim().toLowerCase()
  const { appUrl } = place
  return [
    ['url', ({ urlPatterns }) => urlPatterns.filter((one) => appUrl !== null && matchesUrl(one, appUrl))],
    ['app', ({ apps }) => apps.filter((app) => isOneOf(keys, app))],
    ['category', ({ appCategories }) => appCategories.filter((one) => one.trim().toLowerCase() === category)],
  ]
}

/** A style may name an application by its identifier or by its name; either may be what is known of it. */
const isOneOf = (keys: ReadonlySet<string>, app: string): boolean => {
  const [whole] = keysOf({ appId: app, appName: null })
  const [name] = keysOf({ appId: null, appName: app })
  return (whole !== undefined && keys.has(whole)) || (name !== undefined && keys.has(name))
}

const longest = (matchers: readonly string[]): number => Math.max(0, ...matchers.map(({ length }) => length))

type Ranked = { style: WritingStyle; length: number }

/** By priority; then what a person made before what is built in, the closer pattern, the older style. */
function byRank(one: Ranked, other: Ranked): number {
  const custom = ({ style }: Ranked) => (style.kind === 'custom' ? 1 : 0)
  return (
    other.style.priority - one.style.priority ||
    custom(other) - custom(one) ||
    other.length - one.length ||
    (one.style.id < other.style.id ? -1 : 1)
  )
}
