// Transcriptions as OpenAI, Local Dictation and whisper.cpp's server write them, and responses that are not transcriptions.

import { expect, test } from 'bun:test'
import { readRemoteAnswer } from '../../src/engine/remote-answer.ts'

const LENGTH_MS = 3000

const piece = (word: string, start: number, end: number, more: object = {}) => ({ word, start, end, ...more })

test('assigns words that are listed beside the segments to the segment of their time', () => {
  const read = readRemoteAnswer(
    {
      language: 'english',
      segments: [
        { start: 0, end: 1, text: ' Good morning.', avg_logprob: -0.25, no_speech_prob: 0.1 },
        { start: 1, end: 2, text: ' Hi there.', avg_logprob: 0, no_speech_prob: null },
      ],
      words: [
        ...[piece('Good', 0, 0.4), piece('morning', 0.4, 1), piece('Hi', 1, 1.2)],
        piece('there', 1.9, 2.4),
      ],
    },
    LENGTH_MS,
  )
  const word = (text: string, startMs: number, endMs: number) => ({
    ...{ word: text, startMs, endMs, probability: null },
  })
  expect(read).toEqual({
    language: 'english',
    segments: [
      {
        ...{ startMs: 0, endMs: 1000, text: 'Good morning.', avgLogprob: -0.25, noSpeechProb: 0.1 },
        words: [word('Good', 0, 400), word('morning', 400, 1000)],
      },
      {
        ...{ startMs: 1000, endMs: 2000, text: 'Hi there.', avgLogprob: null, noSpeechProb: null },
        words: [word('Hi', 1000, 1200), word('there', 1900, 2400)],
      },
    ],
  })
})

test('joins the tokens of whisper.cpp’s server to words', () => {
  const words = [
    piece(' Trans', 0, 0.2, { probability: 0.25 }),
    piece('cribe', 0.2, 0.4, { probability: 1, t_dtw: -1 }),
    piece(' it', 0.4, 0.6, { probability: 0.9 }),
    piece('.', 0.6, 0.6, { probability: 0.9 }),
  ]
  const read = readRemoteAnswer(
    { segments: [{ start: 0, end: 1, text: ' Transcribe it.', words }] },
    LENGTH_MS,
  )
  expect(read?.segments[0]?.words).toEqual([
    { word: 'Transcribe', startMs: 0, endMs: 400, probability: expect.closeTo(0.5, 5) },
    { word: 'it.', startMs: 400, endMs: 600, probability: expect.closeTo(0.9, 5) },
  ])
})

test('corrects times outside the window, overlaps, and text that the database cannot store', () => {
  const read = readRemoteAnswer(
    {
      segments: [
        { start: -5, end: 2, text: 'one\0 \ud800two' },
        { start: 1, end: 1e9, text: 'three', words: [piece('three', 7, 2)] },
        { start: 2, end: 3, text: ' ' },
      ],
    },
    LENGTH_MS,
  )
  expect(read?.segments.map(({ startMs, endMs, text }) => [startMs, endMs, text])).toEqual([
    [0, 2000, 'one \ufffdtwo'],
    [2000, 3000, 'three'],
  ])
  expect(read?.segments[1]?.words).toMatchObject([{ startMs: 3000, endMs: 3000 }])
})

test('refuses other JSON', () => {
  const others = [
    null,
    [],
    'text',
    { text: 'Only a text.' },
    { segments: {} },
    { segments: [{ start: '0', end: 1, text: 'a' }] },
    { segments: [{ start: 0, end: 1 }] },
    { segments: [{ start: 0, end: 1, text: 'a', words: [{ word: 'a' }] }] },
  ]
  for (const json of others) expect(readRemoteAnswer(json, LENGTH_MS), JSON.stringify(json)).toBeNull()
})
