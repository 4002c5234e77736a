// The engine's process with a GPU whose driver ends the process.

Object.defineProperty(globalThis.navigator, 'gpu', {
  value: { requestAdapter: () => process.exit(134) },
})
await import('../../../src/engine/whisper-recogniser.ts')
