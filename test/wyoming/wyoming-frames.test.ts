import { expect, test } from 'bun:test'
import { createFrameReader, encodeEvent, type WyomingEvent } from '../../src/wyoming/wyoming-frames.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** The events in the bytes, and the code of the failure after them. */
function read(sent: Uint8Array, pieceBytes = sent.length): { events: WyomingEvent[]; code: string | null } {
  const reader = createFrameReader()
  const events: WyomingEvent[] = []
  for (let at = 0; at < sent.length; at += pieceBytes) {
    reader.push(sent.subarray(at, at + pieceBytes))
    for (;;) {
      const next = reader.next()
      if (!next.ok) return { events, code: next.failure.code }
      if (next.value === null) break
      events.push(next.value)
    }
  }
  return { events, code: null }
}

const none = new Uint8Array()

test('reads events however the packets divide them', () => {
  const payload = Uint8Array.from([10, 0, 255, 123])
  const data = '{"name": "Zürich", "rate": 16000, "timestamp": null}'
  const line = `{"type": "audio-chunk", "data": {"rate": 8000, "width": 2}, "data_length": ${bytes(data).length}, "payload_length": 4}\n`
  const sent = Buffer.concat([
    bytes('{"type":"describe"}\n'),
    bytes(line + data),
    payload,
    bytes(line + data),
    payload,
  ])
  const chunk = { type: 'audio-chunk', data: { name: 'Zürich', rate: 16000, width: 2 }, payload }
  for (const size of [1, 7, 50, sent.length])
    expect(read(sent, size)).toEqual({
      events: [{ type: 'describe', data: {}, payload: none }, chunk, chunk],
      code: null,
    })
})

test('reads what it writes', () => {
  const event = { type: 'transcript', data: { text: 'Grüße\n“あ”' } }
  const sent = bytes(encodeEvent(event) + encodeEvent({ type: 'transcript-stop' }))
  expect(read(sent).events).toEqual([
    { ...event, payload: none },
    { type: 'transcript-stop', data: {}, payload: none },
  ])
})

test('no line is longer than the client’s limit of 64 KiB, however long the text is', () => {
  const [line] = encodeEvent({ type: 'transcript', data: { text: 'a'.repeat(100_000) } }).split('\n')
  expect(line!.length).toBeLessThan(100)
})

const INVALID = [
  'GET / HTTP/1.1\r\n',
  '\n',
  '[]\n',
  'null\n',
  '{"data": {}}\n',
  '{"type": 1}\n',
  '{"type": "x", "data": []}\n',
  '{"type": "x", "data_length": -1}\n',
  '{"type": "x", "data_length": "1"}\n',
  '{"type": "x", "payload_length": 1.5}\n',
  '{"type": "x", "payload_length": true}\n',
  '{"type": "x", "data_length": 3}\n{{{',
  '{"type": "x", "data_length": 2}\n[]',
]

test('rejects everything else, after the events before it', () => {
  for (const text of INVALID) {
    const { events, code } = read(bytes(`{"type": "ping"}\n${text}`))
    expect([events.length, code], text).toEqual([1, 'invalid_request'])
  }
  expect(read(Uint8Array.from([0x7b, 0xff, 0xfe, 10])).code).toBe('invalid_request')
})

test('rejects what is too long when it is announced, or when it arrives', () => {
  for (const text of [
    '{"type": "x", "data_length": 262145}\n',
    '{"type": "x", "payload_length": 4194305}\n',
    `{"type": "${'x'.repeat(64 * 1024)}`,
  ])
    for (const size of [1000, text.length]) expect(read(bytes(text), size).code).toBe('body_too_large')
})
