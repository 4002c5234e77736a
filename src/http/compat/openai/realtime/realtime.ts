import { type Static, Type } from '@sinclair/typebox'
import type { LiveDictation } from '../../../../dictation/live-dictation.ts'
import type { Log } from '../../../../lib/log.ts'
import { succeed } from '../../../../lib/result.ts'
import type { Settings } from '../../../../settings/settings.ts'
import {
  checkModelFields,
  type FindsModels,
  languageOrDefault,
  parseLanguage,
  ticketInQuery,
} from '../../../fields/fields.ts'
import { type Connection, protocolsOffered } from '../../../kernel/connection.ts'
import type { Problem } from '../../../kernel/problem.ts'
import { defineRoute, type Route } from '../../../kernel/route.ts'
import { flag, ignoredNames, openObject, text } from '../../../kernel/schema.ts'
import { LIVE_SOCKET_PROBLEMS, type OpeningDeps, openSocket } from '../../../transcribe/live/live.ts'
import { openLiveSocket } from '../../../transcribe/live/live-socket.ts'
import { logIgnored } from '../../ignored-fields.ts'
import { meantModel } from '../fields.ts'
import type { StreamListener } from './audio-buffer.ts'
import { createRealtimeProtocol } from './realtime-session.ts'
import { defaultConfig, LOGPROBS, PARTIALS, type SessionConfig } from './session-config.ts'

export type RealtimeRouteDeps = OpeningDeps & {
  models: FindsModels
  liveDictation: LiveDictation
  settings: { current(): Settings }
  log: Log
}

const query = openObject({
  intent: Type.Optional(Type.Literal('transcription', { description: 'the only supported kind of session' })),
  model: Type.Optional(
    text({
      description:
        'same values as in POST /v1/audio/transcriptions; `session.update` may select another model',
      minLength: 1,
      maxLength: 100,
    }),
  ),
  partials: Type.Optional(flag({ description: `same as \`${PARTIALS}\` in \`include\`` })),
  ticket: ticketInQuery,
})

const PROTOCOL = 'realtime'

const DESCRIPTION = `A transcription session of OpenAI's realtime API on a WebSocket. OpenAPI cannot describe WebSockets; this is the handshake.
The server selects the subprotocol \`${PROTOCOL}\` if the client offers it. The client sends its key in \`Authorization\` or
offers the subprotocol \`openai-insecure-api-key.<key>\`.

**Client events:** JSON objects, distinguished by \`type\`.

- \`session.update\`: \`session.audio.input\` has \`format\` (\`audio/pcm\` with a \`rate\` of 24000 or 16000, \`audio/pcmu\`,
  \`audio/pcma\`), \`transcription\` (\`model\`, \`language\` or \`languages\`, \`prompt\`, \`keywords\`) and \`turn_detection\`
  (\`server_vad\` with \`silence_duration_ms\`; \`semantic_vad\` is treated as \`server_vad\`; null: an item ends when the
  client commits it); \`session.include\` may list \`${LOGPROBS}\`, and this server's own
  \`${PARTIALS}\`. \`transcription_session.update\` is the older form of the same event. Audio that was appended earlier
  is transcribed with the earlier settings
- \`input_audio_buffer.append\` (\`audio\` in base64, up to 15 MiB, split anywhere), \`.commit\`, \`.clear\`

**Server events:** OpenAI's, each with \`event_id\`: \`session.created\` and \`.updated\`; \`input_audio_buffer.speech_started\`,
\`.speech_stopped\`, \`.committed\`, \`.cleared\`; \`conversation.item.added\` and \`.done\`; of
\`conversation.item.input_audio_transcription\` \`.delta\` (words that never change), \`.completed\` (what POST
/v1/audio/transcriptions returns for the utterance; several utterances in one item are concatenated) and \`.failed\`. If
the server cannot process an event, such as \`response.create\`, it sends \`error\` and the session continues. Clients that
send \`OpenAI-Beta: realtime=v1\` or the older update receive the older event names. With
\`${PARTIALS}\` the server also sends \`input_audio_buffer.partial_transcription\`
(\`transcript\`: everything so far, \`confirmed\` and \`unstable\`).

The limits are those of GET /transcribe/live: ten sessions, one minute without an event, unread messages, ten minutes of
waiting audio. The last event is then an \`error\`. While 256 pieces of audio are waiting to be transcribed, an event that
would start another one returns \`error\` (\`too_far_behind\`) and has no effect.`

export const realtimeRoute = (deps: RealtimeRouteDeps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/v1/realtime',
      operationId: 'transcribeOpenAiRealtime',
      summary: "Transcribe live speech with OpenAI's realtime API (WebSocket)",
      description: DESCRIPTION,
      tag: 'compatibility',
      query,
      headers: { Upgrade: '`websocket`, with the other headers of RFC 6455' },
      resolve: async ({ query: requested, isRefused }) => [
        isRefused && requested.model === undefined ? null : await check(deps, configOf(requested), 'query'),
      ],
      responses: { 101: { description: 'The WebSocket is open' } },
      problems: LIVE_SOCKET_PROBLEMS,
    },
    (request, { query: requested, connection }) => open(deps, { request, requested: requested, connection }),
  )

type Asked = Static<typeof query>

const configOf = ({ model, partials = false }: Partial<Asked>): SessionConfig => ({
  ...defaultConfig({ partials }),
  model: model ?? null,
})

const AT = {
  query: { in: 'query', model: '/model' },
  event: { in: 'body', model: '/session/audio/input/transcription/model' },
} as const

async function check(
  { models }: RealtimeRouteDeps,
  config: SessionConfig,
  place: keyof typeof AT,
): Promise<Problem | null> {
  const model = await meantModel(models, config.model ?? undefined)
  const language = parseLanguage(config.language ?? undefined)
  return checkModelFields(models, { model, language, task: 'transcribe' }, AT[place])
}

type Opening = { request: Request; requested: Asked; connection: Connection }

function open(deps: RealtimeRouteDeps, { request, requested, connection }: Opening): Promise<Response> {
  const { shutdown, log } = deps
  logIgnored(log, ignoredNames(query, requested))
  return openSocket(deps, {
    request,
    connection,
    protocol: PROTOCOL,
    begin: (onOver) =>
      openLiveSocket({ shutdown, onOver, log }, async (channel) =>
        succeed(
          createRealtimeProtocol(channel, {
            config: configOf(requested),
            isOlder: isOlderHandshake(request),
            check: (config) => check(deps, config, 'event'),
            begin: (config, listening) => beginStream(deps, config, listening),
            log,
          }),
        ),
      ),
  })
}

const isOlderHandshake = (request: Request): boolean =>
  request.headers.get('openai-beta') === 'realtime=v1' ||
  protocolsOffered(request).includes('openai-beta.realtime-v1')

async function beginStream(
  { models, liveDictation, settings }: RealtimeRouteDeps,
  config: SessionConfig,
  listening: StreamListener,
): ReturnType<LiveDictation['begin']> {
  const isOpen = config.language === null && config.languages.length > 0
  return liveDictation.begin({
    model: await meantModel(models, config.model ?? undefined),
    language: isOpen ? null : languageOrDefault(config.language ?? undefined, settings.current()),
    ...(isOpen && { languages: config.languages }),
    prompt: config.prompt,
    keywords: config.keywords,
    applyDictionary: null,
    writingStyleId: null,
    appName: null,
    // As in POST /v1/audio/transcriptions: OpenAI's clients have no field for a second text.
    styleChoosesModel: false,
    refine: false,
    silenceMs: config.turnDetection?.silenceMs ?? null,
    tokens: config.include.includes(LOGPROBS),
    ...listening,
  })
}
