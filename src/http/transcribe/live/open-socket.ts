// Handles a request for a live socket: upgrades it, or responds with the reason for the refusal.

import type { DictationFailure } from '../../../dictation/choose-model.ts'
import type { Result } from '../../../lib/result.ts'
import type { Connection } from '../../contract/connection.ts'
import { failureResponse, SHUTTING_DOWN } from '../../contract/failure.ts'
import { asksForSocket, protocolsOffered } from '../../contract/handshake.ts'
import { type Problem, type ProblemCode, problemResponse } from '../../contract/problem.ts'
import { type LiveSessions, MOST_LIVE_SESSIONS } from './live-sessions.ts'
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
const SESSIONS_FULL: Problem = {
  code: 'queue_full',
  detail: `All ${MOST_LIVE_SESSIONS} live sessions are in use. Try again when one ends.`,
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
