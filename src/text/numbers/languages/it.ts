import { type Atom, afterNumber, atoms, NUMBER_DEFAULTS, type WordLanguage } from '../number-language.ts'

const BELOW_TWENTY =
  'zero,uno,due,tre,quattro,cinque,sei,sette,otto,nove,dieci,undici,dodici,tredici,quattordici,quindici,sedici,diciassette,diciotto,diciannove'.split(
    ',',
  )
const TENS = ['venti', 'trenta', 'quaranta', 'cinquanta', 'sessanta', 'settanta', 'ottanta', 'novanta']

/** A vowel is dropped before uno and otto: ventuno, ventotto. */
function below100(value: number): string {
  if (value < 20) return BELOW_TWENTY[value]!
  const tens = TENS[Math.floor(value / 10) - 2]!
  const unit = value % 10
  if (unit === 0) return tens
  return (unit === 1 || unit === 8 ? tens.slice(0, -1) : tens) + BELOW_TWENTY[unit]
}

function below1000(value: number): string {
  const [hundreds, rest] = [Math.floor(value / 100), value % 100]
  if (hundreds === 0) return below100(rest)
  const hundred = `${hundreds === 1 ? '' : BELOW_TWENTY[hundreds]}cento`
  if (rest === 0) return hundred
  return (Math.floor(rest / 10) === 8 || rest === 8 ? hundred.slice(0, -1) : hundred) + below100(rest)
}

/** Words that lost a vowel between two parts, so splitting into parts does not find them. */
const contracted: Record<string, Atom> = {}
for (let value = 21; value < 100; value++) {
  const unit = value % 10
  if (unit === 1) contracted[below100(value).slice(0, -1)] = { kind: 'exact', value }
  if (unit === 1 || unit === 8) contracted[below100(value)] = { kind: 'exact', value }
}
for (let hundred = 100; hundred < 1000; hundred += 100)
  for (const rest of [8, 80, 81, 88])
    contracted[below1000(hundred + rest)] = { kind: 'hundreds', value: hundred + rest }

export const italianNumbers: WordLanguage = {
  ...NUMBER_DEFAULTS,
  words: atoms({
    digits: [['zero'], ['uno', 'un', 'una'], ...BELOW_TWENTY.slice(2, 10).map((word) => [word])],
    exact: Object.fromEntries(BELOW_TWENTY.slice(10).map((word, at) => [10 + at, [word]])),
    tens: Object.fromEntries(TENS.map((word, at) => [20 + 10 * at, [word]])),
    hundred: { words: ['cento'], alone: true },
    scales: [
      { value: 1e3, words: ['mille'], alone: true },
      { value: 1e3, words: ['mila'] },
      { value: 1e6, words: ['milione', 'milioni'] },
      { value: 1e9, words: ['miliardo', 'miliardi'] },
      { value: 1e12, words: ['bilione', 'bilioni'] },
      { value: 1e15, words: ['biliardo', 'biliardi'] },
    ],
    and: ['e'],
    point: ['virgola'],
    more: contracted,
  }),
  compounds: true,
  tensAnd: () => false,
  hundredsAfterAnd: true,
  minus: { words: ['meno'], onlyBefore: afterNumber('grad[oi]') },
  percent: { pattern: afterNumber('per cento|percento'), sign: '%' },
  units: afterNumber(
    'second[oi]|minut[oi]|ore|ora|millisecond[oi]|chilometr[oi]|metr[oi]|centimetr[oi]|millimetr[oi]|miglia|chilogramm[oi]|chil[oi]|gramm[oi]|etti|milligramm[oi]|tonnellat[ae]|litr[oi]|millilitr[oi]|grad[oi]|dollar[oi]|euro|centesim[oi]|kilobyte|megabyte|gigabyte|terabyte|byte|bit|pixel|volt|watt|hertz|km|cm|mm|kg|mg|ml|gb|mb|kb|tb',
  ),
  timesWithAnd: {
    before: /(?<!\p{L})(?:alle|dalle|delle|ore|(?:sono|erano|per|verso) le) $/iu,
    and: 'e',
    after: /^(?:\s*(?:$|[.,;:!?)\n])| (?:di (?:mattina|sera|notte)|del (?:mattino|pomeriggio))(?!\p{L}))/iu,
  },
  labels: new Set(
    'pagina,capitolo,sezione,versione,passo,stanza,camera,domanda,esercizio,binario,figura,paragrafo'.split(
      ',',
    ),
  ),
  ranges: new Set(['a', 'o', 'meno', 'più', 'per']),
  between: new Set(['tra', 'fra']),
}
