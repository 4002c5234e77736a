import { type Static, Type } from '@sinclair/typebox'
import type { DictationFailure } from '../../../dictation/choose-model.ts'
import type { LiveDictation } from '../../../dictation/live-dictation.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { Result } from '../../../lib/result.ts'
import { oneOf, uuid } from '../../../lib/schema.ts'
import type { Settings } from '../../../settings/settings.ts'
import { SILENCE_MS } from '../../../transcription/live/utterance.ts'
import type { WritingStyles } from '../../../writing/styles.ts'
import {
  checkModelFields,
  clipboardInQuery,
  type FindsModels,
  keywordsField,
  languageField,
  languageOrDefault,
  modelField,
  parseLanguage,
  promptInQuery,
  styleFault,
  ticketInQuery,
} from '../../fields/fields.ts'
import { asksForSocket, type Connection, protocolsOffered } from '../../kernel/connection.ts'
import {
  failureResponse,
  type Problem,
  type ProblemCode,
  problemOf,
  problemResponse,
  SHUTTING_DOWN,
} from '../../kernel/problem.ts'
import { defineRoute, type Route } from '../../kernel/route.ts'
import { flag, strictObject, text, wholeNumber } from '../../kernel/schema.ts'
import { captureFieldsOf } from '../../recording/capture-fields.ts'
import {
  LIVE_ENCODINGS,
  type LiveEncoding,
  type LiveSessions,
  MAX_LIVE_SESSIONS,
  openLiveSession,
  type SaveLiveDeps,
  saveLive,
} from './live-session.ts'
import type { LiveSocket } from './live-socket.ts'

/** Problems of every route that opens a live socket. */
export const LIVE_SOCKET_PROBLEMS = [
  'upgrade_required',
  'unknown_model',
  'unsupported_language',
  'queue_full',
  'model_not_installed',
  'model_unreadable',
  'engine_unavailable',
  'shutting_down',
] as const satisfies readonly ProblemCode[]

export type OpeningDeps = {
  liveSessions: LiveSessions
  /** fires when the server stops: the session sends its remaining text and closes the socket */
  shutdown: AbortSignal
}

type SocketOpening = {
  request: Request
  connection: Connection
  /** a further reason not to open the socket */
  refusal?: () => Promise<Problem | null>
  /** the subprotocol to select if the client offers it */
  protocol?: string
  /** the session frees its place with `onOver` */
  begin: (onOver: () => void) => Promise<Result<LiveSocket, DictationFailure>>
}

const UPGRADE_REQUIRED: Problem = {
  code: 'upgrade_required',
  detail: 'This endpoint requires a WebSocket. To send a whole recording, use POST /transcribe.',
  headers: { upgrade: 'websocket' },
}
export const SESSIONS_FULL: Problem = {
  code: 'queue_full',
  detail: `All ${MAX_LIVE_SESSIONS} live sessions are in use. Try again when one ends.`,
  headers: { 'retry-after': '10' },
}

export async function openSocket(
  { liveSessions, shutdown }: OpeningDeps,
  opening: SocketOpening,
): Promise<Response> {
  const { request, connection, refusal, protocol, begin } = opening
  if (!asksForSocket(request)) return problemResponse(UPGRADE_REQUIRED)
  if (shutdown.aborted) return problemResponse(SHUTTING_DOWN)
  const refused = await refusal?.()
  if (refused) return problemResponse(refused)
  const leave = liveSessions.enter()
  if (leave === null) return problemResponse(SESSIONS_FULL)
  const beginning = begin(leave)
  beginning.then(({ ok }) => ok || leave(), leave)
  const begun = await beginning
  if (!begun.ok) return failureResponse(begun.failure)
  const spoken = protocol !== undefined && protocolsOffered(request).includes(protocol) ? protocol : null
  if (connection.upgrade(begun.value.listener, spoken)) return new Response(null, { status: 101 })
  begun.value.drop()
  return problemResponse(UPGRADE_REQUIRED)
}

export type LiveRouteDeps = SaveLiveDeps &
  OpeningDeps & {
    engine: Pick<Engine, 'info'>
    models: FindsModels
    styles: Pick<WritingStyles, 'get'>
    liveDictation: LiveDictation
    settings: { current(): Settings }
  }

const DEFAULT_RATE = 16_000

const query = strictObject({
  rate: Type.Optional(
    wholeNumber({
      description: `sample rate in Hz; default: ${DEFAULT_RATE}. Ignored for Opus, which contains it`,
      minimum: 8000,
      maximum: 192_000,
    }),
  ),
  encoding: Type.Optional(
    oneOf(LIVE_ENCODINGS, {
      description:
        'encoding of the audio; other audio is then rejected. Default: detected from the first bytes',
    }),
  ),
  model: Type.Optional(modelField),
  language: Type.Optional(languageField),
  prompt: Type.Optional(promptInQuery),
  keywords: Type.Optional(
    keywordsField('terms that are likely to occur, in addition to the dictionary’s; one per parameter'),
  ),
  apply_dictionary: Type.Optional(
    flag({ description: 'whether the dictionary is applied to finals; default: as in the settings' }),
  ),
  word_timestamps: Type.Optional(flag({ description: 'whether segments of finals include their words' })),
  clipboard: Type.Optional(clipboardInQuery),
  writing_style_id: Type.Optional(uuid({ description: 'default: the style that matches the application' })),
  app_name: Type.Optional(
    text({ maxLength: 500, description: 'name of the application that receives the dictation' }),
  ),
  app_id: Type.Optional(text({ maxLength: 500, description: 'identifier of the application' })),
  app_url: Type.Optional(text({ maxLength: 4000, description: 'URL of the web page' })),
  window_title: Type.Optional(
    text({ maxLength: 1000, description: 'title of the window; stored with `keep=true`' }),
  ),
  keep: Type.Optional(
    flag({
      description:
        'whether the stream is saved as a capture, with its audio written to disk as it arrives; default: `false`',
    }),
  ),
  refine: Type.Optional(
    flag({ description: 'whether finals are refined as well; default: as in the settings' }),
  ),
  silence_ms: Type.Optional(
    wholeNumber({
      description: `silence that ends an utterance, in milliseconds; default: ${SILENCE_MS.usual}. With a lower value, finals arrive sooner, but sentences are split where the speaker pauses to think`,
      minimum: SILENCE_MS.least,
      maximum: SILENCE_MS.most,
    }),
  ),
  ticket: ticketInQuery,
})

const DESCRIPTION = `OpenAPI cannot describe WebSockets; this is the handshake. Any other request returns 426.

**Client messages:** binary frames of up to 1 MB, either 16-bit little-endian mono PCM without a header (usually a tenth
of a second per frame; a frame may end inside a sample), or Opus in WebM or Ogg as MediaRecorder produces it, split
anywhere. The server detects the format from the first bytes. The text \`{"type":"stop"}\` ends the stream: the server
transcribes the remaining audio, sends the last \`final\` and closes the socket with 1000. A client that closes the socket
itself receives no further messages.

**Server messages:** one JSON object per message, distinguished by \`type\`. Utterances are numbered from 1 and end at a
second of silence (\`silence_ms\`) or after 28 s. Times are seconds from the first sample.

- \`ready\` (\`model\`, \`language\`, \`rate\`): the server is ready; audio sent earlier is not lost
- \`speech_started\`, \`speech_stopped\` (\`utterance\`, \`time\`)
- \`confirmed\` (\`utterance\`, \`text\`, \`start\`, \`end\`): words that follow the previous ones, including the space between
  them, and never change; as recognised, without dictionary or style
- \`partial\` (\`utterance\`, \`text\`): the words after the confirmed ones; each \`partial\` replaces the previous one
- \`final\` (\`utterance\`, \`start\`, \`end\`, \`text\`, \`refined_text\`, \`writing_style_id\`, \`language\`,
  \`language_probability\`, \`model\`, \`segments\`): replaces all earlier messages about the utterance. \`text\` is what
  POST /transcribe returns for the audio from \`start\` to \`end\`; \`refined_text\` is that text in its writing style (null
  if not requested)
- \`kept\` (\`capture_id\`), after the last \`final\` with \`keep=true\`: the stream was saved as a capture, which is
  transcribed again as a whole
- \`warning\` (\`code\`, \`message\`), each sent once: a request that could not be fulfilled, as in \`warnings\` of POST
  /transcribe, or \`slower_than_speech\` if audio arrives faster than it can be transcribed
- \`error\` (\`code\`, \`title\`, \`detail\`, \`status\`): a problem, sent after the \`final\` of the earlier audio and before the
  socket is closed. Close codes: 1003 for frames that are not audio (\`invalid_request\`, \`unsupported_audio\`) or damaged
  Opus (\`undecodable_audio\`); 1009 for frames that are too large (\`body_too_large\`) and at the size limit (\`file_too_large\`); 1008 for frames after the end
  (\`stream_ended\`), a minute without a frame (\`nothing_received\`) and unread messages (\`reader_too_slow\`); 1013 for ten
  minutes of untranscribed audio (\`too_far_behind\`); 1001 when the server stops (\`shutting_down\`); 1011 for all
  others, such as \`disk_full\` and \`internal_error\`

The server starts transcribing a \`final\` during a pause, before the utterance is certain to be over, and sends it when the pause has lasted long enough.
If transcription is slower than speech, the server sends fewer \`partial\` and \`confirmed\` messages, then none; no audio
is skipped. With \`keep=true\` the stream becomes a capture as soon as the audio ends, however it ends, even if either side
crashes. If the server has to stop it (\`file_too_large\`, \`disk_full\`, \`storage_unavailable\`), the audio sent before is
stored. If the server cannot store that yet, the error says so, and the audio becomes a capture later. Without
\`keep=true\`, nothing is stored. Browsers cannot send a token with a WebSocket: POST /session returns a \`ticket\` for it.`

export const liveRoute = (deps: LiveRouteDeps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/transcribe/live',
      operationId: 'transcribeLive',
      summary: 'Transcribe live speech (WebSocket)',
      description: DESCRIPTION,
      tag: 'transcription',
      query,
      headers: { Upgrade: '`websocket`, with the other headers of RFC 6455' },
      resolve: async ({ query: requested, isRefused }) => [
        styleFault(deps.styles, requested.writing_style_id, 'query'),
        isRefused && requested.model === undefined ? null : await checkModel(deps, requested),
      ],
      responses: { 101: { description: 'The WebSocket is open' } },
      problems: [...LIVE_SOCKET_PROBLEMS, 'disk_full'],
    },
    (request, { query: requested, connection }) => open(deps, { request, requested: requested, connection }),
  )

const checkModel = ({ models }: LiveRouteDeps, { model, language }: Partial<Static<typeof query>>) =>
  checkModelFields(
    models,
    { model: model ?? null, language: parseLanguage(language), task: 'transcribe' },
    { in: 'query', model: '/model' },
  )

type Opening = { request: Request; requested: Static<typeof query>; connection: Connection }

async function open(deps: LiveRouteDeps, { request, requested, connection }: Opening): Promise<Response> {
  const { liveDictation, settings, shutdown, log } = deps
  const language = languageOrDefault(requested.language, settings.current())
  const rate = requested.rate ?? DEFAULT_RATE
  const captureInput = {
    ...requested,
    source: 'dictation' as const,
    ...(requested.model !== undefined && { stt_model: requested.model }),
  }
  const fields = captureFieldsOf(captureInput, { fileName: null, settings: settings.current() })
  const keep = (encoding: LiveEncoding, onFailure: (problem: Problem) => void) =>
    saveLive(deps, { rate: encoding === 'opus' ? null : rate, fields, onFailure })
  return openSocket(deps, {
    request,
    connection,
    refusal: async () => {
      const room = requested.keep === true ? await deps.captures.checkRoom() : null
      return room?.ok === false ? problemOf(room.failure) : null
    },
    begin: (onOver) =>
      openLiveSession({
        begin: (listening) =>
          liveDictation.begin({
            model: requested.model ?? null,
            language,
            prompt: requested.prompt ?? null,
            keywords: requested.keywords ?? [],
            applyDictionary: requested.apply_dictionary ?? null,
            clipboard: () => requested.clipboard ?? null,
            writingStyleId: requested.writing_style_id ?? null,
            appName: requested.app_name || null,
            appId: requested.app_id || null,
            appUrl: requested.app_url || null,
            refine: requested.refine ?? null,
            silenceMs: requested.silence_ms ?? null,
            ...listening,
          }),
        language,
        encoding: requested.encoding ?? null,
        rate,
        words: requested.word_timestamps === true,
        keep: requested.keep === true ? keep : null,
        shutdown,
        onOver,
        log,
      }),
  })
}
