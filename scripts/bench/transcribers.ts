// Transcribes a test clip with the server or with native whisper.cpp, and measures the time.

import { availableParallelism } from 'node:os'
import type { ModelFile } from '../../src/engine/engine.ts'
import type { RunningServer } from '../../test/support/server.ts'
import { formWith, recordingFile } from '../../test/support/speech.ts'

export const THREADS = Math.min(8, availableParallelism())

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** @returns the text */
export const byServer = (server: Pick<RunningServer, 'url'>, clip: string): Promise<string> =>
  transcribeFile(server, recordingFile(clip).name!)

/** The same for any file. */
export async function transcribeFile(server: Pick<RunningServer, 'url'>, path: string): Promise<string> {
  const response = await fetch(`${server.url}/transcribe`, { method: 'POST', body: await formWith(path) })
  if (response.status !== 200) throw new Error(`server: ${response.status}`)
  return (await response.json()).text
}

/** Null if there is none. */
export const nativeCli = (): string | null => process.env.WHISPER_CLI ?? Bun.which('whisper-cli')

/** The whole process including loading the model, as a user runs it. */
export async function byNative(
  cli: string,
  { clip, model, options = [] }: { clip: string; model: ModelFile; options?: string[] },
): Promise<void> {
  const [file, threads] = [recordingFile(clip).name!, String(THREADS)]
  const command = [cli, '-m', model.path, '-f', file, '-t', threads, '-np', ...options]
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore' })
  if ((await child.exited) !== 0) throw new Error(`${cli} ended with ${child.exitCode}`)
}
