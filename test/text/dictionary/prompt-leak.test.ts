import { expect, test } from 'bun:test'
import { isPromptLeak, type LeakEvidence } from '../../../src/text/dictionary/prompt.ts'

const LIST = {
  prompt: 'Elysia, Kubernetes, New York Times, PGlite.',
  terms: ['Elysia', 'Kubernetes', 'New York Times', 'PGlite'],
}
const PAIR = { prompt: 'Anna, Müller.', terms: ['Anna', 'Müller'] }
const ONE = { prompt: 'Kubernetes.', terms: ['Kubernetes'] }
const TEXT = { prompt: 'The following is a talk about medicine and law.', terms: [] }
const HAN = { prompt: '北京, 上海, 广州.', terms: ['北京', '上海', '广州'] }

type Case = [string, typeof LIST | typeof TEXT, LeakEvidence]

test.each<Case>([
  ['Elysia, Kubernetes, New York Times, PGlite.', LIST, {}],
  ['kubernetes new york times PGLite', LIST, {}],
  ['PGlite, Elysia, Kubernetes', LIST, {}],
  ['Elysia, Kubernetes, New York', LIST, {}],
  ['Kubernetes, Kubernetes, Kubernetes, Kubernetes.', ONE, {}],
  ['Anna, Muller.', PAIR, {}],
  ['北京,上海、广州。', HAN, {}],
  ['Kubernetes.', ONE, { noSpeechProb: 0.8 }],
  ['The following is a talk about medicine and law', TEXT, {}],
  ['a talk about medicine', TEXT, { noSpeechProb: 0.7 }],
])('%s is a prompt leak', (text, given, evidence) => {
  expect(isPromptLeak(text, given, evidence)).toBe(true)
})

test.each<Case>([
  ['', LIST, {}],
  ['Kubernetes.', LIST, {}],
  ['Kubernetes.', ONE, {}],
  ['New York Times', LIST, {}],
  ['PGlite, Kubernetes, Elysia', LIST, {}],
  ['Elysia runs on Kubernetes', LIST, {}],
  ['Elysia, Kubernetes, New York Times, PGlite are installed', LIST, {}],
  ['Anna Müller', PAIR, { noSpeechProb: 0.05 }],
  ['medicine and law', TEXT, {}],
  ['Anna, Müller', { prompt: null, terms: [] } as unknown as typeof TEXT, {}],
])('%s is speech', (text, given, evidence) => {
  expect(isPromptLeak(text, given, evidence)).toBe(false)
})
