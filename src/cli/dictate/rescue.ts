// Recordings that the server could not take: each is a WAV file until the server has stored it.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, writeFileDurably } from '../../lib/durable.ts'
import { sha256Of } from '../../lib/sha256-of.ts'
import { wavHeaderOf } from '../../lib/wav.ts'
import { finishedCapture, storeRecording } from '../captures/store-recording.ts'
import type { ServerClient } from '../connection/server-client.ts'
import { formOf } from '../files/recordings.ts'
import { MICROPHONE_RATE } from './microphone.ts'

export type SpokenAudio = { startedAt: Date; pieces: readonly Uint8Array<ArrayBuffer>[] }

export const spokenWavOf = ({ pieces }: SpokenAudio): Blob => {
  const samples = new Blob([...pieces])
  const header = wavHeaderOf({ sample: 's16', rate: MICROPHONE_RATE, dataBytes: samples.size })
  return new Blob([header as Uint8Array<ArrayBuffer>, samples])
}

export const unsentFolderOf = (dataFolder: string): string => join(dataFolder, 'unsent')

/** @returns its path */
export async function writeUnsent(dataFolder: string, audio: SpokenAudio): Promise<string> {
  const folder = unsentFolderOf(dataFolder)
  await makeFolder(folder)
  const path = join(folder, `${audio.startedAt.toISOString().replaceAll(':', '-')}.wav`)
  await writeFileDurably(path, await spokenWavOf(audio).bytes())
  return path
}

type RescuedRecording = { id: string; text: string }

/**
 * Waits for the server as long as the client's patience lasts.
 * @param query of the live stream, which names the model differently
 * @throws ServerFailure; the file stays then
 */
export async function sendUnsent(
  server: Pick<ServerClient, 'request'>,
  path: string,
  { query, startedAt }: { query: Record<string, string>; startedAt: Date },
): Promise<RescuedRecording> {
  const { model, ...same } = query
  const fields = {
    ...same,
    ...(model !== undefined && { stt_model: model }),
    source: 'dictation',
    recorded_at: startedAt.toISOString(),
  }
  const recording = { sha256: await sha256Of(path), ...formOf(path, {}, 'audio/wav'), query: fields }
  const { id } = await storeRecording(server, recording)
  await rm(path)
  return finishedCapture(server, id)
}
