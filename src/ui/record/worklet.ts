// Runs in the browser's audio thread and posts the microphone's samples in short batches. Loaded as a separate file, so
// it cannot import anything.

/** Globals of the AudioWorklet scope. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void

/** 21 ms at 48 kHz: short enough for a smooth level, and 50 messages a second cost nothing. */
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
