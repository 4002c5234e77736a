// A worker thread of the kernels: serves until it is stopped and sleeps while idle.

declare const self: Worker

export type KernelThread = { module: WebAssembly.Module; memory: WebAssembly.Memory; thread: number }

self.onmessage = ({ data }: MessageEvent<KernelThread>) => {
  const { module, memory, thread } = data
  const instance = new WebAssembly.Instance(module, { env: { memory, abort: () => {} } })
  self.postMessage('started')
  const serve = instance.exports.serve as (thread: number) => void
  serve(thread)
}
