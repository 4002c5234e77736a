// Portuguese number words of Brazil and Portugal. A bilhão is 10^9, a bilião 10^12: each word has one meaning.

import { afterNumber, atoms, NUMBER_DEFAULTS, type WordLanguage } from '../number-language.ts'

const BELOW_TWENTY =
  'zero,um,dois,três,quatro,cinco,seis,sete,oito,nove,dez,onze,doze,treze,catorze,quinze,dezesseis,dezessete,dezoito,dezenove'.split(
    ',',
  )
const TENS = ['vinte', 'trinta', 'quarenta', 'cinquenta', 'sessenta', 'setenta', 'oitenta', 'noventa']
const HUNDREDS =
  'cento,duzentos,trezentos,quatrocentos,quinhentos,seiscentos,setecentos,oitocentos,novecentos'.split(',')

export const portugueseNumbers: WordLanguage = {
  ...NUMBER_DEFAULTS,
  words: atoms({
    digits: [['zero'], ['um', 'uma'], ['dois', 'duas'], ...BELOW_TWENTY.slice(3, 10).map((word) => [word])],
    exact: {
      ...Object.fromEntries(BELOW_TWENTY.slice(10).map((word, at) => [10 + at, [word]])),
      14: ['catorze', 'quatorze'],
      16: ['dezesseis', 'dezasseis'],
      17: ['dezessete', 'dezassete'],
      19: ['dezenove', 'dezanove'],
    },
    tens: {
      ...Object.fromEntries(TENS.map((word, at) => [20 + 10 * at, [word]])),
      50: ['cinquenta', 'cinqüenta'],
    },
    hundred: { words: ['cem', 'cento'], alone: true },
    hundreds: Object.fromEntries(
      HUNDREDS.slice(1).map((word, at) => [200 + 100 * at, [word, word.replace(/os$/, 'as')]]),
    ),
    scales: [
      { value: 1e3, words: ['mil'], alone: true },
      { value: 1e6, words: ['milhão', 'milhões'] },
      { value: 1e9, words: ['bilhão', 'bilhões'] },
      { value: 1e12, words: ['trilhão', 'trilhões', 'bilião', 'biliões'] },
      { value: 1e15, words: ['quatrilhão', 'quatrilhões'] },
    ],
    and: ['e'],
    point: ['vírgula', 'ponto'],
  }),
  hundredsAfterAnd: true,
  minus: { words: ['menos'], onlyBefore: afterNumber('graus?') },
  percent: { pattern: afterNumber('por cento|porcento'), sign: '%' },
  units: afterNumber(
    'segundos?|minutos?|horas?|milissegundos?|quilômetros?|quilómetros?|metros?|centímetros?|milímetros?|milhas?|quilogramas?|quilos?|gramas?|miligramas?|toneladas?|litros?|mililitros?|graus?|dólares|dólar|euros?|centavos?|cêntimos?|reais|real|kilobytes?|megabytes?|gigabytes?|terabytes?|bytes?|bits?|pixels?|volts?|watts?|hertz|km|cm|mm|kg|mg|ml|gb|mb|kb|tb',
  ),
  timesWithAnd: {
    before: /(?<!\p{L})(?:às|à|das|pelas|(?:são|eram|até) as) $/iu,
    and: 'e',
    after: /^(?:\s*(?:$|[.,;:!?)\n])| (?:da (?:manhã|tarde|noite|madrugada)|horas)(?!\p{L}))/iu,
  },
  labels: new Set(
    'pagina,capitulo,secao,seccao,versao,passo,quarto,sala,questao,exercicio,plataforma,figura,paragrafo'.split(
      ',',
    ),
  ),
  ranges: new Set(['a', 'ou', 'menos', 'mais', 'vezes', 'por']),
  between: new Set(['entre']),
}
