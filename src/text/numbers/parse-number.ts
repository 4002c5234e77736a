// Parses one number from a run of number words: which words belong to it, and its value.

import type { Atom, WordLanguage } from './number-language.ts'

/** One number word of a run, and the token of the text that it comes from. */
export type NumberStep = { atom: Atom; token: number }

export type ReadNumber = {
  value: number
  /** digits after the decimal point, or null */
  fraction: string | null
  ordinal: boolean
  /** a single word for 0–9 */
  isDigit: boolean
  /** hundred, thousand or million without a multiplier */
  isBare: boolean
  /** 2 million: the multiplier of the last word, if nothing follows it */
  scaled: { count: number; token: number } | null
  /** index of the step after the number */
  next: number
}

export type Reading = {
  /** the run */
  steps: NumberStep[]
  language: WordLanguage
  /** "and" separates two numbers here */
  isBetween: boolean
  /** the run continues a list: eins, zwei, drei und zwanzig */
  isListed: boolean
}

type Part = { value: number; next: number; ordinal: boolean; isBare: boolean }

/** Parses the number that begins at `at`; null if none does. A number never begins or ends within a word of the text. */
export function readNumber(reading: Reading, at: number): ReadNumber | null {
  const { steps } = reading
  const first = steps[at]!
  const whole = readWhole(reading, at)
  if (!whole) return null
  const decimals = whole.ordinal ? null : readFraction(reading, whole.next)
  const endsInWord = decimals !== null && steps[decimals.next]?.token === steps[decimals.next - 1]!.token
  const fraction = endsInWord ? null : decimals
  const next = fraction?.next ?? whole.next
  if (steps[next]?.token === steps[next - 1]!.token) return null
  return {
    value: whole.value,
    fraction: fraction?.digits ?? null,
    ordinal: whole.ordinal,
    isDigit: next === at + 1 && first.atom.kind === 'digit',
    isBare: whole.isBare && !fraction,
    scaled: fraction ? null : whole.scaled,
    next,
  }
}

/** Groups of millions and more, in descending order, and the rest below a million. */
function readWhole(reading: Reading, at: number): (Part & Pick<ReadNumber, 'scaled'>) | null {
  const groups: { count: number; token: number; isBare: boolean }[] = []
  let [total, here, limit] = [0, at, Number.POSITIVE_INFINITY]
  for (;;) {
    const viaAnd = groups.length > 0 && isKind(reading, here, 'and')
    const part = readBelowMillion(reading, viaAnd ? here + 1 : here)
    if (!part) break
    const scale = scaleAt(reading, part.next, 1e6)
    if (scale) {
      if (scale.value >= limit || part.ordinal) break
      total += part.value * scale.value
      limit = scale.value
      groups.push({ count: part.value, token: reading.steps[part.next]!.token, isBare: part.isBare })
      here = part.next + 1
      continue
    }
    if (groups.length === 0) return { ...part, scaled: null }
    if (part.value === 0 || (viaAnd && !mayFollowAnd(reading, part))) break
    return { value: total + part.value, next: part.next, ordinal: part.ordinal, isBare: false, scaled: null }
  }
  const [only] = groups
  if (!only) return null
  const isBare = groups.length === 1 && only.isBare && isKind(reading, at, 'article')
  return { value: total, next: here, ordinal: false, isBare, scaled: groups.length === 1 ? only : null }
}

/** [count] thousand [and] [rest] */
function readBelowMillion(reading: Reading, at: number): Part | null {
  const group = readGroup(reading, at) ?? oneOf(reading, at)
  if (!group || group.ordinal) return group
  const thousand = scaleAt(reading, group.next, 1e3)
  if (thousand?.value !== 1e3 || group.value === 0 || group.value >= 1000) return counts(reading, group)
  const next = group.next + 1
  const value = group.value * 1000
  const viaAnd = isKind(reading, next, 'and')
  const rest = readGroup(reading, viaAnd ? next + 1 : next)
  const takes =
    rest &&
    rest.value > 0 &&
    rest.value < 1000 &&
    !isKind(reading, rest.next, 'hundred') &&
    scaleAt(reading, rest.next, 1e3)?.value !== 1e3 &&
    (!viaAnd || mayFollowAnd(reading, rest))
  if (takes) return { value: value + rest.value, next: rest.next, ordinal: rest.ordinal, isBare: false }
  return { value, next, ordinal: false, isBare: group.next === at || isKind(reading, at, 'article') }
}

/** An implied one before a scale ("a thousand", "thousand"); does not consume the scale. */
function oneOf(reading: Reading, at: number): Part | null {
  const next = isKind(reading, at, 'article') ? at + 1 : at
  const scale = scaleAt(reading, next, 1e3)
  if (!scale || (next === at && !scale.alone)) return null
  return { value: 1, next, ordinal: false, isBare: true }
}

/** Rejects a group of `oneOf` that no scale follows. */
function counts(reading: Reading, group: Part): Part | null {
  const readsNothing = group.isBare && group.value === 1
  return readsNothing && !scaleAt(reading, group.next, 1e6) ? null : group
}

/** [count] hundred [and] [rest], or a number below a hundred */
function readGroup(reading: Reading, at: number): Part | null {
  const hundreds = readHundreds(reading, at)
  if (!hundreds) return readBelowHundred(reading, at)
  if (hundreds.ordinal) return hundreds
  const viaAnd = isKind(reading, hundreds.next, 'and')
  const rest = readBelowHundred(reading, viaAnd ? hundreds.next + 1 : hundreds.next)
  const takes =
    rest &&
    rest.value > 0 &&
    !isKind(reading, rest.next, 'hundred') &&
    (!viaAnd || mayFollowAnd(reading, rest))
  if (!takes) return hundreds
  return { value: hundreds.value + rest.value, next: rest.next, ordinal: rest.ordinal, isBare: false }
}

function readHundreds(reading: Reading, at: number): Part | null {
  const atom = reading.steps[at]?.atom
  const ordinal = atom?.ordinal === true
  if (atom?.kind === 'hundreds') return { value: atom.value, next: at + 1, ordinal, isBare: false }
  if (atom?.kind === 'hundred' && atom.alone) return { value: 100, next: at + 1, ordinal, isBare: true }
  if (atom?.kind === 'article' && isKind(reading, at + 1, 'hundred')) {
    return { value: 100, next: at + 2, ordinal: false, isBare: true }
  }
  const count = readBelowHundred(reading, at)
  if (!count || count.ordinal || !isKind(reading, count.next, 'hundred')) return null
  if (count.value === 0 || (count.value > 9 && count.value % 10 === 0)) return null
  return { value: count.value * 100, next: count.next + 1, ordinal: false, isBare: false }
}

function readBelowHundred(reading: Reading, at: number): Part | null {
  const { steps, language } = reading
  const step = steps[at]
  if (!step) return null
  const { atom } = step
  const alone = (value: number): Part => ({
    value,
    next: at + 1,
    ordinal: atom.ordinal === true,
    isBare: false,
  })
  if (atom.kind === 'digit') {
    return atom.ordinal
      ? alone(atom.value)
      : (readUnitsFirst(reading, at) ?? readFourTwenties(reading, at) ?? alone(atom.value))
  }
  if (atom.kind === 'exact' || (atom.kind === 'tens' && atom.ordinal)) return alone(atom.value)
  if (atom.kind !== 'tens') return null
  return language.order === 'units-first' ? alone(atom.value) : withUnits(reading, at + 1, atom)
}

/** Tens and the units after them; `at` is the index of the first unit. */
function withUnits(reading: Reading, at: number, tens: { value: number; from: number; to: number }): Part {
  const viaAnd = isKind(reading, at, 'and')
  const next = viaAnd ? at + 1 : at
  const atom = reading.steps[next]?.atom
  // Checked before parsing: otherwise "twenty twenty twenty …" would be parsed to its end at every step.
  const mayFit = atom?.kind !== 'tens' || atom.value <= tens.to
  const rest = mayFit ? readBelowHundred(reading, next) : null
  const fits = rest && rest.value >= tens.from && rest.value <= tens.to
  if (!fits || (viaAnd && !reading.language.tensAnd(rest.value))) {
    return { value: tens.value, next: at, ordinal: false, isBare: false }
  }
  return { value: tens.value + rest.value, next: rest.next, ordinal: rest.ordinal, isBare: false }
}

/** fünfundzwanzig; also as three words, unless they may be two numbers */
function readUnitsFirst({ steps, language, isBetween, isListed }: Reading, at: number): Part | null {
  const [unit, and, tens] = [steps[at]!, steps[at + 1], steps[at + 2]]
  if (language.order !== 'units-first' || unit.atom.kind !== 'digit' || unit.atom.value === 0) return null
  if (and?.atom.kind !== 'and' || tens?.atom.kind !== 'tens') return null
  const isOneWord = and.token === unit.token && tens.token === unit.token
  const isApart = and.token === unit.token + 1 && tens.token === unit.token + 2
  const isOneNumber = isOneWord || (isApart && !unit.atom.whole && !isBetween && !isListed)
  if (!isOneNumber) return null
  const value = unit.atom.value + tens.atom.value
  return { value, next: at + 3, ordinal: tens.atom.ordinal === true, isBare: false }
}

function readFourTwenties(reading: Reading, at: number): Part | null {
  const [four, twenty] = [reading.steps[at]!.atom, reading.steps[at + 1]?.atom]
  if (!reading.language.fourTwenties || four.kind !== 'digit' || four.value !== 4) return null
  if (twenty?.kind !== 'tens' || twenty.value !== 20) return null
  return withUnits(reading, at + 2, { value: 80, from: 1, to: 19 })
}

/** The words after the decimal point. If the separator is a point, there may be several: version 3.1.4. */
function readFraction(reading: Reading, at: number): { digits: string; next: number } | null {
  const first = readDecimals(reading, at)
  if (!first || reading.language.decimalSeparator !== '.') return first
  let [digits, here] = [first.digits, first.next]
  for (let more = readDecimals(reading, here); more; more = readDecimals(reading, here)) {
    digits += `.${more.digits}`
    here = more.next
  }
  return { digits, next: here }
}

/** Single digits; at most one larger number, at the end. */
function readDecimals(reading: Reading, at: number): { digits: string; next: number } | null {
  if (!isKind(reading, at, 'point')) return null
  let [digits, here] = ['', at + 1]
  for (;;) {
    const part = readBelowHundred(reading, here)
    if (!part || part.ordinal) break
    digits += part.value
    here = part.next
    if (part.value >= 10) break
  }
  return digits === '' ? null : { digits, next: here }
}

/** A part after "and" must end the number or be followed by a scale; otherwise "and" separates two numbers. */
function mayFollowAnd(reading: Reading, part: Part): boolean {
  const { language, isBetween, steps } = reading
  if (isBetween || (part.isBare && !language.hundredsAfterAnd)) return false
  const isRound = part.value % (language.hundredsAfterAnd ? 100 : 1000) === 0
  if (part.value >= 100 && !isRound) return false
  const next = steps[part.next]?.atom.kind
  return next === undefined || next === 'and' || next === 'point' || next === 'scale'
}

const isKind = ({ steps }: Reading, at: number, kind: Atom['kind']) => steps[at]?.atom.kind === kind

function scaleAt({ steps }: Reading, at: number, atLeast: number) {
  const atom = steps[at]?.atom
  return atom?.kind === 'scale' && atom.value >= atLeast && !atom.ordinal ? atom : undefined
}
