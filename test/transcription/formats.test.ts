import { describe, expect, test } from 'bun:test'
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

test('WebVTT escapes markup', () => {
  expect(formatTranscript(transcript, 'vtt')).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.234\nTom &amp; Jerry &lt;b&gt;ran&lt;/b&gt;.\n\n' +
      '26:01:01.001 --> 26:01:02.000\nTwo --&gt; three. Next\n',
  )
})

test('a transcript without speech results in valid files without cues', () => {
  const empty = { text: '', segments: [] }
  expect(formatTranscript(empty, 'txt')).toBe('')
  expect(formatTranscript(empty, 'md')).toBe('')
  expect(formatTranscript(empty, 'srt')).toBe('')
  expect(formatTranscript(empty, 'vtt')).toBe('WEBVTT\n')
})

test('extends a cue of zero length to one millisecond and drops one without text', () => {
  const segments = [
    { startMs: 500, endMs: 500, text: 'now' },
    { startMs: 600, endMs: 700, text: '  ' },
  ]
  expect(formatTranscript({ text: 'now', segments }, 'srt')).toBe('1\n00:00:00,500 --> 00:00:00,501\nnow\n')
})

test('plain text is the text and a newline', () => {
  expect(formatTranscript({ text: ' one\n\ntwo ', segments: [] }, 'txt')).toBe('one\n\ntwo\n')
})

test('Markdown has the title as heading and escapes markup', () => {
  const said = { title: 'Notes *today*', text: '# not a heading\n\n1. snake_case and a [link]', segments: [] }
  expect(formatTranscript(said, 'md')).toBe(
    '# Notes \\*today\\*\n\n\\# not a heading\n\n1\\. snake\\_case and a \\[link\\]\n',
  )
})

describe('a cue in a script without spaces', () => {
  const cueOf = (text: string, format: 'srt' | 'vtt' = 'srt') =>
    formatTranscript({ text, segments: [{ startMs: 0, endMs: 15_000, text }] }, format)
      .split('\n')
      .filter((line) => !/^(WEBVTT|\d*|.* --> .*)$/.test(line))
  const LONG =
    '復興努力に対するリベラル派からの批判では、ワシントンの内部関係者と思われる人物と「復興契約」を交わしたことに焦点を当てています。'

  test('is broken into lines that fit the screen, because players break only at spaces', () => {
    const lines = cueOf(LONG)
    expect(lines.join('')).toBe(LONG)
    expect(lines.length).toBe(3)
    for (const line of lines) {
      expect(line.length).toBeGreaterThan(10)
      expect(line.length).toBeLessThanOrEqual(30)
      expect(line).not.toMatch(/^[。、」]|「$/)
    }
    expect(cueOf(LONG, 'vtt')).toEqual(lines)
  })

  test('is never broken within a word, native or foreign', () => {
    const text =
      'Scotturb403路公共汽车定期发车前往辛特拉在罗卡角停靠执政党西南非洲人民组织也在议会选举中保持了多数席位'
    const lines = cueOf(text)
    expect(lines.join('')).toBe(text)
    expect(lines[0]).toStartWith('Scotturb403路')
    for (const word of ['公共汽车', '辛特拉', '西南', '非洲', '人民', '组织'])
      expect(lines.some((line) => line.includes(word))).toBe(true)
  })

  test('keeps a character and its combining marks together', () => {
    const text = 'สวัสดีครับวันนี้เราจะไปกรุงเทพด้วยรถไฟตอนเช้าแล้วกลับบ้านตอนเย็นพร้อมกับเพื่อนๆทุกคน'
    const lines = cueOf(text)
    expect(lines.join('')).toBe(text)
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(line).not.toMatch(/^\p{M}/u)
  })

  test('drops the space at a line break', () => {
    const lines = cueOf('悄悄垂直進空15米 該項目於2021年8月完工但直到2011年3月才開始通車而且沒有人知道')
    expect(lines.length).toBe(2)
    for (const line of lines) expect(line).toBe(line.trim())
  })

  test('stays one line if it is short, like text of scripts with spaces', () => {
    const words = 'the same word again and again '.repeat(9).trim()
    for (const text of [
      '今日は会議です。',
      'コーヒーを 飲みます。',
      words,
      `https://example.org/${'a'.repeat(60)}`,
    ])
      expect(cueOf(text)).toEqual([text])
  })
})
