// The engine's process with a GPU whose driver never responds.

Object.defineProperty(globalThis.navigator, 'gpu', {
  value: { requestAdapter: () => new Promise(() => {}) },
})
await import('../../../src/engine/whisper-recogniser.ts')
