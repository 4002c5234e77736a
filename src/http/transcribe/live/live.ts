// GET /transcribe/live: a WebSocket that audio is sent on while it is spoken, and text comes back.
// One socket is live-session.ts, what is said on it messages.ts; how one is opened, open-socket.ts.

import { type Static, Type } from '@sinclair/typebox'
import type { LiveDictation } from '../../../dictation/live-dictation.ts'
import type { Engine } from '../../../engine/engine.ts'
import { oneOf, uuid } from '../../../lib/schema.ts'
import type { Settings } from '../../../settings/settings.ts'
import { SILENCE_MS } from '../../../transcription/live-utterance.ts'
import type { WritingStyles } from '../../../writing/styles.ts'
import type { Connection } from '../../contract/connection.ts'
import { problemOf } from '../../contract/failure.ts'
import type { Problem } from '../../contract/problem.ts'
import { defineRoute, type Route } from '../../contract/route.ts'
import { flag, strictObject, text, wholeNumber } from '../../contract/schema.ts'
import { clipboardInQuery } from '../../fields/clipboard.ts'
import { languageField, languageOrDefault, parseLanguage } from '../../fields/language.ts'
import { checkModelFields, type FindsModels, modelField } from '../../fields/model.ts'
import { keywordsField, promptInQuery } from '../../fields/prompt.ts'
import { styleFault } from '../../fields/style.ts'
import { ticketInQuery } from '../../fields/ticket.ts'
import { captureFieldsOf } from '../../recording/capture-fields.ts'
import { LIVE_ENCODINGS, type LiveEncoding } from './live-intake.ts'
import { openLiveSession } from './live-session.ts'
import { LIVE_SOCKET_PROBLEMS, type OpeningDeps, openSocket } from './open-socket.ts'
import { type SaveLiveDeps, saveLive } from './save-live.ts'

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
      description: `samples in a second of what is sent; by default ${DEFAULT_RATE}. Opus says it itself`,
      minimum: 8000,
      maximum: 192_000,
    }),
  ),
  encoding: Type.Optional(
    oneOf(LIVE_ENCODINGS, {
      description: 'what is sent, and then nothing else is taken; not given: told by the first bytes',
    }),
  ),
  model: Type.Optional(modelField),
  language: Type.Optional(languageField),
  prompt: Type.Optional(promptInQuery),
  keywords: Type.Optional(
    keywordsField('terms that are likely to be said, besides the dictionary’s; one a parameter'),
  ),
  apply_dictionary: Type.Optional(
    flag({ description: 'whether finals go through the dictionary; not given: as the settings say' }),
  ),
  word_timestamps: Type.Optional(flag({ description: 'whether segments of finals list their words' })),
  clipboard: Type.Optional(clipboardInQuery),
  writing_style_id: Type.Optional(uuid({ description: 'by default the one that matches the application' })),
  app_name: Type.Optional(text({ maxLength: 500, description: 'the application it is spoken into' })),
  keep: Type.Optional(
    flag({
      description:
        'whether it becomes a capture, whose audio is on the disk as it arrives; by default `false`',
    }),
  ),
  refine: Type.Optional(
    flag({ description: 'whether finals are refined as well; not given: as the settings say' }),
  ),
  silence_ms: Type.Optional(
    wholeNumber({
      description: `how much silence ends an utterance, in milliseconds; by default ${SILENCE_MS.usual}. With less a final comes sooner, and sentences are cut where people stop to think`,
      minimum: SILENCE_MS.least,
      maximum: SILENCE_MS.most,
    }),
  ),
  ticket: ticketInQuery,
})

const DESCRIPTION = `A WebSocket, which OpenAPI cannot describe: this is its handshake. Any other request is answered 426.

**In:** binary frames of up to 1 MB: 16-bit little-endian mono PCM without a header, of which a tenth of a second is
usual, and which may be cut inside a sample; or Opus as MediaRecorder packs it, in WebM or Ogg, cut anywhere: its first bytes tell.
\`{"type":"stop"}\` as a text ends it: all that was said is written, and the socket closed with 1000 behind the last
\`final\`. A client that closes the socket itself hears no more.

**Out:** one JSON object a message, told apart by \`type\`. Utterances count from 1 and end at a second of silence
(\`silence_ms\`), or after 28 s; times are seconds from the first sample.

- \`ready\` (\`model\`, \`language\`, \`rate\`): audio may be sent; what was sent before is not lost
- \`speech_started\`, \`speech_stopped\` (\`utterance\`, \`time\`)
- \`confirmed\` (\`utterance\`, \`text\`, \`start\`, \`end\`): words that go on where the last ones ended, with the space between
  them, and are never taken back; as heard, without dictionary or style
- \`partial\` (\`utterance\`, \`text\`): what was heard after the confirmed words; the next one takes its place
- \`final\` (\`utterance\`, \`start\`, \`end\`, \`text\`, \`refined_text\`, \`writing_style_id\`, \`language\`,
  \`language_probability\`, \`model\`, \`segments\`): takes the place of all that was told of the utterance. \`text\` is what
  POST /transcribe gives for the audio from \`start\` to \`end\`, \`refined_text\` that in its writing style (null where none
  is wanted)
- \`kept\` (\`capture_id\`), behind the last \`final\` with \`keep=true\`: what was sent is a capture, which is transcribed
  once more, as a whole
- \`warning\` (\`code\`, \`message\`), each once: what was asked for and could not be done, in the words of \`warnings\` of
  POST /transcribe, and \`slower_than_speech\` where audio comes faster than it is heard
- \`error\` (\`code\`, \`title\`, \`detail\`, \`status\`): a problem, before the socket is closed, behind the \`final\` of what came before: 1003 for
  frames that are no audio (\`invalid_request\`, \`unsupported_audio\`) or damaged Opus (\`undecodable_audio\`), 1009 for
  too large ones (\`body_too_large\`), 1008 for frames after the end (\`stream_ended\`), a minute without a frame (\`nothing_received\`) and messages that are not read
  (\`reader_too_slow\`), 1013 for ten minutes of audio that could not be heard yet (\`too_far_behind\`), 1001 where the
  server stops (\`shutting_down\`), 1011 for what it could not do

A \`final\` is written in the pause already, and told when that has lasted. Where hearing takes longer than speaking
there are fewer \`partial\` and \`confirmed\`, then none, and no audio is left out. With
\`keep=true\` it becomes a capture as soon as the audio ends, however it ends, also when either side crashes. Where the
server has to stop it (\`file_too_large\`, \`disk_full\`, \`storage_unavailable\`), what was sent before is kept; where not even that can
be stored, the error says that it waits, and it becomes a capture by itself. Without \`keep=true\`, nothing is kept. Browsers
cannot send a token with a WebSocket: POST /session gives a \`ticket\` for it.`

export const liveRoute = (deps: LiveRouteDeps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/transcribe/live',
      operationId: 'transcribeLive',
      summary: 'Transcribe while somebody speaks (WebSocket)',
      description: DESCRIPTION,
      tag: 'transcription',
      query,
      headers: { Upgrade: '`websocket`, with the other headers of RFC 6455' },
      resolve: async ({ query: asked, isRefused }) => [
        styleFault(deps.styles, asked.writing_style_id, 'query'),
        isRefused && asked.model === undefined ? null : await checkModel(deps, asked),
      ],
      responses: { 101: { description: 'The WebSocket is open' } },
      problems: [...LIVE_SOCKET_PROBLEMS, 'disk_full'],
    },
    (request, { query: asked, connection }) => open(deps, { request, asked, connection }),
  )

const checkModel = ({ models }: LiveRouteDeps, { model, language }: Partial<Static<typeof query>>) =>
  checkModelFields(
    models,
    { model: model ?? null, language: parseLanguage(language), task: 'transcribe' },
    { in: 'query', model: '/model' },
  )

type Opening = { request: Request; asked: Static<typeof query>; connection: Connection }

async function open(deps: LiveRouteDeps, { request, asked, connection }: Opening): Promise<Response> {
  const { liveDictation, settings, shutdown, log } = deps
  const language = languageOrDefault(asked.language, settings.current())
  const rate = asked.rate ?? DEFAULT_RATE
  const said = {
    ...asked,
    source: 'dictation' as const,
    ...(asked.model !== undefined && { stt_model: asked.model }),
  }
  const fields = captureFieldsOf(said, { fileName: null, settings: settings.current() })
  const keep = (encoding: LiveEncoding, onFailure: (problem: Problem) => void) =>
    saveLive(deps, { rate: encoding === 'opus' ? null : rate, fields, onFailure })
  return openSocket(deps, {
    request,
    connection,
    refusal: async () => {
      const room = asked.keep === true ? await deps.captures.checkRoom() : null
      return room?.ok === false ? problemOf(room.failure) : null
    },
    begin: (onOver) =>
      openLiveSession({
        begin: (listening) =>
          liveDictation.begin({
            model: asked.model ?? null,
            language,
            prompt: asked.prompt ?? null,
            keywords: asked.keywords ?? [],
            applyDictionary: asked.apply_dictionary ?? null,
            clipboard: () => asked.clipboard ?? null,
            writingStyleId: asked.writing_style_id ?? null,
            appName: asked.app_name || null,
            refine: asked.refine ?? null,
            silenceMs: asked.silence_ms ?? null,
            ...listening,
          }),
        language,
        encoding: asked.encoding ?? null,
        rate,
        words: asked.word_timestamps === true,
        keep: asked.keep === true ? keep : null,
        shutdown,
        onOver,
        log,
      }),
  })
}
