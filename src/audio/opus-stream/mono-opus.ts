// Decodes packets of a live stream in the server's own process, each of which is looked at first.
// Loaded when somebody sends Opus (opus-stream.ts); packets of files are decoded where they can be killed.

import { DecodeError } from '../decoding/decode-error.ts'
import { createOpusDecoder } from '../decoding/opus.ts'
import { mixDown } from '../decoding/pcm-sink.ts'
import { opusSamples } from './packet-length.ts'
import { damaged } from './unpacked.ts'

export type MonoOpus = {
  /**
   * 16 kHz; nothing for what lies before the sound
   * @throws DecodeError for what is no packet
   */
  decode(packet: Uint8Array): Float32Array
  free(): void
}

/** What the decoder has room for, for each channel: 256 kbit/s in packets of 120 ms. */
const MOST_BYTES = 3840

/** @throws DecodeError where the header is none, or of more than two channels, which no browser records */
export async function createMonoOpus(head: Uint8Array): Promise<MonoOpus> {
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
  return {
    decode(packet) {
      // The decoder would say so on the console, again and again, or throw where it has no room.
      if (opusSamples(packet) === null || packet.length > MOST_BYTES * channels) throw brokenPacket()
      const sound = decodeOne(packet)
      if (sound === null) return new Float32Array()
      const mono = new Float32Array(sound.channels[0]!.length)
      mixDown(sound.channels, mono)
      return mono
    },
    free: decoder.free,
  }
}

const brokenPacket = () => damaged('A packet of the stream is damaged.')
