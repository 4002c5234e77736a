// A recording in progress: a WAV file that is complete up to the last sample, whenever the program ends.

import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { wavHeaderOf } from '../../lib/wav.ts'
import { MICROPHONE_RATE, type Microphone } from '../dictate/microphone.ts'

const PRIVATE_FILE = 0o600
const BYTES_PER_SAMPLE = 2

const header = (dataBytes: number | null) => wavHeaderOf({ sample: 's16', rate: MICROPHONE_RATE, dataBytes })

export type Recorded = {
  seconds: number
  /** why the microphone ended by itself; null: it was stopped */
  reason: string | null
}

export type Recording = { stop(): void; ended: Promise<Recorded> }

/** Writes the samples of the microphone to a new file, until it is stopped or ends. A file without samples is removed. */
export function recordTo(path: string, microphone: Microphone): Recording {
  const file = openSync(path, 'wx', PRIVATE_FILE)
  let bytes = 0
  writeSync(file, header(null))
  let isClosed = false
  const running = microphone.start((piece) => {
    // A recorder that ends slowly still sends; the number of a closed file may belong to another one.
    if (isClosed) return
    writeSync(file, piece)
    bytes += piece.length
  })
  const finish = async (): Promise<Recorded> => {
    const reason = await running.ended
    isClosed = true
    const samples = Math.floor(bytes / BYTES_PER_SAMPLE)
    writeSync(file, header(samples * BYTES_PER_SAMPLE), 0, undefined, 0)
    fsyncSync(file)
    closeSync(file)
    if (samples === 0) rmSync(path)
    return { seconds: samples / MICROPHONE_RATE, reason }
  }
  return { stop: running.stop, ended: finish() }
}
