// Decodes packets of a live stream in the server's own process, each of which is looked at first.
// Loaded when somebody sends Opus (opus-stream.ts); packets of files are decoded where they can be killed.

import { DecodeError } from '../decoding/decode-error.ts'
import { createMonoMixer } from '../decoding/mono-mixer.ts'
import { createOpusDecoder } from '../decoding/opus.ts'
import { OUTPUT_RATE } from '../decoding/resampler.ts'
import { opusSamples } from './packet-length.ts'
import { damaged } from './unpacked.ts'

export type MonoOpus = {
  /**
   * Emits 16 kHz mono; of two channels 32 ms later, and the first half second at once.
   * @param most samples that may be taken of it
   * @returns how many were; none of what is before the sound
   * @throws DecodeError for what is no packet
   */
  decode(packet: Uint8Array, most: number): number
  /** of so many samples, behind what was decoded */
  silence(samples: number): void
  /** emits what is held back */
  finish(): void
  free(): void
}

/** What the decoder has room for, for each channel: 256 kbit/s in packets of 120 ms. */
const MOST_BYTES = 3840

/** @throws DecodeError where the header is none, or of more than two channels, which no browser records */
export async function createMonoOpus(
  head: Uint8Array,
  emit: (samples: Float32Array) => void,
): Promise<MonoOpus> {
  const [channels = 1, mappingFamily = 0] = [head[9], head[18]]
  if (mappingFamily !== 0)
    throw new DecodeError(
      'unsupported',
      'The stream has more than two channels, or maps them in a way of its own.',
    )
  const decoder = await createOpusDecoder(head)
  const decodeOne = (packet: Uint8Array) => {
    try {
      return decoder.decode(packet)
    } catch {
      // Whatever WebAssembly traps on.
      throw brokenPacket()
    }
  }
  const mixer = createMonoMixer({ channels, rate: OUTPUT_RATE, decides: 'at once', emit })
  return {
    decode(packet, most) {
      // The decoder would say so on the console, again and again, or throw where it has no room.
      if (opusSamples(packet) === null || packet.length > MOST_BYTES * channels) throw brokenPacket()
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
