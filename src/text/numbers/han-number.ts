// Converts between numbers and Chinese or Japanese numerals.

const DIGITS = '零一二三四五六七八九'
const SAME: Record<string, string> = { 〇: '零', 两: '二', 兩: '二', 萬: '万', 億: '亿' }
const SCALES: readonly (readonly [string, number])[] = [
  ['兆', 1e12],
  ['亿', 1e8],
  ['万', 1e4],
]
const SECTION =
  /^(?:([一二三四五六七八九]?)千)?(零?)(?:([一二三四五六七八九]?)百)?(零?)(?:([一二三四五六七八九]?)十)?(零?)([一二三四五六七八九]?)$/

const digitOf = (character: string) => DIGITS.indexOf(character)
const normal = (numeral: string) => Array.from(numeral, (character) => SAME[character] ?? character).join('')

/** Reads digits one by one: 二〇二六 is 2026. */
export const plainDigits = (numeral: string) => Array.from(normal(numeral), digitOf).join('')

/**
 * The value of a positional numeral, or null if the characters are not one.
 * @param options.shortened a final digit without a position counts in the next lower position: 三百五 is 350
 */
export function hanValue(numeral: string, options: { shortened: boolean }): number | null {
  const value = readHan(normal(numeral), options.shortened)
  return value !== null && value <= 1e15 ? value : null
}

function readHan(numeral: string, shortened: boolean): number | null {
  for (const [character, scale] of SCALES) {
    const at = numeral.lastIndexOf(character)
    if (at === -1) continue
    const count = readHan(numeral.slice(0, at), false)
    const tail = numeral.slice(at + 1)
    if (count === null || count === 0) return null
    if (tail === '') return count * scale
    if (shortened && tail.length === 1 && digitOf(tail) > 0)
      return count * scale + digitOf(tail) * (scale / 10)
    const rest = readHan(tail, shortened)
    return rest === null || rest === 0 || rest >= scale ? null : count * scale + rest
  }
  return sectionOf(numeral, shortened)
}

/** A number below ten thousand. */
function sectionOf(numeral: string, shortened: boolean): number | null {
  const found = SECTION.exec(numeral)
  if (!found || numeral === '' || numeral.endsWith('零')) return numeral === '零' ? 0 : null
  const [, thousands, zero1, hundreds, zero2, tens, zero3, unit] = found
  const count = (character: string | undefined) =>
    character === undefined ? 0 : character === '' ? 1 : digitOf(character)
  const base = count(thousands) * 1000 + count(hundreds) * 100 + count(tens) * 10
  const units = unit === '' ? 0 : digitOf(unit!)
  const hasZero = `${zero1}${zero2}${zero3}` !== ''
  if (!shortened || hasZero || units === 0 || tens !== undefined) return base + units
  const lower = hundreds !== undefined ? 10 : thousands !== undefined ? 100 : 1
  return base + units * lower
}

/**
 * Writes a whole number from 0 to 10^15 as a numeral.
 * @param rules.one whether 一 is written before 百 and 千 always, or only before a scale
 * @param rules.zeros whether gaps are filled with 零
 */
export function spellHan(
  value: number,
  rules: { scales: string[]; one: 'always' | 'before-scales'; zeros: boolean },
): string {
  if (value === 0) return '零'
  let result = ''
  let isGap = false
  for (let at = rules.scales.length - 1; at >= 0; at--) {
    const section = Math.floor(value / 10 ** (4 * at)) % 10_000
    if (section === 0) {
      isGap = result !== ''
      continue
    }
    if (rules.zeros && result !== '' && (isGap || section < 1000)) result += '零'
    result += spellSection(section, rules.one === 'always', result === '') + rules.scales[at]
    isGap = false
  }
  // 一万亿 counts in 亿, so a following 亿 must not repeat it.
  return result.replace(/万亿(?=.*亿)/, '万')
}

function spellSection(section: number, writesOne: boolean, isFirst: boolean): string {
  let result = ''
  let isGap = false
  for (const [position, character] of [
    [1000, '千'],
    [100, '百'],
    [10, '十'],
    [1, ''],
  ] as const) {
    const digit = Math.floor(section / position) % 10
    if (digit === 0) {
      isGap = result !== ''
      continue
    }
    if (isGap && writesOne) result += '零'
    isGap = false
    const dropsOne =
      digit === 1 && character !== '' && (writesOne ? character === '十' && result === '' && isFirst : true)
    result += (dropsOne ? '' : DIGITS[digit]) + character
  }
  return result
}
