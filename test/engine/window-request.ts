// What is asked of an engine where it does not matter what: a second of nothing, of a model that is no file.
// Engines that really listen are asked in contract.ts.

import type { ModelFile, WindowRequest } from '../../src/engine/engine.ts'

export const modelCalled = (name: string, bytes = 1): ModelFile => ({
  ...{ name, path: `/models/${name}`, bytes, multilingual: false },
})

export const windowRequest = (more: Partial<WindowRequest> = {}): WindowRequest => ({
  model: modelCalled('any'),
  samples: new Float32Array(16_000),
  language: null,
  task: 'transcribe',
  prompt: null,
  signal: new AbortController().signal,
  ...more,
})
