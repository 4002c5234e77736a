// Types for the part of @echogarden/speex-resampler-wasm that is used; the package has none.
// Pointers are byte offsets into the module's memory. Its views are replaced when the memory grows.

declare module '@echogarden/speex-resampler-wasm/simd' {
  type SpeexModule = {
    readonly HEAPF32: Float32Array
    readonly HEAPU32: Uint32Array
    _malloc(bytes: number): number
    _free(pointer: number): void
    /** @returns 0 on failure */
    _speex_resampler_init(
      channels: number,
      inRate: number,
      outRate: number,
      quality: number,
      errorPointer: number,
    ): number
    _speex_resampler_skip_zeros(state: number): number
    _speex_resampler_process_float(
      state: number,
      channel: number,
      inPointer: number,
      inLengthPointer: number,
      outPointer: number,
      outLengthPointer: number,
    ): number
    _speex_resampler_destroy(state: number): void
  }
  export default function createSpeexResampler(options: { wasmBinary: Uint8Array }): Promise<SpeexModule>
}
