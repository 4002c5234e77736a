// A minimal request: a second of silence, for a model without a file.

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
