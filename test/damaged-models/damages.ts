// Damaged variants of a whole model file, each with the expected error.

import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { bytesInMemory, readGgmlFile } from '../../src/engine/ggml-file.ts'
import { CATALOGUE } from '../../src/models/catalogue.ts'
import { VOCABULARY_AT, withTokens } from '../support/ggml.ts'

export type Damage = {
  kind: string
  what: string
  /** the file's name; `name` is the model's */
  file: string
  name: string
  /** creates it at that path */
  make(path: string): Promise<unknown>
  /** the error code, and a pattern of the message */
  expected: { code: string; detail: RegExp }
}

const OWN = { file: 'ggml-mine.bin', name: 'mine' }
const NOT_WHOLE = { code: 'model_unreadable', detail: /This is not a whole Whisper model in ggml format: / }
const UNKNOWN = { code: 'model_not_found', detail: /mine/ }
/** Values that no number in a Whisper header can have. */
const HOSTILE = [0, -1, 0x7fffffff]
const HEAD_NUMBERS = 14
/** Only a label, since each tensor has its own type. */
const FILE_TYPE = 11

export function damagesOf(whole: Uint8Array, { short }: { short: boolean }): Damage[] {
  const read = readGgmlFile(bytesInMemory(whole))
  if (!read.ok) throw new Error(read.failure.message)
  const { tensors } = read.value
  const from = (bytes: Uint8Array) => (path: string) => writeFile(path, bytes)
  const changed = (change: (view: DataView) => void) => async (path: string) => {
    const copy = whole.slice()
    change(new DataView(copy.buffer))
    await writeFile(path, copy)
  }
  const some = <T>(all: T[], count: number): T[] =>
    all.filter((_, index) => !short || index % Math.ceil(all.length / count) === 0)

  const firstTensorAt = tensors[0]!.atByte
  const places = [
    0,
    1,
    3,
    4,
    11,
    47,
    56,
    60,
    10_000,
    VOCABULARY_AT,
    VOCABULARY_AT + 3,
    VOCABULARY_AT + 9,
    100_000,
  ]
  const cuts = [...places, firstTensorAt - 7, firstTensorAt, firstTensorAt + 1]
    .concat(
      tensors
        .flatMap(({ atByte, bytes }) => [atByte + bytes, atByte + (bytes >> 1)])
        .filter((_, index) => index % 17 === 0),
    )
    .concat(whole.length >> 1, whole.length - 4096, whole.length - 1)
    .filter((at) => at < whole.length)
  const truncated = some(cuts, 6).map(
    (at): Damage => ({
      ...OWN,
      kind: 'truncated',
      what: `truncated at byte ${at}`,
      make: from(whole.subarray(0, at)),
      expected: NOT_WHOLE,
    }),
  )

  const head = Array.from({ length: HEAD_NUMBERS }, (_, number) => number).filter(
    (number) => number !== FILE_TYPE,
  )
  const heads = some(
    head.flatMap((number) => HOSTILE.map((value) => ({ number, value }))),
    5,
  ).map(
    ({ number, value }): Damage => ({
      ...OWN,
      kind: 'header',
      what: `number ${number} of the header is ${value}`,
      make: changed((view) => view.setInt32(4 * number, value, true)),
      expected: NOT_WHOLE,
    }),
  )

  const table = some(
    tensors
      .filter((_, index) => index % 9 === 0)
      .flatMap(({ name, atByte, dimensions }) => {
        const typeAt = atByte - name.length - 4 * dimensions.length - 4
        return [
          { what: `the type of ${name}`, at: typeAt },
          { what: `a dimension of ${name}`, at: typeAt + 4 },
          { what: `the name of ${name}`, at: atByte - 4 },
        ]
      }),
    4,
  ).map(
    ({ what, at }): Damage => ({
      ...OWN,
      kind: 'table',
      what: `${what} is flipped`,
      make: changed((view) => view.setInt32(at, ~view.getInt32(at, true), true)),
      expected: NOT_WHOLE,
    }),
  )

  const weights = some(
    tensors.filter((_, index) => index % 7 === 0),
    5,
  ).map(
    ({ name, type, atByte, bytes }): Damage => ({
      ...OWN,
      kind: 'weights',
      what: `${name} contains a NaN`,
      make: changed((view) =>
        type === 0
          ? view.setUint32(atByte + (bytes >> 3) * 4, 0x7fc00000, true)
          : view.setUint16(atByte, 0x7e00, true),
      ),
      expected: {
        code: 'model_unreadable',
        detail: new RegExp(`is damaged: ${name.replaceAll('.', '\\.')} holds a number`),
      },
    }),
  )

  const published = CATALOGUE.find(({ name }) => name === 'tiny-q5_1')!
  const asPublished = { file: published.file, name: published.name, kind: 'published' }
  const others: Damage[] = [
    {
      ...OWN,
      kind: 'filters',
      what: 'a mel filter is huge',
      make: changed((view) => view.setFloat32(4 * 2000, 1e30, true)),
      expected: NOT_WHOLE,
    },
    {
      ...OWN,
      kind: 'vocabulary',
      what: 'a token has the text of another',
      make: from(withTokens(whole, { 65: [66] })),
      expected: { code: 'model_unreadable', detail: /vocabulary is not Whisper/ },
    },
    {
      ...OWN,
      kind: 'vocabulary',
      what: 'the token count is too low',
      make: changed((view) => view.setInt32(VOCABULARY_AT, 1000, true)),
      expected: NOT_WHOLE,
    },
    {
      ...OWN,
      kind: 'foreign',
      what: 'a picture',
      make: from(new TextEncoder().encode('\x89PNG\r\n\x1a\n'.repeat(1000))),
      expected: NOT_WHOLE,
    },
    { ...OWN, kind: 'no file', what: 'a folder', make: (path) => mkdir(path), expected: UNKNOWN },
    {
      ...OWN,
      kind: 'no file',
      what: 'a link to nowhere',
      make: (path) => symlink('/nowhere/at/all', path),
      expected: UNKNOWN,
    },
    {
      ...OWN,
      kind: 'no file',
      what: 'a link to itself',
      make: (path) => symlink(path, path),
      expected: UNKNOWN,
    },
    {
      ...OWN,
      kind: 'no file',
      what: 'a link to a device',
      make: (path) => symlink('/dev/zero', path),
      expected: UNKNOWN,
    },
    {
      ...OWN,
      kind: 'no file',
      what: 'a pipe',
      make: (path) => Bun.$`mkfifo ${path}`.quiet(),
      expected: UNKNOWN,
    },
    {
      ...asPublished,
      what: 'the size of a published file with other bytes',
      make: (path) => writeFile(path, new Uint8Array(published.bytes ?? whole.length)),
      expected: { code: 'model_unreadable', detail: /SHA-256 differs/ },
    },
    {
      ...asPublished,
      what: 'another size',
      make: from(whole),
      expected: { code: 'model_unreadable', detail: /it is incomplete/ },
    },
  ]
  // root can read every file.
  if (process.getuid?.() !== 0)
    others.push({
      ...OWN,
      kind: 'no file',
      what: 'not readable',
      make: (path) => writeFile(path, whole, { mode: 0 }),
      expected: { code: 'model_unreadable', detail: /cannot be read/ },
    })
  return [...truncated, ...heads, ...table, ...weights, ...others]
}
