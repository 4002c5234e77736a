// Logs a line for each response and for each transcription. The lines contain numbers and route templates only, never a
// requested path, a text or a name.

import type { Log } from '../../lib/log.ts'
import type { Answered, TranscriptionMeasured } from './metrics-registry.ts'

/** Routes that clients poll. */
const QUIET = new Set(['/health', '/metrics', '/', '/tasks/active'])

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000

export const logAnswered =
  (log: Log) =>
  ({ method, route, status, seconds }: Answered): void => {
    const quiet = status < 400 && (route === null || QUIET.has(route) || route.startsWith('/docs'))
    log[quiet ? 'debug' : 'info']({ method, route, status, seconds: rounded(seconds) }, 'answered')
  }

export const logTranscribed =
  (log: Log) =>
  ({ model, audioMs, processingMs }: TranscriptionMeasured): void =>
    log.info(
      { model, audioSeconds: rounded(audioMs / 1000), seconds: rounded(processingMs / 1000) },
      'transcribed',
    )
