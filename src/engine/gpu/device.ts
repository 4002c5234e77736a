// Opens a GPU through WebGPU: Dawn from a file (dawn-package.ts), or `navigator.gpu` where the runtime has it. Every
// failure of a GPU, from a lost device to a response that never arrives, becomes a GpuFailure.

import { createRequire } from 'node:module'

export class GpuFailure extends Error {}

/** A shader with its buffers. */
export type Bound = { pipeline: GPUComputePipeline; group: GPUBindGroup }

/** Workgroups of a shader, in one or two dimensions. */
export type Dispatch = readonly [bound: Bound, x: number, y?: number]

export type GpuBuffer = GPUBuffer
export type Resource = GPUBuffer | GPUBufferBinding

export type Gpu = {
  /** for people */
  name: string
  /** changes with the card and, as far as the system reports it, with its driver */
  identity: readonly string[]
  /** the largest buffer that a shader can read */
  maxBindingBytes: number
  /** zeroed memory of the GPU, freed by its `destroy` or by `close` */
  allocate(bytes: number, use?: 'uniform'): GPUBuffer
  /** a uniform of four numbers that stay as they are */
  constant(numbers: Uint32Array): GPUBuffer
  /** the numbers may be in shared memory */
  write(to: GPUBuffer, atByte: number, numbers: Float32Array | Float16Array | Uint32Array | Int32Array): void
  /** compiles the shader unless it is known. @param resources by binding */
  bind(code: string, resources: readonly (Resource | null)[]): Promise<Bound>
  /** runs the shaders in order, then what `after` records */
  submit(shaders: readonly Dispatch[], after?: (encoder: GPUCommandEncoder) => void): void
  /** resolves when everything submitted has run. @throws GpuFailure */
  finished(): Promise<void>
  /** @throws GpuFailure */
  read(from: GPUBuffer, bytes: number, atByte?: number): Promise<ArrayBuffer>
  /** @throws GpuFailure after the device was lost, or reported an error */
  check(): void
  close(): void
}

export type RequestAdapter = () => Promise<GPUAdapter | null>

/** GPUBufferUsage and GPUMapMode, which Dawn does not define as globals. */
const USAGE = { mapRead: 1, copySource: 4, copyTarget: 8, uniform: 64, storage: 128 }
const MAP_READ = 1

/** Collecting an instance while its device is in use ends the process. */
const instances: GPU[] = []

/** @param options of Dawn, such as `backend=null`. @throws if this system cannot load the file */
export const adapterOfDawn =
  (file: string, options: readonly string[] = []): RequestAdapter =>
  async () => {
    const { create } = createRequire(file)(file) as { create(options: string[]): GPU }
    const instance = create([...options])
    instances.push(instance)
    return await instance.requestAdapter({ powerPreference: 'high-performance' })
  }

/** The runtime's own WebGPU; null if it has none, as Bun 1.4. */
export const adapterOfRuntime = (): RequestAdapter | null => {
  const gpu = (globalThis.navigator as { gpu?: GPU } | undefined)?.gpu
  return gpu ? async () => await gpu.requestAdapter({ powerPreference: 'high-performance' }) : null
}

const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|\bwarp\b|basic render|\bnull\b/i

/** A software renderer would be slower than the CPU engine. */
const isSoftware = ({ info }: GPUAdapter): boolean =>
  info.isFallbackAdapter ||
  SOFTWARE.test(`${info.vendor} ${info.architecture} ${info.description} ${info.device}`)

/** What the shaders need beyond the least that WebGPU guarantees. */
const NEEDED = { maxComputeWorkgroupStorageSize: 32_768, maxStorageBufferBindingSize: 134_217_728 }
const WANTED = ['maxBufferSize', ...(Object.keys(NEEDED) as (keyof typeof NEEDED)[])] as const

/** A window on the slowest GPUs takes 15 s. */
const DEADLINE_MS = 60_000

export type GpuOptions = {
  requestAdapter: RequestAdapter
  /** for tests: a software adapter, lower limits, and more time */
  allowSoftware?: boolean
  needed?: Partial<typeof NEEDED>
  deadlineMs?: number | undefined
}

const adapterFrom = async ({
  requestAdapter,
  allowSoftware = false,
  needed = NEEDED,
}: GpuOptions): Promise<GPUAdapter> => {
  const adapter = await requestAdapter()
  if (!adapter) throw new GpuFailure('this computer has no GPU that WebGPU can use')
  if (!allowSoftware && isSoftware(adapter))
    throw new GpuFailure(`${nameOf(adapter)} is no GPU, but emulates one on the CPU`)
  for (const [limit, least] of Object.entries(needed) as [keyof typeof NEEDED, number][]) {
    if (adapter.limits[limit] < least)
      throw new GpuFailure(`${nameOf(adapter)} has a ${limit} below ${least}`)
  }
  return adapter
}

const nameOf = ({ info }: GPUAdapter): string =>
  [info.description, info.device, info.architecture, info.vendor].find((name) => name !== '') ?? 'The adapter'

const soon = async <T>(answer: Promise<T>, deadlineMs: number): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new GpuFailure('the driver did not respond')), deadlineMs)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** @throws GpuFailure if there is no GPU that suffices; whatever a driver throws */
export const openGpu = async (options: GpuOptions): Promise<Gpu> => {
  const { deadlineMs = DEADLINE_MS } = options
  const adapter = await soon(adapterFrom(options), deadlineMs)
  const requiredLimits = Object.fromEntries(WANTED.map((limit) => [limit, adapter.limits[limit]]))
  const device = await soon(adapter.requestDevice({ requiredLimits }), deadlineMs)
  const { queue } = device
  const { info } = adapter
  const lost = Promise.withResolvers<never>()
  // A failure that comes while no call waits is reported by the next call.
  lost.promise.catch(() => {})
  let failure: GpuFailure | null = null
  const fail = (message: string) => {
    failure ??= new GpuFailure(message)
    lost.reject(failure)
  }
  device.addEventListener('uncapturederror', (event) =>
    fail((event as GPUUncapturedErrorEvent).error.message),
  )
  device.lost.then(({ reason, message }) => fail(`the GPU was lost (${reason}): ${message}`))

  const check = () => {
    if (failure) throw failure
  }

  const inTime = async <T>(answer: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => fail('the GPU did not respond'), deadlineMs)
    try {
      return await Promise.race([answer, lost.promise])
    } catch (error) {
      throw failure ?? new GpuFailure(error instanceof Error ? error.message : String(error))
    } finally {
      clearTimeout(timer)
    }
  }

  const allocate = (bytes: number, use: 'storage' | 'uniform' = 'storage') =>
    device.createBuffer({
      size: Math.ceil(bytes / 16) * 16,
      usage: USAGE[use] | USAGE.copyTarget | USAGE.copySource,
    })

  const write: Gpu['write'] = (to, atByte, numbers) => {
    // As bytes, because a Float16Array divides by zero in dawn.node 0.6.2; copied, if in shared memory.
    const own = numbers.buffer instanceof SharedArrayBuffer ? numbers.slice() : numbers
    queue.writeBuffer(to, atByte, new Uint8Array(own.buffer as ArrayBuffer, own.byteOffset, own.byteLength))
  }

  const constants = new Map<string, GPUBuffer>()
  const pipelines = new Map<string, Promise<GPUComputePipeline>>()
  /** An invalid shader is reported as an error of the device. */
  const compile = (code: string) => {
    const module = device.createShaderModule({ code })
    return inTime(
      device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint: 'main' } }),
    )
  }

  const submit: Gpu['submit'] = (shaders, after) => {
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    for (const [{ pipeline, group }, x, y = 1] of shaders) {
      pass.setPipeline(pipeline)
      pass.setBindGroup(0, group)
      pass.dispatchWorkgroups(x, y)
    }
    pass.end()
    after?.(encoder)
    queue.submit([encoder.finish()])
  }

  /** Buffers for results, which are reused. */
  const spare: GPUBuffer[] = []
  const resultBuffer = (bytes: number) => {
    const known = spare.findIndex(({ size }) => size >= bytes)
    if (known >= 0) return spare.splice(known, 1)[0]!
    return device.createBuffer({ size: bytes, usage: USAGE.mapRead | USAGE.copyTarget })
  }

  return {
    name: nameOf(adapter),
    identity: [info.vendor, info.architecture, info.device, info.description],
    maxBindingBytes: Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize),
    allocate,
    constant(numbers) {
      const key = numbers.join()
      const known = constants.get(key)
      if (known) return known
      const made = allocate(numbers.byteLength, 'uniform')
      write(made, 0, numbers)
      constants.set(key, made)
      return made
    },
    write,
    async bind(code, resources) {
      check()
      if (!pipelines.has(code)) pipelines.set(code, compile(code))
      const pipeline = await pipelines.get(code)!
      const entries = resources.flatMap((resource, binding) =>
        resource === null
          ? []
          : [{ binding, resource: 'buffer' in resource ? resource : { buffer: resource } }],
      )
      return { pipeline, group: device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }) }
    },
    submit,
    async finished() {
      check()
      await inTime(queue.onSubmittedWorkDone())
      check()
    },
    async read(from, bytes, atByte = 0) {
      check()
      const to = resultBuffer(bytes)
      submit([], (encoder) => encoder.copyBufferToBuffer(from, atByte, to, 0, bytes))
      await inTime(to.mapAsync(MAP_READ, 0, bytes))
      const result = to.getMappedRange(0, bytes).slice(0)
      to.unmap()
      spare.push(to)
      check()
      return result
    },
    check,
    close() {
      // closing is not a failure of the GPU
      failure ??= new GpuFailure('the GPU is closed')
      device.destroy()
    },
  }
}
