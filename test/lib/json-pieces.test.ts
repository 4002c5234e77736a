import { expect, test } from 'bun:test'
import { jsonPieces } from '../../src/lib/json-pieces.ts'
import fc from '../support/fast-check.ts'

const whole = (value: unknown) => [...jsonPieces(value)].join('')

test('the pieces together are what JSON.stringify writes', () => {
  const values = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        a: fc.jsonValue(),
        b: fc.date({ noInvalidDate: true }),
        c: fc.constant(undefined),
        d: fc.array(fc.nat()),
      },
      { requiredKeys: [] },
    ),
    fc.array(fc.record({ x: fc.nat(), y: fc.option(fc.string()) }), { maxLength: 300, size: 'max' }),
  )
  fc.assert(fc.property(values, (value) => expect(whole(value)).toBe(JSON.stringify(value))))
})

test('a long list comes in many pieces, none of which is long, wherever it stands', () => {
  const list = Array.from({ length: 10_000 }, (_, index) => ({ index, words: ['a', 'b'] }))
  const pieces = [...jsonPieces({ capture: { segments: list }, versions: [{ segments: list }] })]
  expect(pieces.length).toBeGreaterThan(300)
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(5000)
})
