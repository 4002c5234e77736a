// Decodes packets of a live stream in the server's own process, so it validates each packet first. Loaded on first use
// (opus-stream.ts). Packets of files are decoded in a process that can be killed.

import { DecodeError } from '../decoding/decode-error.ts'
import { createMonoMixer } from '../decoding/mono-mixer.ts'
import { createOpusDecoder } from '../decoding/opus.ts'
import { OUTPUT_RATE } from '../decoding/resampler.ts'
import { damaged, opusSamples } from './demuxer.ts'

export type MonoOpus = {
  /**
   * Emits 16 kHz mono. With two channels the output is 32 ms late, and the first half second comes in one piece.
   * @param most maximum number of samples to take from the packet
   * @returns the number of samples taken, without the pre-skip
   * @throws DecodeError for an invalid packet
   */
  decode(packet: Uint8Array, most: number): number
  /** appends this many samples of silence */
  silence(samples: number): void
  /** emits the rest */
  finish(): void
  free(): void
}

/** The size of the decoder's buffer per channel: 256 kbit/s in packets of 120 ms. */
const MAX_BYTES = 3840

/** @throws DecodeError if the header is invalid or has more than two channels, which no browser records */
export async function createMonoOpus(
  head: Uint8Array,
  emit: (samples: Float32Array) => void,
): Promise<MonoOpus> {
  const [channels = 1, mappingFamily = 0] = [head[9], head[18]]
  if (mappingFamily !== 0)
    throw new DecodeError(
      'unsupported',
      'The stream has more than two channels or an unsupported channel mapping. Send mono or stereo.',
    )
  const decoder = await createOpusDecoder(head)
  const decodeOne = (packet: Uint8Array) => {
    try {
      return decoder.decode(packet)
    } catch {
      // WebAssembly may trap with any error.
      throw brokenPacket()
    }
  }
  const mixer = createMonoMixer({ channels, rate: OUTPUT_RATE, decides: 'at once', emit })
  return {
    decode(packet, most) {
      // The decoder would log each such packet to the console, or throw if it does not fit its buffer.
      if (opusSamples(packet) === null || packet.length > MAX_BYTES * channels) throw brokenPacket()
      const sound = decodeOne(packet)
      if (sound === null) return 0
      const taken = sound.channels.map((samples) => samples.subarray(0, most))
      mixer.push(taken)
      return taken[0]!.length
    },
    silence(samples) {
      mixer.push(Array.from({ length: channels }, () => new Float32Array(samples)))
    },
    finish: mixer.finish,
    free: decoder.free,
  }
}

const brokenPacket = () => damaged('A packet of the stream is damaged.')
