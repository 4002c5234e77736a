// A further thread of the kernels: serves until it is stopped, asleep where there is nothing to do.
// Says once that it has started, nothing else.

declare const self: Worker

export type KernelThread = { module: WebAssembly.Module; memory: WebAssembly.Memory; thread: number }

self.onmessage = ({ data }: MessageEvent<KernelThread>) => {
  const { module, memory, thread } = data
  const instance = new WebAssembly.Instance(module, { env: { memory, abort: () => {} } })
  self.postMessage('started')
  const serve = instance.exports.serve as (thread: number) => void
  serve(thread)
}
