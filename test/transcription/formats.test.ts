import { expect, test } from 'bun:test'
import { formatTranscript } from '../../src/transcription/formats.ts'

const HOUR = 3_600_000
const transcript = {
  text: 'Tom & Jerry <b>ran</b>. Two --> three.',
  segments: [
    { startMs: 0, endMs: 1234, text: ' Tom & Jerry <b>ran</b>.' },
    { startMs: 26 * HOUR + 61_001, endMs: 26 * HOUR + 62_000, text: ' Two --> three.\n\nNext' },
  ],
}

test('SubRip has numbers, commas in times, hours over a day and no arrow or empty line inside a cue', () => {
  expect(formatTranscript(transcript, 'srt')).toBe(
    '1\n00:00:00,000 --> 00:00:01,234\nTom & Jerry <b>ran</b>.\n\n' +
      '2\n26:01:01,001 --> 26:01:02,000\nTwo -> three. Next\n',
  )
})

test('WebVTT escapes what would be markup', () => {
  expect(formatTranscript(transcript, 'vtt')).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.234\nTom &amp; Jerry &lt;b&gt;ran&lt;/b&gt;.\n\n' +
      '26:01:01.001 --> 26:01:02.000\nTwo --&gt; three. Next\n',
  )
})

test('a transcript without speech gives valid files without cues', () => {
  const empty = { text: '', segments: [] }
  expect(formatTranscript(empty, 'txt')).toBe('')
  expect(formatTranscript(empty, 'md')).toBe('')
  expect(formatTranscript(empty, 'srt')).toBe('')
  expect(formatTranscript(empty, 'vtt')).toBe('WEBVTT\n')
})

test('a cue without a length lasts a millisecond and one without text is left out', () => {
  const segments = [
    { startMs: 500, endMs: 500, text: 'now' },
    { startMs: 600, endMs: 700, text: '  ' },
  ]
  expect(formatTranscript({ text: 'now', segments }, 'srt')).toBe('1\n00:00:00,500 --> 00:00:00,501\nnow\n')
})

test('plain text is the text and a newline', () => {
  expect(formatTranscript({ text: ' one\n\ntwo ', segments: [] }, 'txt')).toBe('one\n\ntwo\n')
})

test('Markdown has the title as heading and shows markup as it was said', () => {
  const said = { title: 'Notes *today*', text: '# not a heading\n\n1. snake_case and a [link]', segments: [] }
  expect(formatTranscript(said, 'md')).toBe(
    '# Notes \\*today\\*\n\n\\# not a heading\n\n1\\. snake\\_case and a \\[link\\]\n',
  )
})
