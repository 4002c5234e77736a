// GET /v1/realtime: a WebSocket on which OpenAI's clients transcribe while somebody speaks.
// What is said on it is realtime-session.ts's.

import { type Static, Type } from '@sinclair/typebox'
import type { LiveDictation } from '../../../../dictation/live-dictation.ts'
import type { Log } from '../../../../lib/log.ts'
import { succeed } from '../../../../lib/result.ts'
import type { Settings } from '../../../../settings/settings.ts'
import type { Connection } from '../../../contract/connection.ts'
import { protocolsOffered } from '../../../contract/handshake.ts'
import type { Problem } from '../../../contract/problem.ts'
import { defineRoute, type Route } from '../../../contract/route.ts'
import { flag, ignoredNames, openObject, text } from '../../../contract/schema.ts'
import { languageOrDefault, parseLanguage } from '../../../fields/language.ts'
import { checkModelFields, type FindsModels } from '../../../fields/model.ts'
import { ticketInQuery } from '../../../fields/ticket.ts'
import { openLiveSocket } from '../../../transcribe/live/live-socket.ts'
import { LIVE_SOCKET_PROBLEMS, type OpeningDeps, openSocket } from '../../../transcribe/live/open-socket.ts'
import { logIgnored } from '../../ignored.ts'
import { meantModel } from '../model-name.ts'
import type { Listening } from './hearing.ts'
import { createRealtimeTalk } from './realtime-session.ts'
import { defaultConfig, LOGPROBS, PARTIALS, type SessionConfig } from './session-config.ts'

export type RealtimeRouteDeps = OpeningDeps & {
  models: FindsModels
  liveDictation: LiveDictation
  settings: { current(): Settings }
  log: Log
}

const query = openObject({
  intent: Type.Optional(Type.Literal('transcription', { description: 'the only kind of session there is' })),
  model: Type.Optional(
    text({
      description: 'as in the form of POST /v1/audio/transcriptions; `session.update` may name another',
      minLength: 1,
      maxLength: 100,
    }),
  ),
  partials: Type.Optional(flag({ description: `as \`${PARTIALS}\` in \`include\`` })),
  ticket: ticketInQuery,
})

const PROTOCOL = 'realtime'

const DESCRIPTION = `A transcription session of OpenAI's realtime API, on a WebSocket, which OpenAPI cannot describe: this is its handshake.
The subprotocol \`${PROTOCOL}\` is spoken where it is offered. The key goes into \`Authorization\`, or is offered as the
subprotocol \`openai-insecure-api-key.<key>\`.

**In:** JSON objects, told apart by \`type\`.

- \`session.update\`: \`session.audio.input\` has \`format\` (\`audio/pcm\` with a \`rate\` of 24000 or 16000, \`audio/pcmu\`,
  \`audio/pcma\`), \`transcription\` (\`model\`, \`language\` or \`languages\`, \`prompt\`, \`keywords\`) and \`turn_detection\`
  (\`server_vad\` with \`silence_duration_ms\`; \`semantic_vad\` is taken as that; null: items end where they are committed);
  \`session.include\` may list \`${LOGPROBS}\`, and \`${PARTIALS}\`, which is
  this server's. \`transcription_session.update\` is the same in its older shape. What was appended before is heard as
  it was asked for then
- \`input_audio_buffer.append\` (\`audio\` in base64, up to 15 MiB, cut anywhere), \`.commit\`, \`.clear\`

**Out:** those of OpenAI, each with \`event_id\`: \`session.created\` and \`.updated\`; \`input_audio_buffer.speech_started\`,
\`.speech_stopped\`, \`.committed\`, \`.cleared\`; \`conversation.item.added\` and \`.done\`; of
\`conversation.item.input_audio_transcription\` \`.delta\` (words that are never taken back), \`.completed\` (what POST
/v1/audio/transcriptions gives for the utterance; of several in one item, one behind the other) and \`.failed\`. An event
that cannot be acted on, \`response.create\` among them, is answered \`error\`, and the session goes on. Whoever asks with
\`OpenAI-Beta: realtime=v1\` or the older update is answered with the older names. With
\`${PARTIALS}\` also \`input_audio_buffer.partial_transcription\`
(\`transcript\`: all so far, \`confirmed\` and \`unstable\`).

Limits are those of GET /transcribe/live: ten sessions, a minute without an event, messages that are not read, ten
minutes of audio that waits; the last event is an \`error\` then. While 256 pieces of audio wait to be transcribed, an
event that would begin another one is answered \`error\` (\`too_far_behind\`) and changes nothing.`

export const realtimeRoute = (deps: RealtimeRouteDeps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/v1/realtime',
      operationId: 'transcribeOpenAiRealtime',
      summary: "Transcribe while somebody speaks, in OpenAI's way (WebSocket)",
      description: DESCRIPTION,
      tag: 'openai',
      query,
      headers: { Upgrade: '`websocket`, with the other headers of RFC 6455' },
      resolve: async ({ query: asked, isRefused }) => [
        isRefused && asked.model === undefined ? null : await check(deps, configOf(asked), 'query'),
      ],
      responses: { 101: { description: 'The WebSocket is open' } },
      problems: LIVE_SOCKET_PROBLEMS,
    },
    (request, { query: asked, connection }) => open(deps, { request, asked, connection }),
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

type Opening = { request: Request; asked: Asked; connection: Connection }

function open(deps: RealtimeRouteDeps, { request, asked, connection }: Opening): Promise<Response> {
  const { shutdown, log } = deps
  logIgnored(log, ignoredNames(query, asked))
  return openSocket(deps, {
    request,
    connection,
    protocol: PROTOCOL,
    begin: (onOver) =>
      openLiveSocket({ shutdown, onOver, log }, async (line) =>
        succeed(
          createRealtimeTalk(line, {
            config: configOf(asked),
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
  listening: Listening,
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
    // As POST /v1/audio/transcriptions, whose clients have no place for two texts.
    styleChoosesModel: false,
    refine: false,
    silenceMs: config.turnDetection?.silenceMs ?? null,
    tokens: config.include.includes(LOGPROBS),
    ...listening,
  })
}
