// Writes a whole number in words, group by group; shared by the languages that count in thousands.
// The words themselves stand in the data files.

export type Scale = {
  value: number
  /** the whole phrase for one of it: `one million`, `eine Million`, `mil` */
  one: string
  /** the word after any larger number of it */
  many: string
  /** what stands between the number and the word; a space unless told */
  glue?: string
}

type Rules = {
  zero: string
  group: (value: number, countedIn: number | null) => string
  scales: Scale[]
  /** how the last part is attached to what stands before it */
  last?: (words: string, rest: number) => string
  /** after this scale the rest follows without a space */
  gluedAfter?: number
}

/** @param rules.group words for 1–999; `countedIn` is the scale that follows (veintiún mil) */
export function spellInGroups(value: number, rules: Rules): string {
  if (value === 0) return rules.zero
  const parts: string[] = []
  let rest = value
  let gluedNext = false
  const add = (words: string) => {
    if (gluedNext) parts.push(parts.pop()! + words)
    else parts.push(words)
  }
  for (const scale of rules.scales) {
    const count = Math.floor(rest / scale.value)
    if (count === 0) continue
    rest %= scale.value
    const counted =
      count >= 1000 ? spellInGroups(count, within(rules, scale.value)) : rules.group(count, scale.value)
    add(count === 1 ? scale.one : `${counted}${scale.glue ?? ' '}${scale.many}`)
    gluedNext = scale.value === rules.gluedAfter
  }
  if (rest > 0) {
    const words = rules.group(rest, null)
    add(parts.length > 0 && !gluedNext && rules.last ? rules.last(words, rest) : words)
  }
  return parts.join(' ')
}

/** A count above a thousand (mil millones) is spelled by the same rules, all of it counted. */
function within(rules: Rules, countedIn: number): Rules {
  return {
    ...rules,
    last: (words) => words,
    group: (value, inner) => rules.group(value, inner ?? countedIn),
  }
}
