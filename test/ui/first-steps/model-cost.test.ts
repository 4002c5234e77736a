import { expect, test } from 'bun:test'
import { secondsWith } from '../../../src/ui/first-steps/model-cost.ts'

const BASE = { model_name: 'base-q5_1', size: 'base' }
const SMALL = { model_name: 'small-q5_1', size: 'small' }

const took = (transcribe: number | null, stt_model = BASE.model_name) => ({
  ...{ duration_ms: 10_000, stt_model },
  processing_ms: { decode: 10, transcribe, refine: null },
})

test('estimates the time of another model by the weights of both encoders', () => {
  expect(secondsWith(SMALL, took(1000), [BASE, SMALL])).toBeCloseTo(4.4)
})

test('has no estimate for a model that would be slower than speech', () => {
  expect(secondsWith(SMALL, took(2300), [BASE, SMALL])).toBeNull()
})

test('has no estimate without a measured time, or for a model of unknown size', () => {
  expect(secondsWith(SMALL, took(null), [BASE, SMALL])).toBeNull()
  expect(secondsWith(SMALL, took(1000, 'mine'), [BASE, SMALL])).toBeNull()
})
