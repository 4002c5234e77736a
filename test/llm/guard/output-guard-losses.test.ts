// Changes each digit, name, address and sentence in turn; the guard must reject every change.

import { expect, test } from 'bun:test'
import { checkAnswer } from '../../../src/llm/guard/output-guard.ts'

const TEXTS = [
  'The invoice 4711 goes to Anna Keller. She pays 3.5 percent until May 12. Write to anna.keller@example.com about it.',
  'Yesterday Peter called from Boston about the contract. He wants 20 copies by Friday. Nobody answered him yet.',
  'Am Montag um 14:30 Uhr trifft sich Frau Öztürk mit Herrn Weiß. Danach fährt der Zug 815 nach Köln. Das wird knapp.',
  'Hier Claire a appelé Benoît depuis Lyon. Le rendez-vous est à 16 h 45. On parle du budget 2027 et de la suite.',
  'Ayer María llamó a José desde Sevilla. El pedido 98 cuesta 45,50 euros. Luego hablamos del resto con calma.',
  'Ieri Giulia ha visto Marco a Torino. Il treno 9512 parte alle 8. Poi mangiamo qualcosa insieme in centro.',
  'Ontem o João falou com a Inês em Lisboa. A fatura 312 vence no dia 7. Depois tratamos do resto juntos.',
  'Gisteren belde Sanne met Joost uit Utrecht. De rekening 88 is 12,75 euro. Daarna gaan we samen eten in de stad.',
  'Вчера Наташа звонила Ивану из Москвы. Счёт 604 оплачен. Потом обсудим остальное вместе.',
]

const OPTIONS = { freedom: 'rewrite', keepWords: [], digitsOf: (text: string) => text } as const

const isTaken = (text: string, answer: string): boolean => checkAnswer(text, answer, OPTIONS).ok

/** The text once without each match, and once with each replaced. */
function* changed(text: string, pattern: RegExp, replace: (match: string) => string): Generator<string> {
  for (const match of text.matchAll(pattern)) {
    const [before, after] = [text.slice(0, match.index), text.slice(match.index + match[0].length)]
    yield before + after
    yield before + replace(match[0]) + after
  }
}

test.each(TEXTS)('%s', (text) => {
  expect(isTaken(text, text)).toBe(true)
  const digits = [...changed(text, /\d/g, (digit) => String((Number(digit) + 1) % 10))]
  const names = [...changed(text, /(?<=[\p{L}\d,] )\p{Lu}\p{L}+/gu, () => 'Robert')]
  const firsts = [...changed(text, /(?<=^|\. )\p{Lu}\p{L}{4,}/gu, () => 'Robert')].filter((one) =>
    one.startsWith('Robert'),
  )
  const addresses = [...changed(text, /\S+@\S+/g, () => 'anna@example.org')]
  const sentences = [...changed(text, /[^.]+\p{L}\.(?= |$)/gu, () => ' This was never said before.')]
  for (const answer of [...digits, ...names, ...firsts, ...addresses, ...sentences])
    expect([answer, isTaken(text, answer)]).toEqual([answer, false])
})

test('rejects swapped numbers and swapped names', () => {
  expect(isTaken('Pay 20 to Anna and 30 to Peter today.', 'Pay 30 to Anna and 20 to Peter today.')).toBe(
    false,
  )
  expect(isTaken('Anna owes Peter money, I think.', 'Peter owes Anna money, I think.')).toBe(false)
})
