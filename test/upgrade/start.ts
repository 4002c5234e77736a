// Starts a server on a copy of the packed folder, and restores captures from its trash.

import { type RunningServer, startServer } from '../support/server.ts'
import { type Client, clientOf, type Json, workIsOver } from './client.ts'
import { ofCapture } from './exceptions.ts'
import type { Known } from './folder.ts'

export type Started = { server: RunningServer; client: Client; [Symbol.asyncDispose](): Promise<void> }

/** With the token that is in the folder. */
export const FOLDERS_TOKEN = { DICTATION_TOKEN: 'auto' }

export async function startOn(dataFolder: string, token: string): Promise<Started> {
  const server = await startServer({ dataFolder, env: FOLDERS_TOKEN })
  const stop = async () => void (await server.stop())
  return { server, client: clientOf(server, token), [Symbol.asyncDispose]: stop }
}

/** Captures trashed before their transcription: a restore transcribes them with the options of the first request. */
export async function restoredOf(client: Client, { named, scope }: Known): Promise<Json> {
  const ids = [named.discarded!, named.trashedRunning!]
  for (const id of ids) await client.post(`/captures/${id}/restore`)
  await workIsOver(client)
  const work = { ...scope.work, captureIds: ids }
  return Promise.all(ids.map(async (id) => ofCapture(await client.get(`/captures/${id}`), work)))
}
