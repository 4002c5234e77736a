// Runs in the browser's audio thread: hands over the microphone's samples, a short batch at a time.
// What becomes of them is microphone.ts's. Loaded as a file of its own, so that it can import nothing.

/** What a browser has in that thread alone. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void

/** 21 ms at 48 kHz: a level moves smoothly, and 50 messages a second cost nothing. */
const BATCH_SAMPLES = 1024
const FULL_SCALE = 32_767

class SampleTap extends AudioWorkletProcessor {
  #batch = new Int16Array(BATCH_SAMPLES)
  #filled = 0

  process([input]: Float32Array[][]): boolean {
    for (const sample of input?.[0] ?? []) {
      this.#batch[this.#filled] = Math.round(Math.max(-1, Math.min(1, sample)) * FULL_SCALE)
      this.#filled += 1
      if (this.#filled === BATCH_SAMPLES) this.#handOver()
    }
    return true
  }

  #handOver(): void {
    this.port.postMessage(this.#batch, [this.#batch.buffer])
    this.#batch = new Int16Array(BATCH_SAMPLES)
    this.#filled = 0
  }
}

registerProcessor('sample-tap', SampleTap)
