import { expect, test } from 'bun:test'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { nullable, uuid } from '../../src/lib/schema.ts'
import { jsonProperties, reviver, wireMapper, wireProperties } from '../../src/lib/schema-mapping.ts'

const Note = Type.Object({
  noteId: uuid(),
  audioSha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  likelihood: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  readAt: nullable(Type.Date()),
  madeAt: Type.Date({ description: 'when' }),
  parts: Type.Array(Type.Object({ lengthMs: Type.Integer(), spokenBy: Type.Optional(Type.String()) })),
})

const note: Static<typeof Note> = {
  noteId: '019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c11',
  audioSha256: 'ab'.repeat(32),
  likelihood: 0.5,
  readAt: null,
  madeAt: new Date('2026-01-31T12:00:00.123Z'),
  parts: [{ lengthMs: 3 }, { lengthMs: 4, spokenBy: 'Ada' }],
}

test('an entity survives the round trip through JSON', () => {
  const stored = JSON.parse(JSON.stringify(note))
  expect(Value.Check(Type.Object(jsonProperties(Note.properties)), stored)).toBe(true)
  expect(reviver(Note.properties)(stored)).toEqual(note)
})

test('the file schema drops limits but still checks types', () => {
  const File = Type.Object(jsonProperties(Note.properties))
  const stored = JSON.parse(JSON.stringify(note))
  expect(Value.Check(File, { ...stored, noteId: 'old', audioSha256: '', likelihood: 1.0000001 })).toBe(true)
  expect(Value.Check(File, { ...stored, readAt: 'yesterday' })).toBe(false)
  expect(Value.Check(File, { ...stored, madeAt: null })).toBe(false)
  expect(Value.Check(File, { ...stored, parts: [{ lengthMs: 'long' }] })).toBe(false)
})

test('the wire mapper renames keys, formats timestamps and drops unknown properties', () => {
  const sent = wireMapper(Note.properties)({ ...note, secret: 'kept' } as typeof note)
  expect(sent).toEqual({
    note_id: note.noteId,
    audio_sha256: note.audioSha256,
    likelihood: 0.5,
    read_at: null,
    made_at: '2026-01-31T12:00:00.123Z',
    parts: [{ length_ms: 3 }, { length_ms: 4, spoken_by: 'Ada' }],
  })
})

test('the wire schema closes every object and keeps the description of a timestamp', () => {
  const { made_at, parts } = wireProperties(Note.properties)
  expect(JSON.parse(JSON.stringify({ made_at, parts }))).toEqual({
    made_at: { format: 'date-time', description: 'when', type: 'string' },
    parts: {
      type: 'array',
      items: {
        additionalProperties: false,
        type: 'object',
        required: ['length_ms'],
        properties: { length_ms: { type: 'integer' }, spoken_by: { type: 'string' } },
      },
    },
  })
})
