// The JSON of a value piece by piece, for values of megabytes: JSON.stringify takes a tenth of a second for ten of them.
// Writes what JSON.stringify writes, without indents.

/** Lists with fewer values in them are written in one piece. */
const VALUES_A_PIECE = 64

/** Objects and lists below this are small enough. */
const MAX_DEPTH = 3

export function* jsonPieces(value: unknown, depth = 0): Generator<string> {
  if (Array.isArray(value) && value.length > VALUES_A_PIECE) yield* listPieces(value)
  else if (isPlainObject(value) && depth < MAX_DEPTH) yield* objectPieces(value, depth)
  else if (Array.isArray(value) && depth < MAX_DEPTH) yield* shortListPieces(value, depth)
  else yield JSON.stringify(value) ?? 'null'
}

function* listPieces(values: readonly unknown[]): Generator<string> {
  for (let from = 0; from < values.length; from += VALUES_A_PIECE) {
    const piece = JSON.stringify(values.slice(from, from + VALUES_A_PIECE))
    yield `${from === 0 ? '[' : ','}${piece.slice(1, -1)}`
  }
  yield ']'
}

function* shortListPieces(values: readonly unknown[], depth: number): Generator<string> {
  let before = '['
  for (const value of values) {
    yield before
    yield* jsonPieces(value, depth + 1)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

function* objectPieces(value: Record<string, unknown>, depth: number): Generator<string> {
  let before = '{'
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* jsonPieces(inner, depth + 1)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

/** A Date says itself how it is written. */
const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value)
