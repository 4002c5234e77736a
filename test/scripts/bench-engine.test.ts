import { expect, test } from 'bun:test'
import { type Compared, rowsOf } from '../../scripts/bench/engine/comparisons.ts'
import { headlineOf } from '../../scripts/bench/engine/headline.ts'
import { transcribeInTurn } from '../../scripts/bench/engine/in-turn.ts'
import { readTimings, textPrinted } from '../../scripts/bench/engine/native-cli.ts'
import { readBenchOptions } from '../../scripts/bench/engine/options.ts'
import type { Peer } from '../../scripts/bench/engine/peer.ts'

test('without arguments, measures the whole table in five rounds', () => {
  expect(readBenchOptions([])).toEqual({
    ok: true,
    value: { short: false, large: false, shapes: false, json: false, rounds: 5 },
  })
  expect(readBenchOptions(['--json', '--short', '--rounds', '2'])).toEqual({
    ok: true,
    value: { short: true, large: false, shapes: false, json: true, rounds: 2 },
  })
  expect(readBenchOptions(['--large'])).toMatchObject({ value: { large: true, rounds: 5 } })
  expect(readBenchOptions(['--shapes'])).toMatchObject({ value: { shapes: true, large: false } })
  expect(readBenchOptions(['--help'])).toEqual({ ok: true, value: null })
})

const EXCLUDED = [
  ['--large', '--short'],
  ['--shapes', '--large'],
  ['--large', '--json'],
  ['--shapes', '--json'],
]

test('refuses unknown arguments, and rounds that are not a number', () => {
  const rounds = [
    ['--rounds', '0'],
    ['--rounds', 'many'],
    ['--rounds', '1.5'],
  ]
  for (const wrong of [['--fast'], ...rounds, ['once'], ...EXCLUDED])
    expect(readBenchOptions(wrong)).toEqual({ ok: false, failure: expect.any(String) })
})

const PRINTED = `
whisper_print_timings:     load time =   124.27 ms
whisper_print_timings:     fallbacks =   0 p /   0 h
whisper_print_timings:      mel time =   10.00 ms
whisper_print_timings:   sample time =     5.00 ms /     1 runs (     5.00 ms per run)
whisper_print_timings:   encode time =   600.50 ms /     1 runs (   600.50 ms per run)
whisper_print_timings:   decode time =   140.00 ms /    28 runs (     5.00 ms per run)
whisper_print_timings:   batchd time =     1.00 ms /     1 runs (     1.00 ms per run)
whisper_print_timings:   prompt time =     0.50 ms /     1 runs (     0.50 ms per run)
whisper_print_timings:    total time =   900.00 ms
`

test('the timings of whisper-cli cover the window, without loading', () => {
  expect(readTimings(PRINTED)).toEqual({ ms: 757, encodeMs: 600.5, tokenMs: 5 })
})

test('refuses a whisper-cli that prints no timings', () => {
  expect(() => readTimings('error: failed to open')).toThrow('no decode time')
})

test('the text of whisper-cli is what follows its timestamps', () => {
  const lines = [
    '',
    '[00:00:00.000 --> 00:00:07.740]   And so',
    '[00:00:07.740 --> 00:00:10.580]   ask [not]',
    '',
  ]
  expect(textPrinted(lines.join('\n'))).toBe('And so ask [not]')
})

/** Returns at once and reports the given duration. */
const scriptedPeer = (times: number[], order: string[], name: string): Peer => ({
  name,
  async transcribe() {
    order.push(name)
    return { ms: times[order.filter((one) => one === name).length - 1] ?? 0, text: '' }
  },
  async close() {},
})

test('peers take turns, and the first round does not count', async () => {
  const order: string[] = []
  const peers = { one: scriptedPeer([9, 1, 2], order, 'one'), other: scriptedPeer([8, 3, 4], order, 'other') }
  const results = await transcribeInTurn<'one' | 'other'>(peers, { rounds: 2 })
  expect(order).toEqual(['one', 'other', 'one', 'other', 'one', 'other'])
  expect(results.one!.map(({ ms }) => ms)).toEqual([1, 2])
  expect(results.other!.map(({ ms }) => ms)).toEqual([3, 4])
})

test('a peer that would take too long is measured once and then skipped', async () => {
  const order: string[] = []
  const peers = { quick: scriptedPeer([1, 1, 1], order, 'quick'), slow: scriptedPeer([1e9], order, 'slow') }
  const untilMs = performance.now() + 1e6
  const results = await transcribeInTurn<'quick' | 'slow'>(peers, { rounds: 2, untilMs })
  expect(order).toEqual(['quick', 'slow', 'quick', 'quick'])
  expect(results.slow!.map(({ ms }) => ms)).toEqual([1e9])
})

const COMPARED: Compared = {
  title: 'clip',
  threads: 2,
  goals: { native: 1.3, shout: 6, faster_whisper: 0.7 },
  loadMs: 100,
  ours: { ms: 500, text: 'Ask not.', encodeMs: 400, tokenMs: 3 },
  peers: {
    native: { name: 'whisper.cpp 1', result: { ms: 900, text: 'ask not' } },
    shout: { name: 'shout 1', result: { ms: 4000, text: 'Ask what?' } },
    faster_whisper: null,
  },
}

test('the last line reports how much longer each peer takes, and null for a missing one', () => {
  expect(headlineOf(COMPARED)).toEqual({
    native_over_ours: 1.8,
    shout_over_ours: 8,
    faster_whisper_over_ours: null,
    ours_ms: 500,
    native_ms: 900,
    native_is: 'whisper.cpp 1',
    shout_ms: 4000,
    shout_is: 'shout 1',
    measured: 'clip, 2 threads',
  })
})

test('the table says which peer produced another text, and how to install a missing one', () => {
  const rows = rowsOf(COMPARED)
  expect(rows.map(({ value }) => value)).toEqual(['0.50 s', '1.80', '8.00', 'not measured'])
  expect(rows[1]).toMatchObject({ goal: '≥ 1.3', note: '0.90 s' })
  expect(rows[2]).toMatchObject({ goal: '≥ 6.0', note: '4.00 s; another text' })
  expect(rows[3]!.note).toContain('FASTER_WHISPER_PYTHON')
})
