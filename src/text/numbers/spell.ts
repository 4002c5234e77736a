// Spells a whole number in words, for languages that group by thousands.

export type Scale = {
  value: number
  /** the whole phrase for a count of one: `one million`, `eine Million`, `mil` */
  one: string
  /** the word after a larger count */
  many: string
  /** the separator between the number and the word; defaults to a space */
  glue?: string
}

type Rules = {
  zero: string
  group: (value: number, countedIn: number | null) => string
  scales: Scale[]
  /** how the last part is attached to the words before it */
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

/** Rules for a count above a thousand (mil millones): the same, with each part counted. */
function within(rules: Rules, countedIn: number): Rules {
  return {
    ...rules,
    last: (words) => words,
    group: (value, inner) => rules.group(value, inner ?? countedIn),
  }
}
