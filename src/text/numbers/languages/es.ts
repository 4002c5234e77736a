import { afterNumber, atoms, NUMBER_DEFAULTS, type WordLanguage } from '../number-language.ts'

const BELOW_THIRTY =
  'cero,uno,dos,tres,cuatro,cinco,seis,siete,ocho,nueve,diez,once,doce,trece,catorce,quince,dieciséis,diecisiete,dieciocho,diecinueve,veinte,veintiuno,veintidós,veintitrés,veinticuatro,veinticinco,veintiséis,veintisiete,veintiocho,veintinueve'.split(
    ',',
  )
const TENS = ['treinta', 'cuarenta', 'cincuenta', 'sesenta', 'setenta', 'ochenta', 'noventa']
const HUNDREDS =
  'ciento,doscientos,trescientos,cuatrocientos,quinientos,seiscientos,setecientos,ochocientos,novecientos'.split(
    ',',
  )

export const spanishNumbers: WordLanguage = {
  ...NUMBER_DEFAULTS,
  words: atoms({
    digits: [['cero'], ['uno', 'un', 'una'], ...BELOW_THIRTY.slice(2, 10).map((word) => [word])],
    exact: {
      ...Object.fromEntries(BELOW_THIRTY.slice(10).map((word, at) => [10 + at, [word]])),
      21: ['veintiuno', 'veintiún', 'veintiuna'],
    },
    tens: Object.fromEntries(['veinte', ...TENS].map((word, at) => [20 + 10 * at, [word]])),
    hundred: { words: ['cien', 'ciento'], alone: true },
    hundreds: Object.fromEntries(
      HUNDREDS.slice(1).map((word, at) => [200 + 100 * at, [word, word.replace(/os$/, 'as')]]),
    ),
    scales: [
      { value: 1e3, words: ['mil'], alone: true },
      { value: 1e6, words: ['millón', 'millones'] },
      { value: 1e12, words: ['billón', 'billones'] },
    ],
    and: ['y'],
    point: ['coma', 'punto'],
  }),
  minus: { words: ['menos'], onlyBefore: afterNumber('grados?') },
  percent: { pattern: afterNumber('por ciento|porciento'), sign: ' %' },
  units: afterNumber(
    'segundos?|minutos?|horas?|milisegundos?|kilómetros?|metros?|centímetros?|milímetros?|millas?|kilogramos?|kilos?|gramos?|miligramos?|toneladas?|litros?|mililitros?|grados?|dólares|dólar|euros?|céntimos?|centavos?|pesos?|kilobytes?|megabytes?|gigabytes?|terabytes?|bytes?|bits?|píxeles|voltios?|vatios?|hercios?|km|cm|mm|kg|mg|ml|gb|mb|kb|tb',
  ),
  timesWithAnd: {
    before: /(?<!\p{L})(?:a|son|eran|es|era|hasta|desde|sobre|hacia|de) (?:las|la) $/iu,
    and: 'y',
    after:
      /^(?:\s*(?:$|[.,;:!?)\n])| (?:de la (?:mañana|tarde|noche|madrugada)|del mediodía|horas)(?!\p{L}))/iu,
  },
  labels: new Set(
    'pagina,capitulo,seccion,version,paso,habitacion,sala,pregunta,ejercicio,anden,figura,parrafo'.split(','),
  ),
  ranges: new Set(['a', 'o', 'u', 'menos', 'más', 'por']),
  between: new Set(['entre']),
}
